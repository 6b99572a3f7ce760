import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openWorld } from '../../src/daemon/open-world.js';
import { planRedaction } from '../../src/daemon/redact.js';
import { NO_ALLOWANCE } from '../../src/episode/policy.js';
import { openRepository } from '../../src/git/repository.js';
import type { EntryIndex } from '../../src/log/types.js';
import { parseAllowedSigners } from '../../src/provenance/verify/allowed-signers.js';
import { temporaryDirectory } from '../cleanup.js';
import { commandLine } from '../cli/command-line.js';
import { makeSandbox, startDaemon, worldd } from '../e2e/world.js';
import { makeKey } from '../git/ssh/keys.js';
import { Forge } from '../provenance/verify/forge.js';
import { failing, levelOf, makeWorld, type TestWorld, verifyIn } from '../provenance/verify/world.js';

const SECRET = 'sk-live-51hardlyguessable';
const LOG = 'refs/world/log';

interface Scene {
  readonly world: TestWorld;
  /** Entry whose arguments hold the secret; no file ever held it. */
  readonly entry: number;
  readonly trailer: string;
  redact(...args: string[]): ReturnType<typeof commandLine>;
}

/** A closed log in which one call in the middle was given a secret that does not belong there. */
async function scene(t: TestContext, options: Parameters<typeof makeWorld>[1] = {}): Promise<Scene> {
  const world = await makeWorld(t, options);
  await world.open('ep1');
  await world.call('ailang-write', { path: 'b.txt', content: 'b\n' });
  await world.call('examples-search', { query: SECRET });
  const entry = world.world.log.head.index;
  await world.call('ailang-write', { path: 'c.txt', content: 'c\n' });
  const trailer = await world.trailer();
  await world.close();
  const env = { HOME: '/', XDG_STATE_HOME: join(dirname(world.repository), 'state') };
  return {
    ...{ world, entry, trailer },
    redact: (...args) => commandLine(['redact', ...args], { cwd: world.repository, env }),
  };
}

/** Every file of the git directory as it is, and every object git can find, searched for the secret. */
function holds({ repository, git }: TestWorld, secret: string): readonly string[] {
  const directory = join(repository, '.git');
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(directory, name);
    return statSync(path).isFile() && readFileSync(path).includes(secret);
  });
  const oids = git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)', '--unordered').trim().split('\n');
  const all = execFileSync('git', ['cat-file', '--batch', '--buffer'], {
    ...{ cwd: repository, input: oids.join('\n'), maxBuffer: 2 ** 28 },
  });
  return all.includes(secret) ? [...files, 'an object'] : files;
}

for (const format of ['sha1', 'sha256'] as const) {
  test(`a redacted payload is gone, and everything else still holds (${format})`, async (t) => {
    const { world, entry, trailer, redact } = await scene(t, { format });
    assert.notDeepEqual(holds(world, SECRET), []);
    const hashes = (): readonly string[] =>
      world
        .git('log', '--reverse', '--format=%(trailers:key=World-Entry,valueonly,separator=)', LOG)
        .trim()
        .split('\n');
    const before = hashes();
    const asked = await redact('--entry', String(entry), '--reason', 'a key got in');
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /nothing was redacted\n.*--yes/);
    assert.deepEqual(hashes(), before);

    const done = await redact('--entry', String(entry), '--reason', 'a key got in', '--yes');
    assert.equal(done.code, 0, done.stderr);
    assert.match(
      done.stderr,
      new RegExp(`entry ${entry} input\\.json \\(\\d+ B\\): can no longer be shown: the arguments`),
    );
    assert.match(done.stdout, new RegExp(`^redacted 5 payload\\(s\\); entry ${before.length} says so\n`));
    assert.deepEqual(holds(world, SECRET), []);
    assert.equal(world.git('fsck', '--strict', '--full'), '');
    assert.deepEqual(hashes().slice(0, before.length), before);
    assert.match(world.git('log', '--format=%s', LOG), /^examples-search refused \(redacted\)$/m);

    const verdict = await verifyIn(world.repository);
    assert.deepEqual(failing(verdict), []);
    const chain = levelOf(verdict, 'chain');
    assert.equal(chain.counts['redacted payloads'], 5);
    assert.match(chain.notes.join('\n'), /5 payload\(s\) redacted: a key got in/);
    assert.equal(levelOf(verdict, 'replay').counts['not replayable: redacted'], 1);
    world.git('checkout', '-q', '-b', 'work');
    world.git('checkout', /tree=([0-9a-f]+)/.exec(trailer)?.[1] ?? '', '--', 'b.txt', 'c.txt');
    world.git('commit', '-q', '-m', `Work\n\n${trailer}`);
    assert.equal((await verifyIn(world.repository, { pr: 'main..work' })).ok, true);

    const env = { HOME: '/', XDG_STATE_HOME: join(dirname(world.repository), 'state') };
    const reopened = await commandLine(['episode', 'open', 'ep2'], { cwd: world.repository, env });
    assert.equal(reopened.code, 0, reopened.stderr);
    assert.deepEqual(failing(await verifyIn(world.repository)), []);
  });
}

test('why says what was taken out, by whom it is said, and finds it by its ref', async (t) => {
  const { world, entry, redact } = await scene(t);
  const why = (...args: string[]) => commandLine(['why', ...args], { cwd: world.repository });
  const intact = JSON.parse((await why(String(entry), '--json')).stdout) as { links: { name: string; ref: string }[] };
  const ref = intact.links.find(({ name }) => name === 'input')?.ref ?? '';
  const one = await redact(ref, '--reason', 'a key got in', '--yes');
  assert.equal(one.code, 0, one.stderr);
  assert.match(one.stderr, new RegExp(`entry ${entry} plan\\.json stays; it may repeat`));
  const walked = await why(String(entry));
  assert.equal(walked.code, 0);
  assert.match(
    walked.stdout,
    /∅ input {4}sha256:[0-9a-f]{64} {2}input\.json \(\d+ B\) redacted by entry \d+: a key got in\n/,
  );
  assert.match(walked.stdout, /6 of 7 link\(s\) verified, 1 redacted: their bytes cannot be shown\n$/);
  assert.match(
    (await why(ref)).stdout,
    new RegExp(`^why: entry ${entry} \\(matched by input\\.json, which was redacted\\)`),
  );
  const again = await redact(ref, '--reason', 'again', '--yes');
  assert.equal(again.code, 1);
  assert.match(again.stderr, /was redacted before, by entry \d+/);
  await redact('--entry', String(entry), '--reason', 'the rest', '--yes');
  assert.match((await why(String(entry))).stdout, /∅ effect .*e1\/request .*: the rest; .*result\.json/);
  assert.deepEqual(holds(world, SECRET), []);
});

test('a payload taken out without the operator’s word, or with other words, is found', async (t) => {
  const { world, entry, redact } = await scene(t);
  await redact('--entry', String(entry), '--reason', 'a key got in', '--yes');
  const tip = world.git('rev-parse', LOG).trim();
  const marker = (change: (files: Map<string, Buffer>) => void) =>
    Forge.rewrite(world.repository, {
      consistent: 'bytes',
      change: (draft) => {
        if (draft.index === entry) change(draft.files);
        return undefined;
      },
    });
  const edit = (from: string, to: string) => (files: Map<string, Buffer>) => {
    const text = files.get('input.json.redacted')?.toString() ?? '';
    assert.ok(text.includes(from), text);
    files.set('input.json.redacted', Buffer.from(text.replace(from, to)));
  };
  const forgeries: readonly (readonly [(files: Map<string, Buffer>) => void, RegExp])[] = [
    [(files) => files.delete('input.json.redacted'), /a file of the entry is absent/],
    [edit('"bytes":', '"bytes":1'), /a payload was taken out and no redact act says so/],
    [edit('"ref":"sha256:', '"ref":"sha256:0'), /it is not what its name promises|absent/],
    [edit('"path":"input.json"', '"path":"plan.json"'), /its marker is of another place/],
    [(files) => files.set('input.json', Buffer.from('{}')), /its SHA-256 is not the one named|no ref names/],
  ];
  for (const [change, what] of forgeries) {
    world.git('update-ref', LOG, tip);
    await marker(change);
    const chain = levelOf(await verifyIn(world.repository), 'chain');
    assert.equal(chain.holds, false);
    assert.match(chain.findings.map((finding) => finding.what).join('\n'), what);
  }
  world.git('update-ref', LOG, `${tip}~1`);
  assert.match(
    levelOf(await verifyIn(world.repository), 'chain').findings[0]?.what ?? '',
    /a payload was taken out and no redact act says so/,
  );
});

test('a redacted write leaves its change of files unexplained, and lines of it unproven', async (t) => {
  const { world, redact, trailer } = await scene(t);
  const done = await redact('--entry', '3', '--reason', 'r', '--yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /sha256:[0-9a-f]{64} stands in entries 5, too, and stays there/);
  const verdict = await verifyIn(world.repository);
  assert.deepEqual(failing(verdict), []);
  assert.match(
    levelOf(verdict, 'trees').notes.join('\n'),
    /entry 3: its request was redacted, so nothing explains: b\.txt added/,
  );
  world.git('checkout', '-q', '-b', 'work');
  world.git('checkout', /tree=([0-9a-f]+)/.exec(trailer)?.[1] ?? '', '--', 'b.txt', 'c.txt');
  world.git('commit', '-q', '-m', `Work\n\n${trailer}`);
  const pr = levelOf(await verifyIn(world.repository, { pr: 'main..work' }), 'pr');
  assert.deepEqual(
    pr.findings.map(({ file }) => file),
    ['b.txt'],
  );
});

test('evidence, unknown refs and missing words are refused; so is everything while a daemon runs', async (t) => {
  const { world, redact } = await scene(t);
  const before = world.git('rev-parse', LOG);
  const record = execFileSync('git', ['show', `${LOG}:record.json`], { cwd: world.repository });
  const ref = `sha256:${createHash('sha256').update(record).digest('hex')}`;
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[ref, '--reason', 'r', '--yes'], /record\.json of entry \d+ is evidence, not a payload/],
    [[`sha256:${'0'.repeat(64)}`, '--reason', 'r'], /not found in the log/],
    [['--entry', '0', '--reason', 'r'], /entry 0 holds no payload/],
    [['--entry', '99', '--reason', 'r'], /there is no entry 99/],
    [['--entry', '3', '--yes'], /redact needs --reason/],
    [['head', '--reason', 'r'], /"head" is no sha256: ref/],
    [['--reason', 'r'], /missing argument/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await redact(...args);
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
  assert.equal(world.git('rev-parse', LOG), before);

  const sandbox = makeSandbox(t);
  const daemon = await startDaemon(t, sandbox);
  const call = ['--addr', daemon.address, 'call', 'ailang-read', '--arg', 'path=hello.ail'];
  assert.equal((await worldd(sandbox, call, { env: { WORLD_SESSION: daemon.token } })).code, 0);
  const busy = await worldd(sandbox, ['redact', '--entry', '3', '--reason', 'r', '--yes']);
  assert.equal(busy.code, 1);
  assert.match(busy.stderr, /is being written by process \d+ .* a daemon at http.*\n.*stop it: kill/);
  assert.equal(await daemon.stop(), 0);
});

test('a redaction cut off after its act is brought to its end by another', async (t) => {
  const { world, entry, redact } = await scene(t);
  const env = { HOME: '/', XDG_STATE_HOME: join(dirname(world.repository), 'state') };
  const repository = await openRepository(world.repository);
  const { redactions } = await planRedaction(repository, { refs: [], entries: [entry as EntryIndex] });
  const again = await openWorld({
    ...{ directory: world.repository, workspaceRoot: undefined, examples: 'none', allowance: NO_ALLOWANCE, env },
    report: () => undefined,
  });
  await again.desk.redact(redactions, 'a key got in');
  await again.close();
  assert.match(
    levelOf(await verifyIn(world.repository), 'chain').notes.join('\n'),
    /5 payload\(s\) it names are still there/,
  );
  const done = await redact('--entry', String(entry), '--reason', 'a key got in', '--yes');
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(holds(world, SECRET), []);
  assert.deepEqual(failing(await verifyIn(world.repository)), []);
});

test('signed entries are signed again, or nothing is done', async (t) => {
  const keys = temporaryDirectory(t);
  const key = makeKey(keys, 'key', '-t', 'ed25519');
  const { world, entry, redact } = await scene(t, { prepare: (git) => git('config', 'world.signKey', key.file) });
  const args = ['--entry', String(entry), '--reason', 'r', '--yes'];
  world.git('config', '--unset', 'world.signKey');
  const before = world.git('rev-parse', LOG);
  const refused = await redact(...args);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /are signed, and there is no key\n.*--sign-key/);
  assert.equal(world.git('rev-parse', LOG), before);
  const done = await redact(...args, '--sign-key', key.file);
  assert.equal(done.code, 0, done.stderr);
  const allowedSigners = parseAllowedSigners(`olga ${key.publicKey}`);
  const verdict = await verifyIn(world.repository, { allowedSigners });
  assert.deepEqual(failing(verdict), []);
  const { counts } = levelOf(verdict, 'signatures');
  assert.equal(counts['good signatures'], counts.entries);
});

test('packs, a commit graph and a reflog of git’s own do not keep the bytes; another ref does, and is named', async (t) => {
  const { world, entry, redact } = await scene(t);
  world.git('config', 'core.logAllRefUpdates', 'always');
  const tip = world.git('rev-parse', LOG).trim();
  world.git('update-ref', LOG, `${tip}~1`, tip);
  world.git('update-ref', LOG, tip);
  world.git('gc', '-q');
  world.git('commit-graph', 'write', '--reachable');
  world.git('stash', 'list');
  writeFileSync(join(world.repository, 'a.txt'), 'never committed\n');
  const stashed = world.git('stash', 'create').trim();
  world.git('checkout', '-q', 'a.txt');
  world.git('branch', 'copy', LOG);
  const held = await redact('--entry', String(entry), '--reason', 'r', '--yes');
  assert.equal(held.code, 1);
  assert.match(held.stderr, /object\(s\) of the old history are still here, because something else holds them/);
  assert.notDeepEqual(holds(world, SECRET), []);
  world.git('branch', '-q', '-D', 'copy');
  const again = await redact('--entry', String(entry), '--reason', 'r', '--yes');
  assert.match(again.stderr, /holds no payload/);
  writeFileSync(join(world.repository, '.git', 'world', 'journal.damaged-1'), SECRET);
  const aside = await redact('--entry', String(entry + 1), '--reason', 'r', '--yes');
  assert.match(aside.stderr, /journal\.damaged-1 may hold the bytes: remove it/);
  assert.equal(aside.code, 1);
  world.git('cat-file', '-e', stashed);
});
