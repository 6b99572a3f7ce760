import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { execute } from '../../../src/cli/execute.js';
import { temporaryDirectory } from '../../cleanup.js';
import { Forge, replaceIn } from './forge.js';
import { makeWorld, put, type TestWorld } from './world.js';

let world: TestWorld;
let trailer: string;
const hooks: (() => unknown)[] = [];

before(async () => {
  world = await makeWorld({ after: (hook: () => unknown) => void hooks.push(hook) } as never, {
    files: { 'a.txt': 'one\ntwo\nthree\n', 'dir #1/keep': 'kept\n' },
  });
  await world.open('ep1');
  await world.call('ailang-write', { path: 'dir #1/né w?.txt', content: 'new one\nnew two\n' });
  trailer = await world.trailer();
  await world.close();
  world.git('checkout', '-q', '-b', 'work');
  world.git('checkout', /tree=(\w+)/.exec(trailer)?.[1] ?? '', '--', '.');
  world.git('commit', '-q', '-m', `Work\n\n${trailer}`);
  world.git('checkout', '-q', '-b', 'bad');
  put(world.repository, { 'dir #1/né w?.txt': 'new one\nsmuggled\n100%, really\nnew two\n' });
  world.git('commit', '-q', '-a', '-m', 'More');
});
after(async () => {
  for (const hook of hooks.reverse()) await hook();
});

async function run(args: readonly string[], options: { cwd?: string; stdin?: string } = {}) {
  let [out, err] = ['', ''];
  const sink = (write: (text: string) => void) => ({ write }) as never;
  const code = await execute(['verify', ...args], {
    env: {},
    cwd: options.cwd ?? world.repository,
    stdout: sink((text) => {
      out += text;
    }),
    stderr: sink((text) => {
      err += text;
    }),
    colour: false,
    readStdin: async () => Buffer.from(options.stdin ?? ''),
  } as never);
  return { code, out, err };
}

test('exit 0 when everything holds, with a line for each level', async () => {
  const { code, out } = await run(['--pr', 'main..work']);
  assert.equal(code, 0, out);
  for (const level of ['chain', 'authority', 'trees', 'replay', 'pr'])
    assert.match(out, new RegExp(`^✓ ${level} +holds`, 'm'));
  assert.match(out, /2 of 2 changed lines made through World \(100 %\)/);
});

test('exit 3 when one does not, with path, lines and percentage', async () => {
  const { code, out } = await run(['--pr', 'main..bad']);
  assert.equal(code, 3);
  assert.match(out, /✗ dir #1\/né w\?\.txt: not proven, 2 of 4 lines: lines 2-3 not made through World/);
  assert.match(out, /2 of 4 changed lines made through World \(50 %\)/);
  assert.match(out, /NOT PROVEN/);
});

test('--require says which levels decide', async () => {
  assert.equal((await run(['--pr', 'main..bad', '--require', 'chain,authority,trees'])).code, 0);
  assert.equal((await run(['--pr', 'main..bad', '--require', 'chain, pr'])).code, 3);
  const { code, err } = await run(['--require', 'chian']);
  assert.deepEqual([code === 0, /did you mean chain\?/.test(err)], [false, true]);
  assert.match((await run(['--require', 'pr'])).err, /the level pr needs --pr/);
});

test('exit 1 when there is nothing to look at', async (t) => {
  const empty = temporaryDirectory(t);
  world.git('init', '-q', empty);
  assert.equal((await run([], { cwd: empty })).code, 1);
  assert.equal((await run(['--pr', 'main..nowhere'])).code, 1);
  assert.equal((await run(['900'])).code, 1);
});

test('--world takes ids of worlds only', async () => {
  const id = /world=(\w+)/.exec(trailer)?.[1] ?? '';
  assert.equal((await run(['--pr', 'main..work', '--world', id])).code, 0);
  assert.equal((await run(['--pr', 'main..work', '--world', '0'.repeat(16)])).code, 3);
  assert.match((await run(['--world', 'mine'])).err, /--world must be 16 hex digits/);
});

test('a trailer may stand in the body alone', async () => {
  world.git('checkout', '-q', 'work');
  const bare = world.git('commit-tree', 'work^{tree}', '-p', 'main', '-m', 'Work').trim();
  assert.equal((await run(['--pr', `main..${bare}`])).code, 3);
  assert.equal((await run(['--pr', `main..${bare}`, '--body-file', '-'], { stdin: `Text\n\n${trailer}\n` })).code, 0);
  assert.equal((await run(['--pr', `main..${bare}`, '--trailer', trailer.replace('World-Provenance: ', '')])).code, 0);
});

test('JSON holds every level, finding and path', async () => {
  const { code, out } = await run(['--pr', 'main..bad', '--json']);
  assert.equal(code, 3);
  const verdict = JSON.parse(out);
  assert.equal(verdict.ok, false);
  assert.deepEqual(
    verdict.logs[0].levels.map((level: { level: string; holds: boolean }) => [level.level, level.holds]),
    ['chain', 'authority', 'trees', 'replay'].map((level) => [level, true]),
  );
  assert.deepEqual(verdict.pullRequest.coverage.paths[0].ranges, [{ lines: { first: 2, last: 3 }, why: 'outside' }]);
  assert.equal(verdict.pullRequest.coverage.percent, 50);
});

test('GitHub annotations stand on the lines, with what is special escaped', async () => {
  const { out } = await run(['--pr', 'main..bad', '--format', 'github']);
  const [annotation] = out.split('\n');
  assert.match(
    annotation ?? '',
    /^::error file=dir #1\/né w\?\.txt,line=2,endLine=3,title=Not made through World::dir #1/,
  );
});

/** The members that SARIF 2.1.0 requires (sections 3.13, 3.14, 3.18, 3.19, 3.27, 3.29, 3.30), each of its type. */
test('SARIF is of version 2.1.0’s shape, with a URI and a region for each finding', async () => {
  const { out } = await run(['--pr', 'main..bad', '--format', 'sarif']);
  const sarif = JSON.parse(out);
  assert.equal(sarif.version, '2.1.0');
  assert.equal(sarif.runs.length, 1);
  const [{ tool, results, columnKind }] = sarif.runs;
  assert.equal(columnKind, 'utf16CodeUnits');
  assert.equal(typeof tool.driver.name, 'string');
  const rules = tool.driver.rules.map((rule: { id: string }) => rule.id);
  assert.equal(new Set(rules).size, rules.length);
  assert.equal(results.length, 1);
  for (const result of results) {
    assert.ok(rules.includes(result.ruleId));
    assert.ok(['none', 'note', 'warning', 'error'].includes(result.level));
    assert.equal(typeof result.message.text, 'string');
    const { artifactLocation, region } = result.locations[0].physicalLocation;
    assert.equal(artifactLocation.uri, 'dir%20%231/n%C3%A9%20w%3F.txt');
    assert.equal(new URL(artifactLocation.uri, 'file:///root/').pathname, `/root/${artifactLocation.uri}`);
    assert.deepEqual(region, { startLine: 2, endLine: 3 });
  }
  const honest = JSON.parse((await run(['--pr', 'main..work', '--format', 'sarif'])).out);
  assert.deepEqual(honest.runs[0].results, []);
});

test('a finding about the log has a logical place, and names its entry', async () => {
  await Forge.rewrite(world.repository, {
    consistent: 'bytes',
    change: (draft) => (draft.index === 2 ? void replaceIn(draft, 'operator.json', 'worktree', 'w0rktree') : undefined),
  });
  const { code, out } = await run(['--format', 'sarif']);
  assert.equal(code, 3);
  const [result] = JSON.parse(out).runs[0].results;
  assert.equal(result.ruleId, 'world/chain');
  assert.match(result.locations[0].logicalLocations[0].fullyQualifiedName, /^entry 2 operator\.json$/);
  assert.match(
    (await run([])).out,
    /✗ chain +FAILS \(\d+\).*\n +entry 2 operator\.json: its SHA-256 is not the one named as/,
  );
});
