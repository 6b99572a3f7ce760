/** A pattern reduced to what coverage needs. */
export type Shape =
  | { readonly k: 'any' }
  | {
      readonly k: 'constructor';
      readonly name: string;
      readonly args: readonly Shape[];
      /** Field names of a record shape, in the order of `args`. */
      readonly fields?: readonly string[];
      /** All constructors of the type, or null when there are too many to list (numbers, strings). */
      readonly signature: readonly Head[] | null;
    };

export interface Head {
  readonly name: string;
  readonly arity: number;
  readonly fields?: readonly string[];
}

export const any: Shape = { k: 'any' };
type Row = readonly Shape[];

/** Thrown when a match is too large to analyse; it then gets no warning. */
export class CoverageBudgetExceeded extends Error {}

/** Pattern matrices after Maranget: rows are arms, columns are the parts still to compare. */
export class PatternMatrix {
  #steps = 0;
  #looks = 0;

  /** A value no row covers, one shape per column, or null when the rows cover everything. */
  uncovered(rows: readonly Row[], width: number): Shape[] | null {
    this.#step(rows.length);
    if (width === 0) return rows.length === 0 ? [] : null;
    const column = firstColumn(rows);
    if (column.complete) {
      for (const head of column.signature) {
        const found = this.uncovered(specialize(rows, head), head.arity + width - 1);
        if (found === null) continue;
        const shape: Shape = {
          k: 'constructor',
          ...head,
          args: found.slice(0, head.arity),
          signature: column.signature,
        };
        return [shape, ...found.slice(head.arity)];
      }
      return null;
    }
    const found = this.uncovered(defaults(rows), width - 1);
    return found === null ? null : [absentHead(column), ...found];
  }

  /** Whether some value reaches this row past the others. */
  useful(rows: readonly Row[], row: Row): boolean {
    this.#step(rows.length);
    const [head, ...rest] = row;
    if (head === undefined) return rows.length === 0;
    const column = firstColumn([...rows, row]);
    if (head.k === 'constructor') {
      const known = column.heads.get(head.name) ?? { name: head.name, arity: head.args.length };
      const [own] = specialize([row], known);
      return own !== undefined && this.useful(specialize(rows, known), own);
    }
    if (!column.complete) return this.useful(defaults(rows), rest);
    return column.signature.some((candidate) => {
      const [own] = specialize([row], candidate);
      return own !== undefined && this.useful(specialize(rows, candidate), own);
    });
  }

  /** A step looks at every row once. */
  #step(rows: number): void {
    this.#looks += rows;
    if (++this.#steps > 20_000 || this.#looks > 1_000_000)
      throw new CoverageBudgetExceeded('match too large to analyse');
  }
}

interface Column {
  readonly heads: ReadonlyMap<string, Head>;
  readonly signature: readonly Head[];
  readonly listed: boolean;
  readonly complete: boolean;
}

function firstColumn(rows: readonly Row[]): Column {
  const heads = new Map<string, Head>();
  let signature: readonly Head[] | null = null;
  const fields = new Set<string>();
  for (const [shape] of rows) {
    if (shape?.k !== 'constructor') continue;
    for (const field of shape.fields ?? []) fields.add(field);
    heads.set(shape.name, { name: shape.name, arity: shape.args.length });
    signature = shape.signature;
  }
  if (heads.has('{}')) {
    const record: Head = { name: '{}', arity: fields.size, fields: [...fields] };
    heads.set('{}', record);
    signature = [record];
  }
  const complete = signature?.every((head) => heads.has(head.name)) ?? false;
  return { heads, signature: signature ?? [], listed: signature !== null, complete: complete && heads.size > 0 };
}

function specialize(rows: readonly Row[], head: Head): Row[] {
  const result: Row[] = [];
  for (const [shape, ...rest] of rows) {
    if (shape === undefined) continue;
    if (shape.k === 'any') result.push([...Array.from({ length: head.arity }, () => any), ...rest]);
    else if (shape.name === head.name) {
      const args =
        head.fields === undefined
          ? shape.args
          : head.fields.map((name) => shape.args[shape.fields?.indexOf(name) ?? -1] ?? any);
      result.push([...args, ...rest]);
    }
  }
  return result;
}

function defaults(rows: readonly Row[]): Row[] {
  return rows.filter(([shape]) => shape?.k === 'any').map((row) => row.slice(1));
}

function absentHead(column: Column): Shape {
  const missing =
    column.heads.size === 0 || !column.listed
      ? undefined
      : column.signature.find((head) => !column.heads.has(head.name));
  if (missing === undefined) return any;
  return {
    k: 'constructor',
    ...missing,
    args: Array.from({ length: missing.arity }, () => any),
    signature: column.signature,
  };
}
