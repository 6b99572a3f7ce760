import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseAllowedSigners } from '../../../src/provenance/verify/allowed-signers.js';
import { temporaryDirectory } from '../../cleanup.js';
import { commandLine } from '../../cli/command-line.js';
import { type MadeKey, makeKey } from '../../git/ssh/keys.js';
import { levelOf, makeWorld, type TestWorld, verifyIn } from './world.js';

interface Signed {
  readonly world: TestWorld;
  readonly key: MadeKey;
  /** The allowed-signers file. */
  readonly signers: string;
}

/** A log whose every entry is signed, closed. */
async function signedWorld(
  t: TestContext,
  options: { format?: 'sha1' | 'sha256'; key?: readonly string[] } = {},
): Promise<Signed> {
  const keys = temporaryDirectory(t);
  const key = makeKey(keys, 'key', ...(options.key ?? ['-t', 'ed25519']));
  const world = await makeWorld(t, {
    format: options.format ?? 'sha1',
    prepare: (git) => git('config', 'world.signKey', key.file),
  });
  await world.open('ep1');
  await world.call('ailang-write', { path: 'b.txt', content: 'b\n' });
  await world.call('ailang-read', { path: 'b.txt' });
  await world.close();
  const signers = join(keys, 'allowed_signers');
  writeFileSync(signers, `# who may\nolga@example.org namespaces="git" ${key.publicKey}\n`);
  return { world, key, signers };
}

async function level(signed: Signed, text = readFileSync(signed.signers, 'utf8'), more = {}) {
  const verdict = await verifyIn(signed.world.repository, { allowedSigners: parseAllowedSigners(text), ...more });
  return { verdict, report: levelOf(verdict, 'signatures') };
}

/** Puts a changed commit in the place of the newest one. */
function changeTip({ repository, git }: TestWorld, change: (body: string) => string): void {
  const body = execFileSync('git', ['cat-file', 'commit', 'refs/world/log'], { cwd: repository, encoding: 'latin1' });
  const changed = change(body);
  assert.notEqual(changed, body);
  const input = Buffer.from(changed, 'latin1');
  const args = ['hash-object', '-t', 'commit', '-w', '--stdin'];
  git('update-ref', 'refs/world/log', execFileSync('git', args, { cwd: repository, input, encoding: 'utf8' }).trim());
}

const VARIANTS = {
  'Ed25519, SHA-1': {},
  'Ed25519, SHA-256': { format: 'sha256' },
  'RSA, SHA-1': { key: ['-t', 'rsa', '-b', '2048'] },
} as const;

for (const [name, variant] of Object.entries(VARIANTS)) {
  test(`git accepts every entry’s signature, and so does the level (${name})`, async (t) => {
    const signed = await signedWorld(t, variant);
    const { world, signers } = signed;
    const commits = world.git('rev-list', 'refs/world/log').trim().split('\n');
    assert.equal(commits.length, 5);
    const settings = ['-c', `gpg.ssh.allowedSignersFile=${signers}`];
    world.git(...settings, 'verify-commit', ...commits);
    const shown = world.git(...settings, 'log', '--format=%G? %GS', 'refs/world/log');
    assert.equal(shown, 'G olga@example.org\n'.repeat(5));
    assert.equal(world.git('fsck', '--strict', '--full', '--no-dangling'), '');
    const { verdict, report } = await level(signed);
    assert.deepEqual([verdict.ok, report.counts], [true, { entries: 5, 'good signatures': 5 }]);
    assert.deepEqual(report.notes, ['5 signed by olga@example.org']);
    assert.deepEqual(verdict.logs[0]?.signatures, { present: 5, checked: 5 });
  });
}

test('a changed commit, a changed signature and a missing one are found and explained', async (t) => {
  const signed = await signedWorld(t);
  const tip = signed.world.git('rev-parse', 'refs/world/log').trim();
  const cases: readonly (readonly [(body: string) => string, RegExp])[] = [
    [(body) => body.replace(/^ailang-read/m, 'ailang-rear'), /its signature is not that of its bytes/],
    [(body) => body.replace('author ep1', 'author ep2'), /its signature is not that of its bytes/],
    [
      (body) => body.replace(/\n (.)(.*\n -----END)/, (_, a: string, b: string) => `\n ${a === 'A' ? 'B' : 'A'}${b}`),
      /its signature is not that of its bytes|cannot be read/,
    ],
    [(body) => body.replace('BEGIN SSH', 'BEGIN PGP'), /its signature cannot be read/],
    [(body) => body.replace(/gpgsig .*\n(?: .*\n)*/, ''), /it and what follows is not covered by a signature/],
    [(body) => body.replace(/(gpgsig .*\n(?: .*\n)*)/, '$1$1'), /its signature cannot be read/],
  ];
  for (const [change, what] of cases) {
    signed.world.git('update-ref', 'refs/world/log', tip);
    changeTip(signed.world, change);
    const { verdict, report } = await level(signed);
    assert.equal(verdict.ok, false);
    assert.match(report.findings[0]?.what ?? '', what);
    assert.equal(report.findings[0]?.entry, 4);
    assert.equal(levelOf(verdict, 'chain').holds, true);
  }
});

test('only keys that may sign, for git and at that time, count', async (t) => {
  const signed = await signedWorld(t);
  const other = makeKey(temporaryDirectory(t), 'other', '-t', 'ed25519');
  const { publicKey } = signed.key;
  const good = [
    `* ${publicKey}`,
    `olga@example.org,ada@example.org namespaces="file,git" ${publicKey} a comment`,
    `olga@example.org valid-after="20200101Z",valid-before="29990101" ${publicKey}`,
    `x ${other.publicKey}\nolga ${publicKey}`,
  ];
  const bad = [
    '',
    `olga ${other.publicKey}`,
    `olga namespaces="file" ${publicKey}`,
    `olga valid-before="20200101" ${publicKey}`,
    `olga valid-after="29990101" ${publicKey}`,
    `olga cert-authority ${publicKey}`,
  ];
  for (const text of good) assert.equal((await level(signed, text)).report.holds, true, text);
  for (const text of bad) {
    const { report } = await level(signed, text);
    assert.equal(report.holds, false, text);
    assert.match(report.findings[0]?.what ?? '', /signed by a key that may not sign/);
    assert.match(report.findings.at(-1)?.what ?? '', /not covered by a signature/);
    assert.equal(report.findings.at(-1)?.found, 'no good signature in the log');
  }
  for (const [text, why] of [
    ['olga', /line 1 .* it is malformed/],
    [`\n\nolga colour="blue" ${publicKey}`, /line 3 .* the option colour is unknown/],
    [`olga valid-before="soon" ${publicKey}`, /valid-before is no time: soon/],
  ] as const)
    assert.throws(() => parseAllowedSigners(text), { code: 'allowed-signers', message: why });
});

test('a later signature covers entries before it, whether they are signed or not', async (t) => {
  const world = await makeWorld(t);
  await world.open('ep1');
  await world.call('ailang-write', { path: 'b.txt', content: 'b\n' });
  await world.close();
  const keys = temporaryDirectory(t);
  const key = makeKey(keys, 'key', '-t', 'ed25519');
  const signers = join(keys, 'signers');
  writeFileSync(signers, `olga ${key.publicKey}\n`);
  const signed = { world, key, signers };
  assert.equal((await level(signed)).report.findings[0]?.found, 'no good signature in the log');

  world.git('config', 'world.signKey', key.file);
  const env = { HOME: process.env.HOME ?? '/', XDG_STATE_HOME: join(keys, 'state') };
  const opened = await commandLine(['episode', 'open', 'ep2'], { cwd: world.repository, env });
  assert.equal(opened.code, 0, opened.stderr);
  const { report } = await level(signed);
  assert.deepEqual([report.holds, report.counts['good signatures']], [true, 1]);

  world.git('config', '--unset', 'world.signKey');
  await commandLine(['episode', 'close', 'ep2'], { cwd: world.repository, env });
  const uncovered = await commandLine(['verify', '--allowed-signers', signers], { cwd: world.repository });
  assert.equal(uncovered.code, 3);
  assert.match(uncovered.stdout, /entry 5: it and what follows is not covered[\s\S]*the last good one is on entry 4/);
  const range = await commandLine(['verify', '0-4', '--allowed-signers', signers], { cwd: world.repository });
  assert.equal(range.code, 0, range.stdout);
  const loose = await commandLine(['verify'], { cwd: world.repository });
  assert.match(loose.stdout, /signatures 1 present, not checked \(--allowed-signers <file>\)/);
  const wrong = await commandLine(['verify', '--require', 'signatures'], { cwd: world.repository });
  assert.match(wrong.stderr, /the level signatures needs --allowed-signers/);
});

test('a key that cannot be used stops the start before anything is written', async (t) => {
  const world = await makeWorld(t);
  await world.close();
  const before = world.git('rev-parse', 'refs/world/log');
  world.git('config', 'world.signKey', '/nowhere/key');
  const env = { HOME: '/', XDG_STATE_HOME: join(temporaryDirectory(t), 'state') };
  const { code, stderr } = await commandLine(['episode', 'open', 'ep1'], { cwd: world.repository, env });
  assert.equal(code, 1);
  assert.match(stderr, /the signing key \/nowhere\/key: there is no such file/);
  assert.equal(world.git('rev-parse', 'refs/world/log'), before);
});
