import type { LogEntry } from '../log/types.js';
import type { Link } from './chain.js';
import { entryHashOf, refOf, worldRefOf } from './digest.js';
import { elided, Findings } from './findings.js';
import { parseJson } from './parse-json.js';
import { operatorRecordSchema, outputWorldSchema, planSchema, type ReadInvocationRecord } from './record-schemas.js';

export function worldLink(entry: LogEntry): Link {
  const findings = new Findings();
  const { world, wire, index } = entry;
  const ref = worldRefOf(world);
  const bytes = entry.files.get('world.json');
  findings.require(bytes !== undefined && refOf(bytes) === ref, 'world.json is not the canonical form of this world');
  findings.require(ref === entry.worldRef, 'the world ref differs from the one recomputed');
  findings.require(world.revision === index, `revision ${world.revision} is not the entry's index`);
  findings.require(world.logHead === entryHashOf(wire.header, wire.transitionRef), 'logHead is not this entry');
  const detail = `revision ${world.revision} stateRoot ${world.stateRoot} logHead ${world.logHead}`;
  return { name: 'world', ok: findings.ok, ref, detail: findings.describe(detail) };
}

export function entryLink(entry: LogEntry, previous: LogEntry | null): Link {
  const findings = new Findings();
  const { header, transitionRef, entryHash } = entry.wire;
  const ref = entryHashOf(header, transitionRef);
  findings.require(ref === entryHash, 'entryHash differs from the one recomputed');
  findings.require(header.entryIndex === entry.index, `the header says index ${header.entryIndex}`);
  const expected = previous === null ? '' : entryHashOf(previous.wire.header, previous.wire.transitionRef);
  findings.require(previous !== null || entry.index === 0, 'the entry before it cannot be read');
  findings.require(header.prevEntryHash === expected, 'prevEntryHash is not the hash of the entry before it');
  const detail = `#${header.entryIndex} ${header.writtenBy} prev ${header.prevEntryHash || '(none)'} transitionFn ${header.transitionFn} interpreter ${header.interpreter}`;
  return { name: 'entry', ok: findings.ok, ref, detail: findings.describe(detail) };
}

export function recordLink(entry: LogEntry, record: ReadInvocationRecord): Link {
  const findings = new Findings();
  const ref = fileRef(entry, 'record.json');
  const { header, transitionRef } = entry.wire;
  findings.require(ref === transitionRef, 'its hash is not the transitionRef of the entry');
  findings.require(record.transitionFn === header.transitionFn, 'transitionFn differs from the header');
  findings.require(record.interpreter === header.interpreter, 'interpreter differs from the header');
  findings.require(record.semanticsEpoch === header.semanticsEpoch, 'semanticsEpoch differs from the header');
  const detail = `world/invocation-record/v2 invocation ${record.invocationId} episode ${record.episodeId} skill ${record.skillId}`;
  return { name: 'record', ok: findings.ok, ref: transitionRef, detail: findings.describe(detail) };
}

export function inputLink(entry: LogEntry, record: ReadInvocationRecord): Link {
  const findings = new Findings();
  findings.require(fileRef(entry, 'input.json') === record.input, 'its hash is not the input the record names');
  const text = entry.files.get('input.json')?.toString('utf8') ?? '(absent)';
  return { name: 'input', ok: findings.ok, ref: record.input, detail: findings.describe(elided(text)) };
}

export function planLink(entry: LogEntry, record: ReadInvocationRecord): Link {
  const findings = new Findings();
  findings.require(fileRef(entry, 'plan.json') === record.plan, 'its hash is not the plan the record names');
  const plan = planSchema.safeParse(parseJson(entry.files.get('plan.json')));
  findings.require(plan.success, 'plan.json is not an effect plan');
  const effects = plan.data?.effects ?? [];
  findings.require(
    effects.length === record.effects.length,
    `${effects.length} effect(s) planned, ${record.effects.length} recorded`,
  );
  const planned = effects.map((effect) => `${effect.id} ${effect.effect}@${effect.scope} cost ${effect.cost}`);
  const detail =
    effects.length > 0
      ? `${effects.length} effect(s): ${planned.join(', ')}`
      : `no effects, refused: ${elided(plan.data?.result?.refused ?? '(no reason)')}`;
  return { name: 'plan', ok: findings.ok, ref: record.plan, detail: findings.describe(detail) };
}

export function outputLink(entry: LogEntry, record: ReadInvocationRecord, result: Buffer | undefined): Link {
  const findings = new Findings();
  const bytes = entry.files.get('output.json');
  findings.require(fileRef(entry, 'output.json') === record.output, 'its hash is not the output the record names');
  findings.require(record.output === entry.world.stateRoot, 'it is not the stateRoot of the world');
  const named = outputWorldSchema.safeParse(parseJson(bytes)).data?.world;
  const effects = named?.effects.map((effect) => effect.record) ?? [];
  findings.require(named?.plan === record.plan, 'its world block names another plan');
  findings.require(effects.join() === record.effects.join(), 'its world block names other effect records');
  if (result !== undefined && bytes !== undefined)
    findings.require(result.equals(bytes), 'the result given is not the committed output');
  const detail = `${bytes?.length ?? 0} B = world.stateRoot`;
  return { name: 'output', ok: findings.ok, ref: record.output, detail: findings.describe(detail) };
}

/** An operator's act in place of a call: its record is what the entry names. */
export function operatorLink(entry: LogEntry): Link {
  const findings = new Findings();
  const bytes = entry.files.get('operator.json');
  findings.require(fileRef(entry, 'operator.json') === entry.wire.transitionRef, 'its hash is not the transitionRef');
  const record = operatorRecordSchema.safeParse(parseJson(bytes));
  findings.require(record.success, 'operator.json is missing or names no act');
  const verb = entry.wire.header.writtenBy.replace(/^operator:/, '');
  findings.require(record.data?.act === verb, 'the act is not the one the header names');
  const detail = `${record.data?.act ?? '?'} ${elided(bytes?.toString('utf8') ?? '', 400)}`;
  return { name: 'operator', ok: findings.ok, ref: entry.wire.transitionRef, detail: findings.describe(detail) };
}

export function fileRef(entry: LogEntry, path: string): string | undefined {
  const bytes = entry.files.get(path);
  return bytes === undefined ? undefined : refOf(bytes);
}
