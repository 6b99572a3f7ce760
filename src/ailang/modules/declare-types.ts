import type { TypeDeclaration, TypeExpr } from '../syntax/ast.js';
import { foreignType } from '../syntax/parse-type.js';
import { type EqRecords, everyRecord, missingInstance } from '../types/classes.js';
import { type TypeReader, TypeVariables } from '../types/convert.js';
import { instanceText } from '../types/mismatch.js';
import type { Reporter } from '../types/report.js';
import { substitute } from '../types/scheme.js';
import {
  builtinTypes,
  errorType,
  flattenRecord,
  freshVariable,
  resolve,
  type Scheme,
  type Type,
  type TypeConstructor,
  type TypeVariable,
  type VariantInfo,
} from '../types/type.js';
import { reportTypeParameter } from '../types/type-parameter.js';
import type { ModuleScope, ValueEntry } from './scope.js';

interface Context {
  readonly scope: ModuleScope;
  readonly reader: TypeReader;
  readonly reporter: Reporter;
  readonly eqRecords: EqRecords;
}

/** Brings a module's types and constructors into its scope. */
export function declareTypes(c: Context, declarations: readonly TypeDeclaration[]): void {
  const byName = new Map<string, TypeDeclaration>();
  for (const declaration of declarations) {
    const { text, start } = declaration.name;
    if (byName.has(text))
      c.reporter.error(
        'TC002',
        start,
        `the type \`${text}\` is declared twice`,
        `Give one of them another name, such as \`${text}2\`.`,
      );
    else byName.set(text, declaration);
  }
  const sums: { declaration: TypeDeclaration; declared: TypeConstructor }[] = [];
  for (const declaration of byName.values()) {
    c.scope.types.delete(declaration.name.text);
    if (declaration.body.k !== 'sum') continue;
    const declared: TypeConstructor = {
      name: declaration.name.text,
      module: c.scope.module,
      arity: declaration.parameters.length,
      hasEq: declaration.deriving.some((name) => name.text === 'Eq'),
      variants: [],
    };
    c.scope.types.set(declaration.name.text, { k: 'constructor', constructor: declared });
    sums.push({ declaration, declared });
  }
  new AliasReader(c, byName).readAll();
  for (const { declaration, declared } of sums) declareVariants(c, declaration, declared);
  for (const declaration of byName.values()) checkDeriving(c, declaration);
}

/** Every part of a type with `deriving (Eq)` must have `==` itself, given that its parameters have. */
function checkDeriving(c: Context, declaration: TypeDeclaration): void {
  const eq = declaration.deriving.find((name) => name.text === 'Eq');
  const entry = c.scope.types.get(declaration.name.text);
  if (eq === undefined || entry === undefined) return;
  const parts =
    entry.k === 'constructor'
      ? entry.constructor.variants.flatMap(({ fields, parameters }) => fields.map((type) => ({ type, parameters })))
      : [{ type: entry.type, parameters: [...entry.parameters, ...entry.rows] }];
  for (const { type, parameters } of parts) {
    const fresh = new Map(parameters.map((parameter) => [parameter, freshVariable(1)]));
    const missing = missingInstance('Eq', substitute(type, fresh, new Map(), c.reader.unifier), everyRecord);
    if (missing === null) continue;
    const { message, suggestion } = instanceText('Eq', missing, `in deriving (Eq) of ${declaration.name.text}`);
    const hint = missing.k === 'function' ? 'Functions cannot be compared: remove deriving (Eq).' : suggestion;
    c.reporter.error('TC010', eq.start, message, hint);
    return;
  }
}

/** Aliases are read in the order of their dependencies; one that needs itself is an error. */
class AliasReader {
  readonly #state = new Map<string, 'reading' | 'done'>();

  constructor(
    readonly c: Context,
    readonly byName: ReadonlyMap<string, TypeDeclaration>,
  ) {}

  readAll(): void {
    for (const declaration of this.byName.values()) this.#read(declaration);
  }

  /** `type T = A` is an alias; where nothing is called A, a constructor was meant. */
  #forgottenBar({ name }: TypeDeclaration, body: TypeExpr): Type | null {
    const { scope, reporter } = this.c;
    if (body.k !== 'name' || body.arguments.length > 0 || !/^\p{Lu}[^.]*$/u.test(body.name)) return null;
    const known = scope.type(body.name) !== null || builtinTypes.has(body.name) || foreignType(body.name) !== null;
    if (known || this.byName.has(body.name) || scope.lost.has(body.name)) return null;
    reporter.error(
      'TC002',
      body.start,
      `unknown type \`${body.name}\`: a single name makes \`${name.text}\` another name for a type`,
      reporter.whereDefined(body.name) ?? `For a type with one constructor write type ${name.text} = | ${body.name}.`,
    );
    scope.lost.add(body.name);
    return errorType;
  }

  #read(declaration: TypeDeclaration): void {
    const { body, name } = declaration;
    if (body.k !== 'alias' || this.#state.has(name.text)) return;
    this.#state.set(name.text, 'reading');
    for (const used of namesIn(body.type)) {
      const other = this.byName.get(used);
      if (other === undefined) continue;
      if (this.#state.get(used) === 'reading') {
        this.c.reporter.error(
          'TC008',
          name.start,
          `the type alias \`${name.text}\` contains itself`,
          body.type.k === 'name' && body.type.name === name.text
            ? `For a type with one constructor write type ${name.text} = | ${name.text}.`
            : `Write a type with a constructor: type ${name.text} = ${name.text}({ … }).`,
        );
        const parameters = declaration.parameters.map((parameter) => freshVariable(1, parameter.text));
        this.c.scope.types.set(name.text, { k: 'alias', name: name.text, parameters, rows: [], type: errorType });
        this.c.scope.lost.add(name.text);
        this.#state.set(name.text, 'done');
        return;
      }
      this.#read(other);
    }
    if (this.#state.get(name.text) === 'done') return;
    const { parameters, variables } = typeParameters(this.c, declaration, 'alias');
    const type = this.#forgottenBar(declaration, body.type) ?? this.c.reader.read(body.type, variables);
    const rows = [...variables.types.values()].filter((variable) => !parameters.includes(variable));
    this.c.scope.types.set(name.text, { k: 'alias', name: name.text, parameters, rows, type });
    this.#state.set(name.text, 'done');
    const record = resolve(type);
    if (record.k === 'record' && declaration.deriving.some((derived) => derived.text === 'Eq')) {
      this.c.eqRecords.add(flattenRecord(record).fields.keys());
    }
  }
}

function typeParameters(
  c: Context,
  declaration: TypeDeclaration,
  mode: 'none' | 'alias',
): { parameters: TypeVariable[]; variables: TypeVariables } {
  const variables = new TypeVariables(mode, 1, null, declaration.name.text);
  const parameters = declaration.parameters.map((name) => {
    reportTypeParameter(c, name, variables.types.has(name.text));
    const variable = freshVariable(1, name.text);
    variables.types.set(name.text, variable);
    return variable;
  });
  return { parameters, variables };
}

function declareVariants(c: Context, declaration: TypeDeclaration, declared: TypeConstructor): void {
  if (declaration.body.k !== 'sum') return;
  const { parameters, variables } = typeParameters(c, declaration, 'none');
  const variants: VariantInfo[] = [];
  const starts = new Map<string, number>();
  for (const { name, fields } of declaration.body.variants) {
    if (starts.has(name.text)) {
      c.reporter.error(
        'TC002',
        name.start,
        `the constructor \`${name.text}\` is declared twice`,
        'Give one of them another name.',
      );
      continue;
    }
    starts.set(name.text, name.start);
    variants.push({
      name: name.text,
      type: declared,
      parameters,
      fields: fields.map((field) => c.reader.read(field, variables)),
    });
  }
  declared.variants = variants;
  for (const variant of variants) {
    const other = c.scope.values.get(variant.name);
    if (other?.k === 'constructor' && other.variant.type.module === c.scope.module && other.variant.type !== declared) {
      const start = starts.get(variant.name) ?? declaration.start;
      const owner = other.variant.type.name;
      const message = `the constructor \`${variant.name}\` belongs to \`${owner}\` already`;
      c.reporter.error('TC002', start, message, `Give it another name, such as \`${declared.name}${variant.name}\`.`);
    } else c.scope.values.set(variant.name, constructorEntry(variant));
  }
}

/** A constructor as a value: itself when it has no fields, else a function of them. */
export function constructorEntry(variant: VariantInfo): ValueEntry {
  const whole: Type = { k: 'named', constructor: variant.type, arguments: variant.parameters };
  const type: Type =
    variant.fields.length === 0
      ? whole
      : { k: 'function', parameters: variant.fields, result: whole, effects: { labels: [], variables: [] } };
  const scheme: Scheme = { type, variables: variant.parameters, effectVariables: [] };
  return { k: 'constructor', variant, scheme };
}

function* namesIn(type: TypeExpr): Iterable<string> {
  switch (type.k) {
    case 'name':
      yield type.name;
      for (const argument of type.arguments) yield* namesIn(argument);
      return;
    case 'list':
      return yield* namesIn(type.item);
    case 'label':
      return yield* namesIn(type.type);
    case 'tuple':
      for (const item of type.items) yield* namesIn(item);
      return;
    case 'record':
      for (const field of type.fields) yield* namesIn(field.type);
      return;
    case 'function':
      for (const parameter of type.parameters) yield* namesIn(parameter);
      yield* namesIn(type.result);
      return;
    case 'unit':
      return;
  }
}
