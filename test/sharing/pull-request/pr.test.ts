import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { bodyText } from '../../../src/sharing/pull-request/body.js';
import { commandLine } from '../../cli/command-line.js';
import { put } from '../../provenance/verify/world.js';
import { makeSharedWorld, type SharedWorld } from '../shared-world.js';

const hello =
  'module hello\n\npure func twice(n: int) -> int = n * 2\n\nexport func main() -> () ! {IO} = println(show(twice(21)))\n';

async function agentWork(t: TestContext): Promise<SharedWorld> {
  const world = await makeSharedWorld(t, { files: { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' } });
  await world.call('ailang-edit', { path: 'a.txt', old_text: 'two\n', new_text: '2\n' });
  await world.call('ailang-write', { path: 'hello.ail', content: hello });
  await world.call('ailang-check', { path: 'hello.ail' });
  await world.call('ailang-write', { path: '../x', content: '' });
  await world.world.log.flush();
  return world;
}

const pr = (world: SharedWorld, args: readonly string[], path = '/usr/bin:/bin') =>
  commandLine(['pr', ...args], { cwd: world.repository, env: { PATH: path, HOME: world.base } });

/** Stands where GitHub is: a program named gh that writes down what it was asked, and answers with a URL. */
function fakeGh(world: SharedWorld, exitCode = 0): { readonly path: string; asked(): string } {
  const bin = join(world.base, 'bin');
  const notes = join(world.base, 'gh-asked');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'gh'),
    `#!/bin/sh\nprintf '%s\\n' "$*" >>"${notes}"\nif [ "$1" = pr ]; then echo "GraphQL: https://bot:s3cret@host failed" >&2; echo https://example.org/pull/7; exit ${exitCode}; fi\n`,
  );
  chmodSync(join(bin, 'gh'), 0o755);
  return { path: `${bin}:/usr/bin:/bin`, asked: () => readFileSync(notes, 'utf8') };
}

test('pr makes a proven branch on the base, publishes log and branch, and opens it with gh', async (t) => {
  const world = await agentWork(t);
  const gh = fakeGh(world);
  const args = ['--yes', '--json', '--title', 'Say two', '--goal', 'Write numbers | as digits'];
  const { code, stdout, stderr } = await pr(world, args, gh.path);
  assert.equal(code, 0, stderr);
  const made = JSON.parse(stdout) as Record<string, string>;
  assert.deepEqual(
    [made.branch, made.base, made.proven, made.pushed, made.url],
    ['world/ep1', 'main', true, true, 'https://example.org/pull/7'],
  );
  const shown = world.gitRemote('log', '-1', '--format=%an <%ae>%n%P%n%B', 'world/ep1').trim().split('\n');
  assert.deepEqual(shown.slice(0, 3), [
    'Olga Operator <olga@example.org>',
    world.git('rev-parse', 'main').trim(),
    'Say two',
  ]);
  assert.equal(shown.at(-1), await world.trailer());
  assert.equal(world.gitRemote('rev-parse', world.sharedRef), world.git('rev-parse', 'refs/world/log'));
  assert.match(
    gh.asked(),
    /^pr create --base main --head world\/ep1 --title Say two --body-file \S+ --label ailang-world$/m,
  );
  const body = readFileSync(made.body_file ?? '', 'utf8');
  for (const part of [
    /^Write numbers \| as digits\n/,
    /\n\| `ailang-write` \| 4 \| 1 \|\n/,
    /\n\| `Workspace\.Write` \| 4 \| 50 \|\n/,
    /\n\| `hello\.ail` \| `ailang-check` \| passed \| \d+ \|\n/,
    /\n\| `a\.txt` \| 2 of 2 \| as recorded \|\n/,
    /\(100 %\); chain holds, authority holds, trees holds/,
  ])
    assert.match(body, part);
  assert.equal(body.trimEnd().split('\n').at(-1), await world.trailer());
  const clone = world.clone('reviewer');
  clone.git('fetch', '-q', 'origin', 'refs/world/logs/*:refs/world/logs/*');
  const verdict = await commandLine(['verify', '--pr', 'origin/main..origin/world/ep1'], { cwd: clone.directory });
  assert.equal(verdict.code, 0, verdict.stdout);
});

test('without gh it says what to do; a second time the branch exists; --no-push and --dry-run stay here', async (t) => {
  const world = await agentWork(t);
  const dry = await pr(world, ['--dry-run']);
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /## Made through AILANG World/);
  assert.equal(world.git('branch', '--list', 'world/*'), '');
  const here = await pr(world, ['--no-push', '--branch', 'mine']);
  assert.match(here.stdout, /^branch mine\n(?:.*\n)* +next {3}push it/);
  assert.equal(world.gitRemote('for-each-ref', 'refs/heads/mine', 'refs/world'), '');
  const done = await pr(world, ['--yes']);
  assert.match(done.stdout, /open the pull request: world\/ep1 into main on origin/);
  const again = await pr(world, ['--yes']);
  assert.deepEqual([again.code, /branch world\/ep1 exists already/.test(again.stderr)], [1, true]);
});

test('a base that went on is merged; where it changed the same lines, the paths are named and nothing is made', async (t) => {
  const world = await agentWork(t);
  put(world.repository, { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n' });
  world.git('commit', '-qam', 'Six');
  world.git('push', '-q', 'origin', 'main');
  assert.equal((await pr(world, ['--no-push', '--branch', 'merged'])).code, 0);
  assert.equal(world.git('show', 'merged:a.txt'), 'one\n2\nthree\nfour\nfive\nsix\n');
  put(world.repository, { 'a.txt': 'one\nTWO\nthree\nfour\nfive\nsix\n' });
  world.git('commit', '-qam', 'TWO');
  world.git('push', '-q', 'origin', 'main');
  const conflict = await pr(world, ['--no-push', '--branch', 'conflicting']);
  assert.match(conflict.stderr, /the base changed the same lines: a\.txt\n/);
  assert.equal(conflict.code, 1);
  assert.equal(world.git('branch', '--list', 'conflicting'), '');
});

test('drift is not proven: nothing is made unless it is allowed, and then the text names it', async (t) => {
  const world = await agentWork(t);
  put(world.worktree, { 'a.txt': 'one\n2\nthree\nfour\nfive\nby hand\n' });
  await world.call('ailang-read', { path: 'a.txt' });
  await world.world.log.flush();
  const refused = await pr(world, ['--no-push']);
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /a\.txt: not proven[^\n]*lines 6-6 changed outside every call/);
  assert.equal(world.git('branch', '--list', 'world/*'), '');
  const allowed = await pr(world, ['--no-push', '--allow-unproven', '--json']);
  assert.equal(allowed.code, 0);
  assert.match(readFileSync(JSON.parse(allowed.stdout).body_file, 'utf8'), /`a\.txt` \| 2 of 3 \| not proven/);
});

test('what cannot be published leaves no branch, and gh that fails says where the text is, without its secrets', async (t) => {
  const world = await agentWork(t);
  const unasked = await pr(world, []);
  assert.match(unasked.stderr, /nothing was published/);
  assert.equal(world.git('branch', '--list', 'world/*'), '');
  const gh = fakeGh(world, 1);
  const failed = await pr(world, ['--yes'], gh.path);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /gh pr create failed: GraphQL: https:\/\/\*\*\*@host failed\n.*its text is in \S+\.md/);
  for (const [args, message] of [
    [['--branch', '..'], /no name for a branch/],
    [['--base', 'nowhere'], /there is no branch "nowhere"/],
    [['--episode', 'ep9'], /no calls of episode ep9/],
    [['--template', 'none.md', '--no-push'], /--template: cannot read/],
  ] as const)
    assert.match((await pr(world, args)).stderr, message);
});

test('a base of another history, a branch that is on the remote already, and changes no entry holds are named', async (t) => {
  const world = await agentWork(t);
  put(world.worktree, { 'a.txt': 'one\n2\nthree\nfour\nfive\nby hand\n', 'stray.txt': 'stray\n' });
  const dry = await pr(world, ['--dry-run']);
  assert.equal(dry.code, 0);
  assert.match(dry.stderr, /changed after entry \d+, outside every call; not part of this: "a\.txt", "stray\.txt"\n/);
  assert.doesNotMatch(dry.stdout, /stray|by hand/);
  const tree = world.git('rev-parse', 'main^{tree}').trim();
  world.git('branch', 'island', world.git('commit-tree', tree, '-m', 'Another beginning').trim());
  const unrelated = await pr(world, ['--no-push', '--base', 'island']);
  assert.deepEqual([unrelated.code, /no commit in common/.test(unrelated.stderr)], [1, true]);
  // As git does, from the root of the worktree.
  world.git('remote', 'set-url', 'origin', '../remote.git');
  world.git('push', '-q', 'origin', 'main:refs/heads/theirs');
  const taken = await pr(world, ['--yes', '--branch', 'theirs']);
  assert.deepEqual([taken.code, /the branch theirs exists already on origin/.test(taken.stderr)], [1, true]);
  assert.equal(world.git('ls-remote', 'origin', 'refs/world/logs/*'), '');
  assert.equal(world.git('branch', '--list', 'theirs', 'world/*'), '');
});

test('an episode that changed nothing makes no pull request', async (t) => {
  const world = await makeSharedWorld(t, { files: { 'a.txt': 'a\n' } });
  await world.open('ep2');
  await world.call('ailang-read', { path: 'a.txt' });
  await world.world.log.flush();
  assert.match((await pr(world, ['--no-push', '--episode', 'ep2'])).stderr, /changed nothing/);
  assert.match((await pr(world, ['--no-push'])).stderr, /say which episode\n *--episode ep1 or --episode ep2/);
});

test('a path in the text stays one cell', () => {
  const path = 'a|b`c\u001b[31m.txt';
  const text = bodyText('{{checks}}{{nothing}}', {
    ...{ goal: '', episode: 'e', world: 'w', first: 1, last: 1, trailer: 'World-Provenance: x' },
    account: {
      calls: 1,
      tools: new Map(),
      budgets: [],
      checks: [{ entry: 1, what: 'w', file: path, result: 'passed' }],
    },
    verdict: { ok: true, required: [], logs: [], pullRequest: null },
  });
  const row = text.split('\n')[2] ?? '';
  assert.equal(row.split(/(?<!\\)\|/).length, 6);
  assert.ok(!row.includes('\u001b') && row.split('`').length === 5);
  assert.match(text, /\{\{nothing\}\}\n\nWorld-Provenance: x\n$/);
});
