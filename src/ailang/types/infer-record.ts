import type { ExprOf, Name } from '../syntax/ast.js';
import { nearest } from '../syntax/edit-distance.js';
import { synonymOf } from './foreign-names.js';
import { infer } from './infer-expr.js';
import type { Inference } from './inference.js';
import { printType } from './print.js';
import { instantiate, substitute } from './scheme.js';
import { errorType, flattenRecord, isNamed, listItem, type RecordType, resolve, type Type } from './type.js';
import { differs } from './unify.js';

export function inferRecord(c: Inference, expr: ExprOf<'record'>, expected: Type | null): Type {
  const hint = expected === null ? null : resolve(expected);
  const wanted = hint?.k === 'record' ? flattenRecord(hint) : null;
  const given = new Set(expr.fields.map(({ name }) => name.text));
  const fields = new Map<string, Type>();
  for (const { name, value } of expr.fields) {
    const known = wanted?.fields.get(name.text) ?? null;
    const type = infer(c, value, known);
    if (known !== null && differs(type, known)) {
      c.fit(type, known, value.start, `in the field \`${name.text}\``);
      fields.set(name.text, errorType);
      continue;
    }
    const missing = known === null && wanted?.rest === null ? nearest(name.text, wanted.fields.keys()) : null;
    if (missing !== null && !given.has(missing)) {
      c.reporter.error(
        'TC_REC_002',
        name.start,
        `the record has no field \`${name.text}\``,
        `Did you mean \`${missing}\`?`,
      );
      fields.set(missing, errorType);
      continue;
    }
    if (fields.has(name.text))
      c.reporter.error('TC_REC_004', name.start, `the field \`${name.text}\` is given twice`, 'Remove one of them.');
    fields.set(name.text, type);
  }
  return { k: 'record', fields, rest: null };
}

export function inferUpdate(c: Inference, expr: ExprOf<'update'>): Type {
  const base = infer(c, expr.base);
  const found = resolve(base);
  const record = found.k === 'record' ? found : wrappedRecord(c, found);
  if (record === null) {
    for (const field of expr.fields) infer(c, field.value);
    if (found === errorType) return errorType;
    c.reporter.error(
      'TC_REC_003',
      expr.base.start,
      `a record update needs a record, the type here is ${printType(base)}`,
      found.k === 'var'
        ? 'Give the value a record type: annotate the parameter, x: { field: int | r }.'
        : 'Only records can be updated: { record | field: value }.',
    );
    return errorType;
  }
  if (found.k === 'named') c.facts.wrappers.set(expr, found.constructor);
  const { fields } = flattenRecord(record);
  for (const { name, value } of expr.fields) {
    const type = fields.get(name.text);
    const given = infer(c, value, type ?? null);
    if (type === undefined) {
      const near = nearest(name.text, fields.keys());
      const hint =
        near === null
          ? `Its fields: ${[...fields.keys()].join(', ')}. An update cannot add a field.`
          : `Did you mean \`${near}\`?`;
      c.reporter.error('TC_REC_001', name.start, `the record has no field \`${name.text}\``, hint);
    } else c.fit(given, type, value.start, `in the field \`${name.text}\` of a record update`);
  }
  return base;
}

/** Field access, or a name of a module with an alias: `L.map`. `call` is set when the field is being called. */
export function inferField(c: Inference, expr: ExprOf<'field'>, call: ExprOf<'call'> | null = null): Type {
  const { base, name } = expr;
  if (base.k === 'name' && !c.locals.has(base.name)) {
    const module = c.scope.aliases.get(base.name);
    if (module !== undefined) return qualified(c, expr, call);
    if (reportConstructorPath(c, base, name)) return errorType;
  }
  const type = infer(c, base);
  const found = resolve(type);
  const record = found.k === 'record' ? found : wrappedRecord(c, found);
  if (record !== null) {
    if (found.k !== 'record') c.facts.unwrapped.add(expr);
    return fieldOf(c, expr, record, call);
  }
  if (found === errorType) return errorType;
  if (found.k === 'var' && found.rigid === null) {
    const field = c.fresh();
    const open: Type = { k: 'record', fields: new Map([[name.text, field]]), rest: c.fresh() };
    c.fit(type, open, name.start, `in the field access .${name.text}`);
    return field;
  }
  c.reporter.error(
    'TC_REC_001',
    name.start,
    `a value of type ${printType(type)} has no field \`${name.text}\``,
    noFieldHint(c, found, name.text, call),
  );
  return errorType;
}

/** `Color.Red`, where `Color` is a type and `Red` one of its constructors. */
function reportConstructorPath(c: Inference, base: ExprOf<'name'>, name: Name): boolean {
  const type = c.scope.value(base.name) === null ? c.scope.type(base.name) : null;
  if (type?.k !== 'constructor' || !type.constructor.variants.some((variant) => variant.name === name.text))
    return false;
  c.reporter.error('TC002', base.start, 'a constructor is named without its type', `Write ${name.text}.`);
  return true;
}

function qualified(c: Inference, expr: ExprOf<'field'>, call: ExprOf<'call'> | null): Type {
  const alias = expr.base.k === 'name' ? expr.base.name : '';
  const module = c.scope.aliases.get(alias);
  const entry = module?.values.get(expr.name.text);
  if (module !== undefined && entry !== undefined) {
    c.facts.resolutions.set(expr, entry);
    return instantiate(entry.scheme, c.unifier, call === null);
  }
  const values: ReadonlyMap<string, unknown> = module?.values ?? new Map();
  const near = synonymOf(expr.name.text, values) ?? nearest(expr.name.text, values.keys());
  const hint =
    near !== null
      ? `Did you mean \`${alias}.${near}\`?`
      : (c.reporter.whereDefined(expr.name.text) ??
        `It exports: ${[...values.keys()].sort().slice(0, 12).join(', ')}.`);
  c.reporter.error(
    'IMP010',
    expr.name.start,
    `symbol \`${expr.name.text}\` is not exported by ${module?.module ?? alias}`,
    hint,
  );
  return errorType;
}

function fieldOf(c: Inference, expr: ExprOf<'field'>, record: RecordType, call: ExprOf<'call'> | null): Type {
  const { name } = expr;
  const { fields, rest } = flattenRecord(record);
  const type = fields.get(name.text);
  if (type !== undefined) return type;
  if (rest !== null && rest.rigid === null) {
    const field = c.fresh();
    c.unifier.unify(rest, { k: 'record', fields: new Map([[name.text, field]]), rest: c.fresh() });
    return field;
  }
  const near = nearest(name.text, fields.keys());
  const hint =
    call !== null
      ? methodHint(expr, call)
      : near !== null
        ? `Did you mean \`${near}\`?`
        : `Its fields: ${[...fields.keys()].join(', ')}.`;
  c.reporter.error(
    'TC_REC_001',
    name.start,
    `the record has no field \`${name.text}\``,
    near !== null ? `Did you mean \`${near}\`?` : hint,
  );
  return errorType;
}

function methodHint(expr: ExprOf<'field'>, call: ExprOf<'call'>): string {
  const object = expr.base.k === 'name' ? expr.base.name : 'value';
  const others = call.arguments.length > 0 ? ', …' : '';
  return `There are no methods: call the function ${expr.name.text}(${object}${others}).`;
}

function noFieldHint(c: Inference, type: Type, name: string, call: ExprOf<'call'> | null): string {
  if (['toString', 'to_string', 'show'].includes(name)) return 'Write show(value).';
  const list = listItem(type) !== null;
  if (list || isNamed(type, 'string')) return methodOfLibrary(c, list ? 'list' : 'string', name, call);
  const resolved = resolve(type);
  const module = resolved.k === 'named' ? `std/${resolved.constructor.name.toLowerCase()}` : '';
  const exported = { has: (other: string) => c.reporter.exportedBy(module, other) };
  const method = call === null ? null : exported.has(name) ? name : synonymOf(name, exported);
  if (method !== null) {
    const args = ['map', 'flatMap', 'filter', 'mapErr'].includes(method)
      ? 'f, x'
      : call?.arguments.length === 0
        ? 'x'
        : 'x, y';
    return `There are no methods: write ${method}(${args}), with import ${module} (${method}).`;
  }
  if (resolved.k === 'tuple') return 'Take the tuple apart: match t { (a, b) => a }.';
  if (resolved.k === 'named' && ['Option', 'Result'].includes(resolved.constructor.name)) {
    return resolved.constructor.name === 'Option'
      ? 'Take the value out first: match x { Some(v) => …, None => … }, or getOrElse(x, other) from std/option.'
      : 'Take the value out first: match x { Ok(v) => …, Err(e) => … }.';
  }
  if (resolved.k === 'named' && resolved.constructor.variants.length > 1)
    return 'Match on the constructors: the fields belong to each of them.';
  return c.reporter.whereDefined(name) ?? 'Only records have fields.';
}

/** `xs.map(f)`, `s.length`: the function of the library that does it. */
function methodOfLibrary(c: Inference, kind: 'list' | 'string', name: string, call: ExprOf<'call'> | null): string {
  const object = kind === 'list' ? 'xs' : 's';
  if (kind === 'list') {
    if (['push', 'append', 'add', 'concat'].includes(name))
      return 'There are no methods: write xs ++ [x], or x :: xs at the front.';
    if (['fold', 'foldl', 'reduce'].includes(name))
      return 'There are no methods: write foldl(\\acc x. e, start, xs), with import std/list (foldl).';
  }
  const inModule = { has: (other: string) => c.reporter.exportedBy(`std/${kind}`, other) };
  const found = inModule.has(name) ? name : synonymOf(name, inModule);
  if (found === null)
    return call === null
      ? 'Strings and lists have no fields: use the functions of std/string and std/list.'
      : `There are no methods, and std/${kind} has no ${name}: look for another function there.`;
  const functionFirst = ['map', 'filter', 'flatMap', 'any', 'findIndex', 'mapE', 'filterE', 'forEachE', 'flatMapE'];
  const others = call === null || call.arguments.length === 0 ? '' : 'x';
  const args = functionFirst.includes(found)
    ? `f, ${object}`
    : [object, ...(others === '' ? [] : (call?.arguments ?? []).map((_, at) => (at === 0 ? 'x' : 'y')))].join(', ');
  const shape = found === 'join' ? 'join(", ", xs)' : `${found}(${args})`;
  return `There are no methods: write ${shape}, with import std/${kind} (${found}).`;
}

/** The record inside a type with one constructor around one record. */
function wrappedRecord(c: Inference, type: Type): RecordType | null {
  if (type.k !== 'named') return null;
  const [variant, ...others] = type.constructor.variants;
  const [field, ...more] = variant?.fields ?? [];
  if (variant === undefined || others.length > 0 || field === undefined || more.length > 0) return null;
  const bound = new Map(variant.parameters.map((parameter, index) => [parameter, type.arguments[index] as Type]));
  const inner = resolve(substitute(field, bound, new Map(), c.unifier));
  return inner.k === 'record' ? inner : null;
}
