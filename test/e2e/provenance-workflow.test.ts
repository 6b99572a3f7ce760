import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { gitIn, makeWorld, put, scratch } from '../provenance/verify/world.js';

const templates = join(packageRoot(), 'templates');
const action = readFileSync(join(templates, 'github/verify-provenance/action.yml'), 'utf8');

/** An agent's work in a branch of a bare remote, its log pushed beside it, and nothing left running. */
async function published(t: TestContext, where: { readonly log: 'origin' | 'fork'; readonly smuggle: boolean }) {
  const world = await makeWorld(t, { files: { 'a.txt': 'one\ntwo\nthree\n' } });
  await world.open('ep1');
  await world.call('ailang-edit', { path: 'a.txt', old_text: 'two', new_text: 'zwei' });
  await world.call('ailang-write', { path: 'new.txt', content: 'new one\nnew two\n' });
  const trailer = await world.trailer();
  const id = /world=(\w+)/.exec(trailer)?.[1] ?? '';
  const base = scratch(t);
  const [origin, fork] = [join(base, 'origin.git'), join(base, 'fork.git')];
  for (const remote of [origin, fork]) world.git('init', '-q', '--bare', '-b', 'main', remote);
  world.git('checkout', '-q', '-b', 'work');
  world.git('checkout', /tree=(\w+)/.exec(trailer)?.[1] ?? '', '--', '.');
  if (where.smuggle) put(world.repository, { 'new.txt': 'new one\nsmuggled\nnew two\n' });
  world.git('add', '-A');
  world.git('commit', '-q', '-m', 'Work');
  world.git('push', '-q', origin, 'main', 'work');
  world.git('push', '-q', where.log === 'fork' ? fork : origin, `refs/world/log:refs/world/logs/${id}`);
  await world.close();
  const clone = join(base, 'clone');
  world.git('clone', '-q', '--branch', 'work', origin, clone);
  return { clone, fork, id, body: `Two files.\n\n${trailer}\n`, git: gitIn(clone, base) };
}

/** The last step of the composite action, with the environment it would have. */
function verifyStep({ clone, body }: { clone: string; body: string }, more: Record<string, string> = {}) {
  const command = [...action.matchAll(/^\s+run: (.*)$/gm)].at(-1)?.[1] ?? '';
  return spawnSync('bash', ['-e', '-c', command], {
    cwd: clone,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: clone,
      GITHUB_ACTION_PATH: join(templates, 'github/verify-provenance'),
      BASE: 'origin/main',
      HEAD: 'origin/work',
      BODY: body,
      AILANG_WORLDD: `${process.execPath} ${join(packageRoot(), 'dist/ailang-worldd.js')}`,
      ...more,
    },
  });
}

test('the workflow is green for an honest pull request', async (t) => {
  const pr = await published(t, { log: 'origin', smuggle: false });
  const step = verifyStep(pr, { WORLDS: pr.id });
  assert.equal(step.status, 0, step.stdout + step.stderr);
  assert.match(step.stdout, /4 of 4 changed lines made through World \(100 %\)/);
  assert.doesNotMatch(step.stdout, /::error/);
});

test('the workflow is red for one with a smuggled line, and annotates that line', async (t) => {
  const pr = await published(t, { log: 'origin', smuggle: true });
  const step = verifyStep(pr);
  assert.equal(step.status, 3, step.stderr);
  const annotations = step.stdout.split('\n').filter((line) => line.startsWith('::'));
  assert.equal(annotations.length, 1, step.stdout);
  assert.match(
    annotations[0] ?? '',
    /^::error file=new\.txt,line=2,endLine=2,title=Not made through World::new\.txt: line 2/,
  );
});

test('a fork’s pull request is verified with the log in the fork, and red without it', async (t) => {
  const pr = await published(t, { log: 'fork', smuggle: false });
  const without = verifyStep(pr);
  assert.equal(without.status, 3, without.stderr);
  assert.match(without.stdout, /::error .*the log of world \w+ is not here/);
  const step = verifyStep(pr, { LOG_REMOTES: `origin ${pr.fork}` });
  assert.equal(step.status, 0, step.stdout + step.stderr);
});

test('a log of another world than the trusted ones makes the workflow red', async (t) => {
  const pr = await published(t, { log: 'origin', smuggle: false });
  const step = verifyStep(pr, { WORLDS: '0123456789abcdef' });
  assert.equal(step.status, 3, step.stderr);
  assert.match(step.stdout, /its log is not a trusted one/);
});

test('a log that was rewritten is not taken for the one at hand', async (t) => {
  const pr = await published(t, { log: 'origin', smuggle: false });
  const ref = `refs/world/logs/${pr.id}`;
  assert.equal(verifyStep(pr).status, 0);
  const url = pr.git('remote', 'get-url', 'origin').trim();
  gitIn(url, pr.clone)('update-ref', ref, `${pr.git('rev-parse', `${ref}~1`).trim()}`);
  pr.git('update-ref', ref, pr.git('commit-tree', `${ref}^{tree}`, '-p', `${ref}~1`, '-m', 'other').trim());
  const step = verifyStep(pr);
  assert.match(step.stderr, /does not continue the one at hand/);
});

test('the templates ask for nothing but reading, and put no text of a pull request into a command', () => {
  const workflow = readFileSync(join(templates, 'github/world-provenance.yml'), 'utf8');
  assert.match(workflow, /^permissions:\n {2}contents: read\njobs:/m);
  assert.match(workflow, /^ {2}pull_request:$/m);
  for (const text of [workflow, action]) assert.doesNotMatch(text, /pull_request_target|secrets\./);
  for (const [, command = ''] of action.matchAll(/^\s+run: (.*)$/gm)) assert.doesNotMatch(command, /\$\{\{/);
});
