import type { CoreTest, SampleType } from '../core/types.js';
import type { File, FunctionDeclaration, Parameter, TypeExpr } from '../syntax/ast.js';
import { printType } from '../types/print.js';
import { flattenRecord, resolve, type Type, type TypeVariable } from '../types/type.js';
import { type Elaboration, elaborate } from './elaborate-expr.js';

/** Core of the tests and properties of a checked file, in source order. */
export function elaborateTests(
  c: Elaboration,
  module: string,
  file: File,
  read: (type: TypeExpr) => Type,
): readonly CoreTest[] {
  const property = (name: string, start: number, binders: readonly Parameter[], body: FunctionDeclaration['body']) => ({
    k: 'property' as const,
    name,
    position: c.source.position(start),
    binders: binders.map((binder) => ({
      name: binder.name.text,
      type: binder.type === null ? ({ k: 'int' } as const) : sampleType(read(binder.type), new Map()),
    })),
    body: elaborate(c, body),
  });
  return file.declarations.flatMap((declaration): readonly CoreTest[] => {
    const { start } = declaration;
    if (declaration.k === 'test')
      return [
        {
          k: 'claim',
          name: declaration.title,
          position: c.source.position(start),
          body: elaborate(c, declaration.body),
        },
      ];
    if (declaration.k === 'property')
      return [property(declaration.title, start, declaration.binders, declaration.body)];
    if (declaration.k !== 'function') return [];
    const { name, tests, properties } = declaration;
    return [
      ...(tests ?? []).map((_, index) => example(c, module, declaration, index)),
      ...(properties ?? []).map((one, index) =>
        property(`${name.text} property ${index + 1}`, one.start, one.binders, one.body),
      ),
    ];
  });
}

function example(c: Elaboration, module: string, declaration: FunctionDeclaration, index: number): CoreTest {
  const test = declaration.tests?.[index];
  if (test === undefined) throw new Error(`the function ${declaration.name.text} has no test ${index}`);
  const position = c.source.position(test.start);
  const [only] = declaration.parameters;
  const hidden = declaration.parameters.length === 1 && only?.type?.k === 'unit';
  const args = hidden ? [] : test.inputs.map((input) => elaborate(c, input));
  const callee = { k: 'global', module, name: declaration.name.text } as const;
  return {
    k: 'example',
    name: `${declaration.name.text} test ${index + 1}`,
    position,
    actual: { k: 'call', callee, args, position },
    expected: elaborate(c, test.expected),
  };
}

/** What a type looks like to a generator. A type variable stands for any type, so int does. */
function sampleType(type: Type, bound: ReadonlyMap<TypeVariable, SampleType>): SampleType {
  const found = resolve(type);
  switch (found.k) {
    case 'var':
      return bound.get(found) ?? { k: 'int' };
    case 'tuple':
      return { k: 'tuple', items: found.items.map((item) => sampleType(item, bound)) };
    case 'record': {
      const { fields } = flattenRecord(found);
      return { k: 'record', fields: [...fields].map(([name, field]) => ({ name, type: sampleType(field, bound) })) };
    }
    case 'function':
      return { k: 'other', text: printType(found) };
    case 'named':
      return namedType(found, bound);
  }
}

function namedType(type: Extract<Type, { k: 'named' }>, bound: ReadonlyMap<TypeVariable, SampleType>): SampleType {
  const { constructor: named } = type;
  const args = type.arguments.map((argument) => sampleType(argument, bound));
  const [item] = args;
  if (named.module === '') {
    switch (named.name) {
      case '()':
        return { k: 'unit' };
      case 'int':
      case 'float':
      case 'string':
      case 'bool':
      case 'bytes':
        return { k: named.name };
      case 'List':
      case 'Array':
        if (item !== undefined) return { k: named.name === 'List' ? 'list' : 'array', item };
        break;
      default:
    }
  }
  if (named.variants.length === 0) return { k: 'other', text: printType(type) };
  return {
    k: 'data',
    name: named.name,
    variants: () =>
      named.variants.map(({ name, parameters, fields }) => {
        const inner = new Map(
          parameters.map((parameter, index) => [parameter, args[index] ?? ({ k: 'int' } as const)]),
        );
        return { name, fields: fields.map((field) => sampleType(field, inner)) };
      }),
  };
}
