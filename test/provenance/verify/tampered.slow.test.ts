import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AllowedSigner, parseAllowedSigners } from '../../../src/provenance/verify/allowed-signers.js';
import { temporaryDirectory } from '../../cleanup.js';
import { makeKey } from '../../git/ssh/keys.js';
import { type Draft, Forge, replaceIn } from './forge.js';
import { failing, gitIn, levelOf, makeWorld, put, type TestWorld, verifyIn } from './world.js';

const LONG = Array.from({ length: 12 }, (_, n) => `line ${n + 1}\n`).join('');
const MOVER = `module mover

import std/fs (renameFile)

export func main() -> () ! {FS} {
  renameFile("old.txt", "moved.txt")
}
`;

/** A history that git and an author make of the agent's work, and what a changed byte in it is said to be. */
interface Cell {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly prepare?: (git: TestWorld['git'], repository: string) => void;
  readonly work?: (world: TestWorld) => Promise<void>;
  /** After the agent's files were committed on `work`; gives the branch to judge. */
  readonly shape?: (world: TestWorld) => string;
  readonly only?: readonly string[];
  /** The byte that is changed in the judged branch. */
  readonly byte?: { readonly file: string; readonly from: string; readonly found: RegExp };
}

const others = (world: TestWorld, files: Record<string, string>): void => {
  world.git('checkout', '-q', 'main');
  put(world.repository, files);
  world.git('add', '-A');
  world.git('commit', '-q', '-m', 'Of someone else');
  world.git('checkout', '-q', 'work');
};

const squash = (world: TestWorld): string => {
  world.git('checkout', '-q', '-b', 'squashed', 'main');
  world.git('merge', '-q', '--squash', 'work');
  world.git('commit', '-q', '--no-edit');
  return 'squashed';
};

const CELLS: Readonly<Record<string, Cell>> = {
  squash: { shape: squash },
  rebase: {
    shape(world) {
      others(world, { 'c.txt': 'c\n' });
      world.git('rebase', '-q', 'main');
      return 'work';
    },
  },
  'merge with other people’s work': {
    shape(world) {
      others(world, { 'a.txt': LONG.replace('line 8\n', 'line eight of someone else\n') });
      world.git('merge', '-q', '--no-edit', 'main');
      return 'work';
    },
  },
  amend: {
    shape(world) {
      const message = world.git('log', '-1', '--format=%B');
      world.git('commit', '-q', '--amend', '-m', `Other words\n\n${message.slice(message.indexOf('World-'))}`);
      return 'work';
    },
  },
  'cherry-pick': {
    shape(world) {
      world.git('checkout', '-q', '-b', 'picked', 'main');
      world.git('cherry-pick', 'work');
      return 'picked';
    },
  },
  revert: {
    shape(world) {
      world.git('revert', '--no-edit', 'HEAD');
      return 'work';
    },
  },
  'mode kept by an edit': {
    files: { 'run.sh': '#!/bin/sh\necho one\n' },
    prepare: (git) => {
      git('add', 'run.sh');
      git('update-index', '--chmod=+x', 'run.sh');
      git('config', 'core.fileMode', 'true');
      execFileSync('chmod', ['+x', join(git('rev-parse', '--show-toplevel').trim(), 'run.sh')]);
    },
    work: async (world) => {
      await world.call('ailang-edit', { path: 'run.sh', old_text: 'one', new_text: 'two' });
    },
    byte: { file: 'run.sh', from: 'two', found: /^run\.sh: line 2 not made through World/m },
  },
  rename: {
    files: { 'old.txt': 'old one\nold two\n', 'mover.ail': MOVER },
    work: async (world) => {
      assert.equal((await world.call('ailang-run', { path: 'mover.ail' })).exit_code, 0);
    },
    byte: { file: 'moved.txt', from: 'old two', found: /^moved\.txt: line 2 not made through World/m },
  },
  binary: {
    work: async (world) => {
      assert.equal((await world.call('ailang-write', { path: 'x.bin', content: 'a\u0000bc' })).ok, true);
    },
    byte: {
      file: 'x.bin',
      from: 'bc',
      found: /^x\.bin: binary: its content is not what any recorded call left behind/m,
    },
  },
  submodule: {
    prepare: (git) => {
      git('commit', '-q', '--allow-empty', '-m', 'Pointed at');
      git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},sub`);
      execFileSync('mkdir', [join(git('rev-parse', '--show-toplevel').trim(), 'sub')]);
    },
  },
  CRLF: {
    files: { 'crlf.txt': 'one\r\ntwo\r\n' },
    work: async (world) => {
      await world.call('ailang-edit', { path: 'crlf.txt', old_text: 'two', new_text: 'zwei' });
    },
    byte: { file: 'crlf.txt', from: 'zwei\r\n', found: /^crlf\.txt: line 2 not made through World/m },
  },
  'partial commit': { only: ['a.txt'] },
};

interface Built {
  readonly bare: string;
  readonly head: string;
  /** Entry of the edit of a.txt. */
  readonly edit: number;
  readonly trailer: string;
  /** Who may sign: the key of every entry. */
  readonly allowedSigners: readonly AllowedSigner[];
}

async function build(t: TestContext, cell: Cell): Promise<Built> {
  const key = makeKey(temporaryDirectory(t), 'key', '-t', 'ed25519');
  const world = await makeWorld(t, {
    files: { 'a.txt': LONG, ...cell.files },
    prepare: (git, repository) => {
      git('config', 'world.signKey', key.file);
      cell.prepare?.(git, repository);
    },
  });
  await world.open('ep1');
  await world.call('ailang-edit', { path: 'a.txt', old_text: 'line 3\n', new_text: 'line three\nand a half\n' });
  const edit = world.world.log.head.index;
  await world.call('ailang-write', { path: 'new.txt', content: 'new one\nnew two\n' });
  await cell.work?.(world);
  const trailer = await world.trailer();
  await world.close();
  const tree = /tree=(\w+)/.exec(trailer)?.[1] ?? '';
  world.git('checkout', '-q', '-b', 'work');
  if (cell.only === undefined) world.git('read-tree', '-u', '--reset', tree);
  else world.git('checkout', tree, '--', ...cell.only);
  world.git('commit', '-q', '-m', `Work\n\n${trailer}`);
  const head = cell.shape?.(world) ?? 'work';
  const bare = join(world.repository, '..', 'bare.git');
  world.git('clone', '-q', '--bare', '.', bare);
  gitIn(bare, bare)('fetch', '-q', world.repository, 'refs/world/log:refs/world/log');
  return { bare, head, edit, trailer, allowedSigners: parseAllowedSigners(`olga@example.org ${key.publicKey}\n`) };
}

type Git = TestWorld['git'];

/** The head made anew with another tree or message, its parents kept. */
function remake(git: Git, head: string, tree: string, message: string): void {
  const parents = git('log', '-1', '--format=%P', head).trim().split(' ');
  const made = git('commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message).trim();
  git('update-ref', `refs/heads/${head}`, made);
}

function changeByte(copy: string, git: Git, { head }: Built, file: string, from: string): void {
  const bytes = execFileSync('git', ['cat-file', 'blob', `${head}:${file}`], { cwd: copy });
  const at = bytes.indexOf(from);
  assert.ok(at >= 0, `${file} holds ${from}`);
  bytes[at] = (bytes[at] ?? 0) ^ 0x20;
  const env = { ...process.env, GIT_INDEX_FILE: join(copy, 'tampered-index') };
  const run = (args: string[], input?: Buffer): string =>
    execFileSync('git', args, { cwd: copy, env, encoding: 'utf8', ...(input === undefined ? {} : { input }) }).trim();
  const blob = run(['hash-object', '-w', '--stdin'], bytes);
  run(['read-tree', head]);
  run(['update-index', '--cacheinfo', `${git('ls-tree', head, file).slice(0, 6)},${blob},${file}`]);
  remake(git, head, run(['write-tree']), git('log', '-1', '--format=%B', head));
}

const at =
  (entry: number, change: (draft: Draft) => void) =>
  (draft: Draft): undefined => {
    if (draft.index === entry) change(draft);
  };

/** What is changed, the levels that must fail, and the first thing that is said of the place. */
const TAMPERINGS: Readonly<
  Record<string, (copy: string, git: Git, built: Built, cell: Cell) => Promise<readonly [level: string, found: RegExp]>>
> = {
  'a byte of a file': async (copy, git, built, cell) => {
    if (cell.byte !== undefined) {
      changeByte(copy, git, built, cell.byte.file, cell.byte.from);
      return ['pr', cell.byte.found];
    }
    const lines = git('cat-file', 'blob', `${built.head}:a.txt`).split('\n');
    changeByte(copy, git, built, 'a.txt', 'line 5\n');
    return ['pr', new RegExp(`^a\\.txt: line ${lines.indexOf('line 5') + 1} not made through World`, 'm')];
  },
  'a byte of the log': async (copy, _, { edit }) => {
    const change = at(edit, (draft) => replaceIn(draft, 'input.json', 'three', 'tree!'));
    await Forge.rewrite(copy, { change, consistent: 'bytes' });
    return [
      'chain',
      new RegExp(`^entry ${edit} input\\.json: its SHA-256 is not the one named as record\\.input`, 'm'),
    ];
  },
  'a trailer': async (_, git, { head, trailer }) => {
    const message = git('log', '-1', '--format=%B', head);
    const false_ = trailer.replace(/tree=.{4}/, 'tree=0000');
    remake(
      git,
      head,
      `${head}^{tree}`,
      message.includes(trailer) ? message.replace(trailer, false_) : `${message}\n${false_}`,
    );
    return ['pr', /^commit [0-9a-f]{12}: its trailer is wrong about the tree of entry/m];
  },
  'a budget': async (copy, _, { edit }) => {
    const change = at(edit, (draft) =>
      replaceIn(
        draft,
        'effects/e1/record.json',
        '"budgetBefore":50,"budgetAfter":49',
        '"budgetBefore":90,"budgetAfter":89',
      ),
    );
    await Forge.rewrite(copy, { change, consistent: 'hashes' });
    return ['authority', new RegExp(`^entry ${edit}: the decision on Workspace\\.Write@worktree does not follow`, 'm')];
  },
  'a parent': async (copy, _, { edit }) => {
    await Forge.rewrite(copy, { change: (draft) => (draft.index === edit ? false : undefined), consistent: 'bytes' });
    return [
      'chain',
      new RegExp(`^entry ${edit} entry\\.json: prevEntryHash is not the hash of the entry before it`, 'm'),
    ];
  },
  'a signature': async (copy, git) => {
    const body = execFileSync('git', ['cat-file', 'commit', 'refs/world/log'], { cwd: copy, encoding: 'latin1' });
    const changed = body.replace(
      /\n (.)(.*\n -----END)/,
      (_, first: string, rest: string) => `\n ${first === 'A' ? 'B' : 'A'}${rest}`,
    );
    assert.notEqual(changed, body);
    const options = { cwd: copy, input: Buffer.from(changed, 'latin1'), encoding: 'utf8' } as const;
    const oid = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], options).trim();
    const newest = Number(git('rev-list', '--count', 'refs/world/log')) - 1;
    git('update-ref', 'refs/world/log', oid);
    return ['signatures', new RegExp(`^entry ${newest}: its signature (is not that of its bytes|cannot be read)`, 'm')];
  },
};

for (const [name, cell] of Object.entries(CELLS))
  test(`${name}: proven as it is, and every tampered twin is found where it was tampered with`, async (t) => {
    const built = await build(t, cell);
    const { allowedSigners } = built;
    const honest = await verifyIn(built.bare, { pr: `main..${built.head}`, allowedSigners });
    assert.deepEqual(failing(honest), [], JSON.stringify(levelOf(honest, 'pr').findings));
    assert.equal(honest.pullRequest?.coverage.percent, 100);
    for (const [what, tamper] of Object.entries(TAMPERINGS)) {
      const copy = join(temporaryDirectory(t), 'copy.git');
      cpSync(built.bare, copy, { recursive: true });
      const [level, found] = await tamper(copy, gitIn(copy, copy), built, cell);
      const verdict = await verifyIn(copy, { pr: `main..${built.head}`, allowedSigners });
      const report = levelOf(verdict, level as never);
      const said = report.findings.map((finding) => `${finding.where}: ${finding.what}`).join('\n');
      assert.equal(report.holds, false, `${name}, ${what}`);
      assert.match(said, found, `${name}, ${what}`);
    }
  });
