import type { EntryIndex, EpisodeId, LogReader } from '../../log/types.js';
import { summarize } from '../../provenance/entry-summary.js';
import { parseJson } from '../../provenance/parse-json.js';

/** What an episode did, as far as a reader of a pull request wants to know. */
export interface Account {
  readonly calls: number;
  /** Calls by tool, in order of first use; `stopped` were refused, denied or failed. */
  readonly tools: ReadonlyMap<string, { readonly calls: number; readonly stopped: number }>;
  /** Units by effect: spent by the episode, and the most any of its sessions was granted. */
  readonly budgets: readonly { readonly effect: string; readonly spent: number; readonly granted: number }[];
  /** The newest check, run or test of each file. */
  readonly checks: readonly {
    readonly entry: number;
    readonly what: string;
    readonly file: string;
    readonly result: string;
  }[];
}

const checking = new Set(['ailang-check', 'ailang-run', 'ailang-cli']);

/** Reads the entries `first` to `last` of the episode. */
export async function accountOf(
  reader: LogReader,
  episode: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<Account> {
  const tools = new Map<string, { calls: number; stopped: number }>();
  const checks = new Map<string, Account['checks'][number]>();
  let calls = 0;
  for (let index = first; index <= last; index += 1) {
    const entry = await reader.entry(index as EntryIndex);
    const summary = entry === null ? null : summarize(entry);
    if (entry === null || summary === null || !summary.call || summary.episode !== episode) continue;
    calls += 1;
    const counts = tools.get(summary.what) ?? { calls: 0, stopped: 0 };
    counts.calls += 1;
    if (summary.status !== 'ok') counts.stopped += 1;
    tools.set(summary.what, counts);
    if (!checking.has(summary.what) || summary.status !== 'ok') continue;
    const input = parseJson(entry.files.get('input.json')) as { op?: string; path?: string } | undefined;
    const what = input?.op === undefined ? summary.what : `${summary.what} ${input.op}`;
    const result = resultOf(parseJson(entry.files.get('output.json')) as Output);
    if (input?.path === undefined || result === null) continue;
    checks.delete(`${what} ${input.path}`);
    checks.set(`${what} ${input.path}`, { entry: index, what, file: input.path, result });
  }
  return { calls, tools, budgets: budgetsOf(reader, episode as EpisodeId), checks: [...checks.values()] };
}

type Output = { readonly passed?: boolean; readonly error_count?: number; readonly exit_code?: number };

function resultOf({ passed, error_count: errors, exit_code: code }: Output): string | null {
  if (passed !== undefined) return passed ? 'passed' : `${errors} errors`;
  return code === undefined ? null : `exit ${code}`;
}

function budgetsOf(reader: LogReader, episode: EpisodeId): Account['budgets'] {
  const granted = new Map<string, { effect: string; scope: string; budget: number }>();
  for (const session of reader.state.sessions()) {
    if (session.episode !== episode) continue;
    for (const { effect, scope, budget } of session.grants) {
      const key = JSON.stringify([effect, scope]);
      granted.set(key, { effect, scope, budget: Math.max(budget, granted.get(key)?.budget ?? 0) });
    }
  }
  return [...granted.values()].map(({ effect, scope, budget }) => ({
    effect,
    spent: reader.state.spent(episode, effect, scope),
    granted: budget,
  }));
}
