import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { decodeRequest, encodeRequest } from '../../../src/log/request-framing.js';
import type { EpisodeId } from '../../../src/log/types.js';
import { temporaryDirectory } from '../../cleanup.js';
import { changeAct, type Draft, Forge, type Forgery, replaceIn } from './forge.js';
import { gitIn, levelOf, makeWorld, verifyIn } from './world.js';

/** Two episodes, runs with more than IO and FS, a revoked session: each test forges a copy, every hash made to agree. */
let honest: string;
const at: Record<string, number> = {};
const hooks: (() => unknown)[] = [];

const ENV = `module env

import std/env (getEnvOr)
import std/io (println)

export func main() -> () ! {Env, IO} = println(getEnvOr("NOWHERE", "unset"))
`;
const HELLO = 'module hello\n\nimport std/io (println)\n\nexport func main() -> () ! {IO} = println("hello")\n';

before(async () => {
  const world = await makeWorld({ after: (hook: () => unknown) => void hooks.push(hook) } as never, {
    files: { 'a.txt': 'one\n', 'env.ail': ENV, 'hello.ail': HELLO },
    allowance: { caps: ['Env', 'Net'], net: ['127.0.0.1:9'], netHttp: true },
  });
  const mark = (name: string): void => {
    at[name] = world.world.log.head.index;
  };
  mark('genesis');
  await world.open('ep1');
  mark('mint');
  const session = await world.mint('ep1', [
    { effect: 'Ailang.Run', scope: 'worktree', budget: 5 },
    { effect: 'Ailang.RunEnv', scope: 'worktree', budget: 5 },
    { effect: 'Ailang.RunNet', scope: 'worktree', budget: 5 },
  ]);
  await world.call('ailang-run', { path: 'hello.ail' }, session);
  mark('run');
  await world.call('ailang-run', { path: 'env.ail', caps: ['Env', 'IO'] }, session);
  mark('env');
  await world.call('ailang-run', { path: 'hello.ail', caps: ['IO', 'Net'] }, session);
  mark('net');
  // Not enabled by the operator: granted, decided, and failed in the handler.
  await world.call('ailang-run', { path: 'hello.ail', caps: ['Declassify', 'IO'] }, session);
  mark('refused');
  await world.call('ailang-write', { path: 'a.txt', content: 'two\n' });
  mark('write');
  await world.call('ailang-read', { path: 'a.txt' });
  mark('read');
  await world.open('ep2');
  await world.call('ailang-read', { path: 'a.txt' });
  mark('other');
  await world.world.desk.revoke({ episode: 'ep1' as EpisodeId });
  mark('revoked');
  await world.close();
  honest = join(world.repository, '..', 'bare.git');
  world.git('clone', '-q', '--bare', '.', honest);
  gitIn(honest, honest)('fetch', '-q', world.repository, 'refs/world/log:refs/world/log');
});
after(async () => {
  for (const hook of hooks.reverse()) await hook();
});

test('runs with the operator’s allowance hold on every level', async () => {
  const verdict = await verifyIn(honest);
  assert.deepEqual(
    verdict.logs.flatMap((log) => log.levels.flatMap((level) => level.findings)),
    [],
  );
  const git = gitIn(honest, honest);
  const effects = ['run', 'env', 'net', 'refused'].map((name) => {
    const commit = git('rev-list', '--reverse', 'refs/world/log').split('\n')[at[name] ?? 0];
    const record = execFileSync('git', ['cat-file', 'blob', `${commit}:effects/e1/record.json`], { cwd: honest });
    const { effect, failed } = JSON.parse(record.toString()) as { effect: string; failed: boolean };
    return `${effect}${failed ? ' failed' : ''}`;
  });
  assert.deepEqual(effects, ['Ailang.Run', 'Ailang.RunEnv', 'Ailang.RunNet', 'Ailang.Run failed']);
  assert.equal(levelOf(verdict, 'replay').counts['not replayable here'], undefined);
});

const only =
  (name: string, change: (draft: Draft) => void) =>
  (draft: Draft): undefined => {
    if (draft.index === at[name]) change(draft);
  };

const retime = (draft: Draft, now: number): void => {
  const request = decodeRequest(draft.files.get('effects/e1/request') ?? Buffer.alloc(0));
  draft.files.set('effects/e1/request', encodeRequest({ ...request, now }));
};

/** Name, forgery, the entry that must be named, and what is said of it. */
const FORGERIES: readonly (readonly [string, Forgery['change'], string, RegExp])[] = [
  [
    'a run under more capabilities than the operator allowed',
    only('genesis', (draft) =>
      changeAct(draft, (act) => {
        act.allowance = { caps: ['Net'], netAllow: ['127.0.0.1:9'], netAllowHttp: true };
      }),
    ),
    'env',
    /a program had more than the operator allowed \(at most FS, IO, Net \/ a run with Env\)/,
  ],
  [
    'a run that reaches a pair the operator did not name',
    only('genesis', (draft) =>
      changeAct(draft, (act) => {
        act.allowance = { caps: ['Env', 'Net'], netAllow: ['127.0.0.1:10'], netAllowHttp: true };
      }),
    ),
    'net',
    /more than the operator allowed \(at most 127\.0\.0\.1:10 \/ 127\.0\.0\.1:9\)/,
  ],
  [
    'no allowance at all',
    only('genesis', (draft) => changeAct(draft, (act) => delete act.allowance)),
    'env',
    /a run with Env/,
  ],
  [
    'a result that says the run had more than it asked for',
    only('run', (draft) =>
      replaceIn(draft, 'effects/e1/result.json', '"caps":["FS","IO"]', '"caps":["Env","FS","IO"]'),
    ),
    'run',
    /more than the operator allowed \(at most FS, IO \/ a run with Env\)/,
  ],
  [
    'an Env run paid with a plain run',
    only('env', (draft) => {
      for (const path of ['plan.json', 'effects/e1/record.json']) replaceIn(draft, path, 'Ailang.RunEnv', 'Ailang.Run');
      const request = decodeRequest(draft.files.get('effects/e1/request') ?? Buffer.alloc(0));
      draft.files.set('effects/e1/request', encodeRequest({ ...request, effect: 'Ailang.Run' }));
    }),
    'env',
    /more than the operator allowed \(Ailang\.RunEnv for Env, IO \/ Ailang\.Run\)/,
  ],
  [
    'an effect that costs nothing, everywhere the same',
    only('write', (draft) => {
      replaceIn(draft, 'plan.json', '"cost":1', '"cost":0');
      replaceIn(draft, 'effects/e1/record.json', '"cost":1', '"cost":0');
      replaceIn(draft, 'effects/e1/record.json', /"budgetAfter":\d+/, '"budgetAfter":50');
      const request = decodeRequest(draft.files.get('effects/e1/request') ?? Buffer.alloc(0));
      draft.files.set('effects/e1/request', encodeRequest({ ...request, cost: 0 }));
    }),
    'write',
    /does not declare the effect/,
  ],
  [
    'a call moved to another episode',
    only('other', (draft) => replaceIn(draft, 'record.json', '"episodeId":"ep2"', '"episodeId":"ep1"')),
    'other',
    /invocation id is of another episode/,
  ],
  [
    'a call of an episode that was never opened',
    only('other', (draft) => {
      replaceIn(draft, 'record.json', '"episodeId":"ep2"', '"episodeId":"ep9"');
      replaceIn(draft, 'record.json', 'mcp:ep2:', 'mcp:ep9:');
    }),
    'other',
    /episode ep9 was never opened/,
  ],
  [
    'a call after its grant had expired',
    only('read', (draft) => retime(draft, 9_000_000_000)),
    'read',
    /does not follow from grants and spending \(denied:expired/,
  ],
  [
    'a call that claims to be older than the one before, to outlive its grant',
    (draft) => {
      if (draft.index === at.mint)
        changeAct(draft, (act) => {
          act.expiresAt = 8_000_000_000;
          for (const grant of act.grants as { expiresAt: number }[]) grant.expiresAt = 8_000_000_000;
        });
      if (draft.index === at.write) retime(draft, 8_500_000_000);
      return undefined;
    },
    'read',
    /does not follow from grants and spending \(denied:expired/,
  ],
  [
    'a call before its session was made',
    (draft) => (draft.index === at.mint ? false : undefined),
    'write',
    /no session of its episode could see the tool/,
  ],
  [
    'calls after a revocation',
    only('refused', (draft) => {
      draft.files.clear();
      for (const [path, bytes] of revocation) draft.files.set(path, bytes);
      draft.worktree = null;
    }),
    'read',
    /does not follow from grants and spending/,
  ],
];
const revocation = new Map<string, Buffer>();

for (const [name, change, entry, said] of FORGERIES)
  test(`authority: ${name} is found although every hash agrees`, async (t) => {
    const copy = join(temporaryDirectory(t), 'copy');
    cpSync(honest, copy, { recursive: true });
    const commits = gitIn(copy, copy)('rev-list', '--reverse', 'refs/world/log').split('\n');
    for (const path of ['entry.json', 'world.json', 'operator.json'])
      revocation.set(
        path,
        execFileSync('git', ['cat-file', 'blob', `${commits[at.revoked ?? 0]}:${path}`], { cwd: copy }),
      );
    await Forge.rewrite(copy, { change, consistent: 'hashes' });
    const verdict = await verifyIn(copy);
    const entries = verdict.logs[0]?.entries ?? 0;
    const report = levelOf(verdict, 'authority');
    const lines = report.findings.map(
      ({ entry, what, expected, found }) => `${entry}: ${what} (${expected} / ${found})`,
    );
    // Entries behind one that was left out move up.
    const place = `${(at[entry] ?? 0) - (commits.filter(Boolean).length - entries)}: `;
    assert.ok(
      lines.some((line) => line.startsWith(place) && said.test(line)),
      `${place} ${said}\n${lines.join('\n')}`,
    );
  });
