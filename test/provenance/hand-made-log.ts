import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { GitOid } from '../../src/git/types.js';
import type {
  CommittedEntry,
  EntryHeader,
  EntryIndex,
  LogEntry,
  LogReader,
  ObjectLocation,
  Sha256Ref,
} from '../../src/log/types.js';

/** Written by hand from world-formats 9, so that the walk is not tested against the code that writes logs. */
export function ref(bytes: Buffer | string): Sha256Ref {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}` as Sha256Ref;
}

const text = (value: string): Buffer => Buffer.from(value, 'utf8');
const INTERPRETER = ref('interp');
const TREE = 'a'.repeat(40) as GitOid;

/** An entry around `files`; `transition` is the file its transitionRef names, `state` the one the world names. */
export function makeEntry(
  previous: LogEntry | null,
  writtenBy: string,
  files: ReadonlyMap<string, Buffer>,
  transition: string,
  state: string,
  headerIndex?: number,
): LogEntry {
  const index = (previous === null ? 0 : previous.index + 1) as EntryIndex;
  const transitionRef = ref(files.get(transition) ?? '');
  const prev = previous?.entryHash ?? '';
  const header: EntryHeader = {
    entryIndex: (headerIndex ?? index) as EntryIndex,
    semanticsEpoch: 1,
    transitionFn: ref('fn'),
    interpreter: INTERPRETER,
    prevEntryHash: prev,
    writtenBy,
  };
  const entryHash = ref(
    `{"entryIndex":${header.entryIndex},"semanticsEpoch":1,"transitionFn":"${header.transitionFn}","interpreter":"${INTERPRETER}","prevEntryHash":"${prev}","writtenBy":"${writtenBy}","transitionRef":"${transitionRef}"}`,
  );
  const world = { revision: index, stateRoot: ref(files.get(state) ?? ''), logHead: entryHash };
  const worldBytes = text(`{"revision":${index},"stateRoot":"${world.stateRoot}","logHead":"${entryHash}"}`);
  return {
    index,
    entryHash,
    worldRef: ref(worldBytes),
    commit: index.toString(16).padStart(40, '0') as GitOid,
    wire: { header, entryHash, transitionRef },
    world,
    files: new Map([...files, ['world.json', worldBytes]]),
    worktree: TREE,
  };
}

export function makeGenesis(): LogEntry {
  const files = new Map([['operator.json', text('{"act":"genesis","record":"world/operator-record/v1"}')]]);
  return makeEntry(null, 'operator:genesis', files, 'operator.json', 'operator.json');
}

/** Changes one text before anything is hashed over it: a log that is consistent and still not true. */
export interface Forgery {
  readonly record?: (text: string) => string;
  readonly request?: (text: string) => string;
  readonly output?: (text: string) => string;
  readonly headerIndex?: number;
}

/** A read of data.txt, granted (budget 20 to 19) or denied. */
export function makeRead(
  previous: LogEntry,
  options: {
    denied?: boolean;
    episode?: string;
    tamper?: (files: Map<string, Buffer>) => void;
    forge?: Forgery;
  } = {},
): LogEntry {
  const { forge = {} } = options;
  const same = (value: string): string => value;
  const episode = options.episode ?? 'ep1';
  const input = text('{"path":"data.txt"}');
  const payload = '{"op":"read","path":"data.txt"}';
  const plan = text(
    `{"effects":[{"cost":1,"effect":"Workspace.Read","id":"e1","payload":${payload},"scope":"worktree"}],"finish":false,"plan":"world/effect-plan/v1","result":null}`,
  );
  const request = text((forge.request ?? same)(`14:Workspace.Read8:worktree1:1791024750:${payload}`));
  const result = text('{"content":"hello","ok":true}');
  const granted = options.denied
    ? `{"effect":"Workspace.Read","scope":"worktree","cost":1,"budgetBefore":0,"budgetAfter":0,"allowed":false,"failed":false,"denial":"denied:budget","requestRef":"${ref(request)}","resultRef":""}`
    : `{"effect":"Workspace.Read","scope":"worktree","cost":1,"budgetBefore":20,"budgetAfter":19,"allowed":true,"failed":false,"denial":"","requestRef":"${ref(request)}","resultRef":"${ref(result)}"}`;
  const record = text((forge.record ?? same)(granted));
  const world = `"world":{"effects":[{"id":"e1","record":"${ref(record)}","status":"ok"}],"plan":"${ref(plan)}"}`;
  const output = text((forge.output ?? same)(`{"content":"hello","ok":true,${world}}`));
  const id = `mcp:${episode}:${previous.index + 1}`;
  const invocation = text(
    `{"invocationId":"${id}","episodeId":"${episode}","skillId":"ailang-read","transitionFn":"${ref('fn')}","interpreter":"${INTERPRETER}","semanticsEpoch":1,"input":"${ref(input)}","output":"${ref(output)}","plan":"${ref(plan)}","effects":["${ref(record)}"]}`,
  );
  const files = new Map([
    ['record.json', invocation],
    ['input.json', input],
    ['plan.json', plan],
    ['output.json', output],
    ['effects/e1/record.json', record],
    ['effects/e1/request', request],
    ...(options.denied ? [] : ([['effects/e1/result.json', result]] as const)),
  ]);
  const entry = makeEntry(previous, 'coordinator:a2a', files, 'record.json', 'output.json', forge.headerIndex);
  const changed = new Map(entry.files);
  options.tamper?.(changed);
  return { ...entry, files: changed };
}

/** A reader over entries in memory. */
export function readerOver(entries: readonly LogEntry[]): LogReader {
  const head = entries.at(-1);
  if (head === undefined) throw new Error('a log has at least one entry');
  const locate = (wanted: Sha256Ref): ObjectLocation[] =>
    entries.flatMap((entry) =>
      [...entry.files].filter(([, bytes]) => ref(bytes) === wanted).map(([path]) => ({ index: entry.index, path })),
    );
  return {
    worldId: entries[0]?.entryHash.slice('sha256:'.length, 'sha256:'.length + 16) ?? '',
    head: head satisfies CommittedEntry,
    // The walk needs no more of the derived state than what was redacted.
    state: { redactions: () => [] } as unknown as LogReader['state'],
    entry: async (index) => entries[index] ?? null,
    entries: async (from, limit) => entries.slice(from, from + limit).map((entry) => entry.wire),
    find: (wanted) => {
      const found = locate(wanted);
      return {
        entries: new Set(found.map(({ index }) => index)).size,
        locations: Readable.from(found.toReversed()),
      };
    },
    invocation: async (id) =>
      entries.find((entry) => entry.files.get('record.json')?.includes(`"invocationId":"${id}"`))?.index ?? null,
    redactions: async () => [],
    close: async () => undefined,
  };
}
