/** Values of the reference evaluator: one plain form for each kind, integers as bigint. */
export type RefValue =
  | { readonly k: 'int'; readonly v: bigint }
  | { readonly k: 'float'; readonly v: number }
  | { readonly k: 'string'; readonly v: string }
  | { readonly k: 'bool'; readonly v: boolean }
  | { readonly k: 'unit' }
  | { readonly k: 'list' | 'tuple' | 'array'; readonly items: readonly RefValue[] }
  | { readonly k: 'record'; readonly fields: ReadonlyMap<string, RefValue> }
  | { readonly k: 'data'; readonly name: string; readonly args: readonly RefValue[] }
  | { readonly k: 'function'; apply(args: readonly RefValue[]): RefValue };

/** Ends the evaluation, with the code of ailang-language 3.6. */
export class RefFailure extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

export const bool = (v: boolean): RefValue => ({ k: 'bool', v });
export const int = (v: bigint): RefValue => ({ k: 'int', v: BigInt.asIntN(64, v) });
export const string = (v: string): RefValue => ({ k: 'string', v });

/** All of a value, nothing shortened; both sides of a comparison are brought to it. */
export function canonical(value: RefValue): string {
  switch (value.k) {
    case 'int':
      return `${value.v}`;
    case 'float':
      return `f(${Object.is(value.v, -0) ? '-0' : value.v})`;
    case 'string':
      return JSON.stringify(value.v);
    case 'bool':
      return String(value.v);
    case 'unit':
      return '()';
    case 'list':
    case 'tuple':
    case 'array':
      return `${value.k}[${value.items.map(canonical).join(',')}]`;
    case 'record':
      return `{${[...value.fields]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, field]) => `${name}:${canonical(field)}`)
        .join(',')}}`;
    case 'data':
      return `${value.name}(${value.args.map(canonical).join(',')})`;
    case 'function':
      return 'function';
  }
}

export function equal(a: RefValue, b: RefValue): boolean {
  if (a.k === 'float' && b.k === 'float') return a.v === b.v;
  if ('items' in a && 'items' in b)
    return a.items.length === b.items.length && a.items.every((item, index) => equal(item, b.items[index] as RefValue));
  if (a.k === 'data' && b.k === 'data')
    return (
      a.name === b.name &&
      a.args.length === b.args.length &&
      a.args.every((part, index) => equal(part, b.args[index] as RefValue))
    );
  if (a.k === 'record' && b.k === 'record')
    return [...a.fields].every(([name, field]) => equal(field, b.fields.get(name) as RefValue));
  return canonical(a) === canonical(b);
}
