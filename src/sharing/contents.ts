import { git } from '../git/child.js';
import { openObjectReader } from '../git/reader.js';
import type { GitOid, Repository } from '../git/types.js';

/** Objects of one kind: how many and how large, unpacked. */
export interface Amount {
  readonly objects: number;
  readonly bytes: number;
}

/** What someone who gets these entries can read. */
export interface Contents {
  readonly entries: number;
  /** What callers sent: inputs, plans, requests. */
  readonly arguments: Amount;
  /** What callers received: outputs and results. */
  readonly outputs: Amount;
  /** Versions of the files in the episodes' worktrees. */
  readonly files: Amount;
  /** Entries, worlds, records, operator acts, tool sources. */
  readonly records: Amount;
  /** Calls by tool, most first. */
  readonly calls: readonly (readonly [tool: string, calls: number])[];
  readonly episodes: readonly string[];
  /** Bytes as packed here; what the other side has already is not sent. */
  readonly packed: number;
}

type Kind = 'arguments' | 'outputs' | 'files' | 'records';

const env = { GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' };
const timeoutMs = 600_000;
const maxOutputBytes = 2 ** 30;

/** Looks into the entries after `after` (null: all of them) up to `tip`. */
export async function contentsOf(repository: Repository, after: GitOid | null, tip: GitOid): Promise<Contents> {
  const cwd = repository.commonDir;
  const range = after === null ? [tip] : [tip, `^${after}`];
  const options = { cwd, env, timeoutMs, maxOutputBytes };
  const listed = await git(['rev-list', '--objects', ...range], options);
  const usage = await git(['rev-list', '--objects', '--disk-usage', ...range], options);
  const sized = await git(['cat-file', '--batch-check=%(objecttype) %(objectsize) %(objectname) %(rest)'], {
    ...options,
    input: listed.stdout,
  });
  const amounts: Record<Kind, { objects: number; bytes: number }> = {
    arguments: { objects: 0, bytes: 0 },
    outputs: { objects: 0, bytes: 0 },
    files: { objects: 0, bytes: 0 },
    records: { objects: 0, bytes: 0 },
  };
  const records: string[] = [];
  let entries = 0;
  for (const line of sized.stdout.toString().split('\n')) {
    const [type, size, oid = '', ...rest] = line.split(' ');
    if (type === 'commit') entries += 1;
    if (type !== 'blob') continue;
    const path = rest.join(' ');
    const amount = amounts[kindOf(path)];
    amount.objects += 1;
    amount.bytes += Number(size);
    if (path === 'record.json') records.push(oid);
  }
  return { entries, ...amounts, ...(await callsIn(repository, records)), packed: Number(usage.stdout.toString()) };
}

function kindOf(path: string): Kind {
  if (path.startsWith('worktree/')) return 'files';
  if (/^(?:input\.json|plan\.json|effects\/[^/]+\/request)$/.test(path)) return 'arguments';
  if (/^(?:output\.json|effects\/[^/]+\/result\.json)$/.test(path)) return 'outputs';
  return 'records';
}

async function callsIn(
  repository: Repository,
  records: readonly string[],
): Promise<Pick<Contents, 'calls' | 'episodes'>> {
  const calls = new Map<string, number>();
  const episodes = new Set<string>();
  const reader = openObjectReader(repository);
  try {
    for (let at = 0; at < records.length; at += 64) {
      for (const found of await Promise.all(records.slice(at, at + 64).map((oid) => reader.read(oid)))) {
        const record = JSON.parse(found?.body.toString() ?? '{}') as { skillId?: string; episodeId?: string };
        const tool = record.skillId ?? 'unknown';
        calls.set(tool, (calls.get(tool) ?? 0) + 1);
        if (record.episodeId !== undefined) episodes.add(record.episodeId);
      }
    }
  } finally {
    await reader.close();
  }
  return { calls: [...calls].sort((a, b) => b[1] - a[1]), episodes: [...episodes].sort() };
}
