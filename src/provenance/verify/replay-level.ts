import { WorldError } from '../../errors.js';
import { encodeCanonical, parseCanonicalSource } from '../../log/canonical-json.js';
import type { JsonObject, JsonValue } from '../../log/types.js';
import { refOf } from '../digest.js';
import type { EntryFacts } from './entry-facts.js';
import { type LevelBook, shown } from './report.js';

/** A tool of this program, to be run again. Its source's ref says whether it is the one that was recorded. */
export interface ReplayTool {
  readonly transitionFn: string;
  readonly plan: (args: JsonObject) => unknown;
  readonly finish: ((args: JsonObject, results: readonly JsonObject[]) => unknown) | undefined;
}

type Plan = {
  readonly effects?: readonly JsonObject[];
  readonly finish?: boolean;
  readonly result?: JsonObject | null;
};

const DIVERGED = 'the recorded arguments do not lead to this: the record was changed, or did not come from this code';

/**
 * Runs plan and finish of each call again and compares bytes. Only this program's own code runs, and only when its
 * source is byte for byte the recorded one; nothing from the log is ever executed.
 */
export class ReplayLevel {
  readonly #unknown = new Map<string, number>();

  constructor(
    private readonly tools: ReadonlyMap<string, ReplayTool>,
    private readonly book: LevelBook,
  ) {}

  take(facts: EntryFacts): void {
    const { body, raw } = facts;
    if (body?.kind !== 'call') return;
    this.book.count('calls');
    if (facts.redacted.size > 0) {
      this.book.count('not replayable: redacted');
      return;
    }
    const { skillId, transitionFn } = body.record;
    const tool = this.tools.get(skillId);
    if (tool === undefined || tool.transitionFn !== transitionFn) {
      this.book.count('not replayable here');
      const key = `${skillId} ${transitionFn}`;
      this.#unknown.set(key, (this.#unknown.get(key) ?? 0) + 1);
      return;
    }
    try {
      this.#replay(facts, tool);
    } catch (error) {
      // A recorded input that does not even parse is what the tool must not choke on.
      const why = error instanceof Error ? error.message : String(error);
      this.#fail(raw.position, 'it cannot be run again', 'a call of this tool', why);
    }
  }

  finish(): void {
    for (const [key, calls] of this.#unknown)
      this.book.note(`not replayable here: ${calls} call(s) of ${key}: this program has another source of it`);
  }

  #replay(facts: EntryFacts, tool: ReplayTool): void {
    const { raw } = facts;
    const file = (path: string): Buffer => raw.files.get(path) ?? Buffer.alloc(0);
    const args = parseCanonicalSource(file('input.json')) as JsonObject;
    const recorded = file('plan.json');
    const plan = planned(tool, args, recorded);
    if (!plan.bytes.equals(recorded)) {
      this.#fail(raw.position, 'plan gives another plan', shown(plan.bytes.toString()), shown(recorded.toString()));
      return;
    }
    this.book.count('plans replayed');
    const output = parseCanonicalSource(file('output.json')) as JsonObject;
    const expected = this.#output(facts, tool, args, plan.plan, output);
    if (expected.equals(file('output.json'))) this.book.count('outputs replayed');
    else
      this.#fail(
        raw.position,
        'finish gives another output',
        shown(expected.toString()),
        shown(file('output.json').toString()),
      );
  }

  /** The output as the recorded effect makes it. */
  #output(facts: EntryFacts, tool: ReplayTool, args: JsonObject, plan: Plan, recorded: JsonObject): Buffer {
    const { raw, body } = facts;
    const planRef = refOf(raw.files.get('plan.json') ?? '');
    const [effect] = body?.kind === 'call' ? body.effects : [];
    if (effect === undefined) {
      return encodeCanonical({ ...(plan.result ?? {}), world: { effects: [], plan: planRef } });
    }
    const { id, record } = effect;
    const status = record.allowed ? (record.failed ? 'failed' : 'ok') : 'denied';
    const ref = refOf(raw.files.get(`effects/${id}/record.json`) ?? '');
    const bytes = raw.files.get(`effects/${id}/result.json`);
    const handled = bytes === undefined ? null : (JSON.parse(bytes.toString()) as JsonObject);
    const world = { effects: [{ id, status, record: ref }], plan: planRef };
    if (plan.finish === true) {
      const finished = tool.finish?.(args, [{ id, effect: record.effect, status, record: ref, output: handled }]);
      return encodeCanonical({ ...(finished as JsonObject), world });
    }
    if (handled !== null) return encodeCanonical({ ...handled, world });
    // Why the handler failed is said in its own words, which nothing else records; a denial begins with its label.
    const { refused } = recorded;
    const begins = record.allowed ? 'failed: ' : `${record.denial}: `;
    this.book.count('reasons taken as recorded');
    return encodeCanonical({
      ok: false,
      refused: typeof refused === 'string' && refused.startsWith(begins) ? refused : begins,
      world,
    });
  }

  #fail(entry: number, what: string, expected: string, found: string): void {
    this.book.fail({ entry, what, expected, found, meaning: DIVERGED });
  }
}

const MAX_ORDERS = 64;

/**
 * The plan for these arguments. Records hold them in sorted order, and a refusal names the first unknown one in the
 * caller's order, so each argument gets a try at being the first.
 */
function planned(
  tool: ReplayTool,
  args: JsonObject,
  recorded: Buffer,
): { readonly plan: Plan; readonly bytes: Buffer } {
  const attempt = (order: JsonObject) => {
    const plan = tool.plan(order);
    return { plan: plan as Plan, bytes: encodeCanonical(plan as JsonValue) };
  };
  const first = attempt(args);
  if (first.bytes.equals(recorded)) return first;
  for (const key of Object.keys(args).slice(0, MAX_ORDERS)) {
    const { [key]: value, ...rest } = args;
    if (value === undefined) throw new WorldError('replay', `the argument ${key} has no value`);
    const other = attempt({ [key]: value, ...rest });
    if (other.bytes.equals(recorded)) return other;
  }
  return first;
}
