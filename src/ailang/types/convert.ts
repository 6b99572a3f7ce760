import { effectParameters } from '../effects/known.js';
import { type EffectVariable, emptyRow, freshEffectVariable, type Row } from '../effects/row.js';
import type { ModuleScope, TypeEntry } from '../modules/scope.js';
import type { EffectRow, Name, RowRest, TypeExpr } from '../syntax/ast.js';
import { nearest } from '../syntax/edit-distance.js';
import { foreignType } from '../syntax/parse-type.js';
import { reportLabel } from './flow/written-label.js';
import type { Reporter } from './report.js';
import { substitute } from './scheme.js';
import {
  arrayOf,
  boolType,
  builtinTypes,
  errorType,
  floatType,
  freshVariable,
  intType,
  listOf,
  stringType,
  type Type,
  type TypeVariable,
  unitType,
} from './type.js';
import type { Unifier } from './unify.js';

/** How lower-case names that are no types are read. */
export class TypeVariables {
  readonly types = new Map<string, TypeVariable>();
  readonly effects = new Map<string, EffectVariable>();

  constructor(
    /**
     * `rigid`: variables of a signature; `flexible`: anything fits; `none`: only those already listed; `alias`: those,
     * and row variables, which every use of the alias has for itself.
     */
    readonly mode: 'rigid' | 'flexible' | 'none' | 'alias',
    readonly level: number,
    readonly outer: TypeVariables | null = null,
    /** The type whose declaration they belong to. */
    readonly owner = 'T',
  ) {}

  type(name: string): TypeVariable | null {
    const known = this.types.get(name) ?? this.outer?.types.get(name);
    if (known !== undefined || this.mode === 'none' || this.mode === 'alias') return known ?? null;
    const created = freshVariable(this.level, this.mode === 'rigid' ? name : null);
    this.types.set(name, created);
    return created;
  }

  effect(name: string): EffectVariable | null {
    const known = this.effects.get(name) ?? this.outer?.effects.get(name);
    if (known !== undefined || this.mode === 'none' || this.mode === 'alias') return known ?? null;
    const created = freshEffectVariable(this.level, this.mode === 'rigid' ? name : null);
    this.effects.set(name, created);
    return created;
  }

  /** The variable of an open record, `| r` or `...` (null); none where a declaration would have to list it. */
  row(name: string | null): TypeVariable | null {
    if (this.mode === 'none') return name === null ? null : this.type(name);
    if (name !== null && (this.mode !== 'alias' || this.type(name) !== null)) return this.type(name);
    const created = freshVariable(this.level, this.mode === 'flexible' ? null : (name ?? '...'));
    this.types.set(name ?? `...${created.id}`, created);
    return created;
  }
}

const builtinNullary: Readonly<Record<string, Type>> = {
  int: intType,
  float: floatType,
  string: stringType,
  char: stringType,
  bool: boolType,
  unit: unitType,
};

/** Reads written types in the scope of a module. */
export class TypeReader {
  /** Whether a flow label was read. */
  labelled = false;

  constructor(
    readonly scope: ModuleScope,
    readonly reporter: Reporter,
    readonly unifier: Unifier,
  ) {}

  read(type: TypeExpr, variables: TypeVariables): Type {
    switch (type.k) {
      case 'unit':
        return unitType;
      case 'list':
        return listOf(this.read(type.item, variables));
      case 'tuple':
        return { k: 'tuple', items: type.items.map((item) => this.read(item, variables)) };
      case 'label':
        this.labelled = true;
        reportLabel(this.reporter, type);
        return { k: 'label', type: this.read(type.type, variables), label: type.label, refused: type.refused };
      case 'record': {
        const fields = new Map<string, Type>();
        for (const { name, type: field } of type.fields) {
          if (fields.has(name.text))
            this.reporter.error(
              'TC_REC_004',
              name.start,
              `the field \`${name.text}\` is declared twice`,
              'Remove one of them.',
            );
          fields.set(name.text, this.read(field, variables));
        }
        return { k: 'record', fields, rest: type.rest === null ? null : this.#rest(type.rest, variables) };
      }
      case 'function': {
        const [only] = type.parameters;
        const none = type.parameters.length === 1 && only?.k === 'unit';
        const parameters = none ? [] : type.parameters.map((parameter) => this.read(parameter, variables));
        return {
          k: 'function',
          parameters,
          result: this.read(type.result, variables),
          effects: this.row(type.effects, variables),
        };
      }
      case 'name':
        return this.#named(type, variables);
    }
  }

  row(row: EffectRow | null, variables: TypeVariables): Row {
    if (row === null) return emptyRow;
    return {
      labels: row.effects.map((item) => effectLabel(item)),
      variables: row.variables.flatMap((name) => variables.effect(name.text) ?? this.#unboundEffect(name)),
    };
  }

  #rest(rest: RowRest, variables: TypeVariables): Type | null {
    const found = variables.row(rest.name);
    if (found === null)
      this.reporter.error(
        'TC002',
        rest.start,
        rest.name === null ? 'a constructor cannot hold an open record' : `unknown row variable \`${rest.name}\``,
        rest.name === null
          ? 'Remove the `...`: the record of a constructor has exactly its fields.'
          : `Declare it as a parameter of the type: type T[${rest.name}] = ….`,
      );
    return found;
  }

  #unboundEffect(name: Name): [] {
    this.reporter.error(
      'TC002',
      name.start,
      `a type declaration cannot have the effect variable \`${name.text}\``,
      'Write the effects its functions may have: ! {IO}.',
    );
    return [];
  }

  #named(type: Extract<TypeExpr, { k: 'name' }>, variables: TypeVariables): Type {
    const args = type.arguments.map((argument) => this.read(argument, variables));
    const entry = this.#lookup(type.name);
    if (entry !== null) return this.#apply(entry, type, args, variables);
    const basic = Object.hasOwn(builtinNullary, type.name) ? builtinNullary[type.name] : undefined;
    if (basic !== undefined) return this.#count(type, 0, args) ? basic : errorType;
    const known = builtinTypes.get(type.name);
    if (known !== undefined) {
      if (!this.#count(type, known.arity, args)) return errorType;
      const [first] = args;
      if (known.name === 'List' && first !== undefined) return listOf(first);
      if (known.name === 'Array' && first !== undefined) return arrayOf(first);
      return { k: 'named', constructor: known, arguments: args };
    }
    const small = /^[\p{Ll}_]/u.test(type.name) && !type.name.includes('.') && foreignType(type.name) === null;
    const variable = small ? variables.type(type.name) : null;
    if (variable !== null) return this.#count(type, 0, args) ? variable : errorType;
    this.#unknown(type, small ? variables : null);
    return errorType;
  }

  #lookup(name: string): TypeEntry | null {
    const dot = name.indexOf('.');
    if (dot === -1) return this.scope.type(name);
    return this.scope.aliases.get(name.slice(0, dot))?.types.get(name.slice(dot + 1)) ?? null;
  }

  #openAlias(type: Extract<TypeExpr, { k: 'name' }>): Type {
    this.reporter.error(
      'TC002',
      type.start,
      `a constructor cannot hold the open record \`${type.name}\``,
      'Write a record type with exactly its fields.',
    );
    return errorType;
  }

  #apply(
    entry: TypeEntry,
    type: Extract<TypeExpr, { k: 'name' }>,
    args: readonly Type[],
    variables: TypeVariables,
  ): Type {
    if (entry.k === 'constructor') {
      if (!this.#count(type, entry.constructor.arity, args)) return errorType;
      return { k: 'named', constructor: entry.constructor, arguments: args };
    }
    if (!this.#count(type, entry.parameters.length, args)) return errorType;
    if (args.length + entry.rows.length === 0) return entry.type;
    const bound = new Map<TypeVariable, Type>();
    for (const [index, parameter] of entry.parameters.entries()) bound.set(parameter, args[index] as Type);
    for (const row of entry.rows)
      bound.set(row, variables.row(row.rigid === '...' ? null : row.rigid) ?? this.#openAlias(type));
    return substitute(entry.type, bound, new Map(), this.unifier);
  }

  #count(type: Extract<TypeExpr, { k: 'name' }>, arity: number, args: readonly Type[]): boolean {
    if (args.length === arity) return true;
    const shape =
      arity === 0
        ? `Write ${type.name}.`
        : `Write ${type.name}[${'abcdefgh'.slice(0, arity).split('').join(', ')}], with a type for each letter.`;
    this.reporter.error(
      'TC005',
      type.start,
      `the type \`${type.name}\` takes ${arity} type argument${arity === 1 ? '' : 's'}, found ${args.length}`,
      shape,
    );
    return false;
  }

  /** `undeclared`: the variables of a type declaration, when the name could be one of them. */
  #unknown(type: Extract<TypeExpr, { k: 'name' }>, undeclared: TypeVariables | null): void {
    if (this.reporter.full) return;
    if (this.scope.lost.has(type.name) || this.scope.lost.has(type.name.replace(/\..*/, ''))) return;
    const foreign = foreignType(type.name);
    const near = nearest(type.name, [
      ...this.scope.types.keys(),
      ...this.scope.prelude.types.keys(),
      ...builtinTypes.keys(),
    ]);
    const hint =
      foreign !== null
        ? `Write \`${foreign}\`.`
        : (this.reporter.whereDefined(type.name) ??
          (undeclared !== null && type.name.length <= 2
            ? `Declare it as a parameter of the type: type ${undeclared.owner}[${[...undeclared.types.keys(), type.name].join(', ')}] = ….`
            : null) ??
          (near !== null
            ? `Did you mean \`${near}\`?`
            : `Declare it: type ${type.name} = { field: int }, or import it.`));
    this.reporter.error('TC002', type.start, `unknown type \`${type.name}\``, hint);
  }
}

/** `Rand[mode=seeded]`; a parameter with its default value is left out, so that `Rand` and `Rand[mode=os]` are one. */
export function effectLabel(item: {
  readonly name: string;
  readonly parameters: EffectRow['effects'][number]['parameters'];
}): string {
  const shown = item.parameters
    .filter(({ key, value }) => effectParameters[item.name]?.[key.text]?.[0] !== value.text || key.text === 'scope')
    .map(({ key, value }) => `${key.text}=${value.text}`)
    .sort();
  return shown.length === 0 ? item.name : `${item.name}[${shown.join(',')}]`;
}
