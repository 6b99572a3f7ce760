import { reportEffects } from '../effects/declared.js';
import { ghostEffect } from '../effects/known.js';
import { type EffectVariable, emptyRow, type Row, resolveRow } from '../effects/row.js';
import type { FunctionDeclaration } from '../syntax/ast.js';
import { TypeVariables } from './convert.js';
import { expectBool, infer, lastExpr } from './infer-expr.js';
import type { Inference } from './inference.js';
import { instanceText } from './mismatch.js';
import { collect, defaultNumber, monomorphic } from './scheme.js';
import { type FunctionType, type Scheme, type Type, type TypeVariable, unitType } from './type.js';
import { reportTypeParameter } from './type-parameter.js';

/** A top-level function with its written signature, before its body is checked. */
export interface Signature {
  readonly declaration: FunctionDeclaration;
  readonly type: FunctionType;
  readonly variables: TypeVariables;
  /** Every parameter and the result are annotated: the scheme is known in advance. */
  readonly complete: boolean;
}

export function readSignature(c: Inference, declaration: FunctionDeclaration): Signature {
  const variables = new TypeVariables('rigid', 1);
  c.parameters.set(declaration.name.text, declaration.parameters);
  const listed = new Set<string>();
  for (const name of declaration.typeParameters) {
    reportTypeParameter(c, name, listed.has(name.text));
    listed.add(name.text);
  }
  const seen = new Set<string>();
  const parameters = declaration.parameters.map((parameter) => {
    const { text, start } = parameter.name;
    if (seen.has(text) && text !== '_')
      c.reporter.error(
        'TC002',
        start,
        `the parameter \`${text}\` is declared twice`,
        `Give it another name, such as \`${text}2\`.`,
      );
    seen.add(text);
    return parameter.type === null ? c.fresh() : c.reader.read(parameter.type, variables);
  });
  const result = declaration.result === null ? c.fresh() : c.reader.read(declaration.result, variables);
  const effects: Row = declaration.effects === null ? emptyRow : c.reader.row(declaration.effects, variables);
  if (declaration.pure && declaration.effects !== null && effects.labels.length > 0) {
    c.reporter.error(
      'TC009',
      declaration.effects.start,
      `the pure function \`${declaration.name.text}\` declares effects`,
      'Remove `pure`, or the effect row.',
    );
  }
  const single = parameters.length === 1 && declaration.parameters[0]?.type?.k === 'unit';
  const complete = declaration.result !== null && declaration.parameters.every((parameter) => parameter.type !== null);
  return {
    declaration,
    type: { k: 'function', parameters: single ? [unitType] : parameters, result, effects },
    variables,
    complete,
  };
}

/** The scheme of an annotated function: all variables of its signature. */
export function signatureScheme(c: Inference, signature: Signature): Scheme {
  if (!signature.complete) return monomorphic(signature.type);
  const variables = new Set<TypeVariable>();
  const effects = new Set<EffectVariable>();
  collect(signature.type, variables, effects, c.unifier);
  return { type: signature.type, variables: [...variables], effectVariables: [...effects] };
}

/** Checks contracts, tests, properties and body; the function's own name is already in scope. */
export function checkFunction(c: Inference, signature: Signature): void {
  const { declaration, type } = signature;
  const name = declaration.name.text;
  const outer = c.variables;
  c.variables = signature.variables;
  const bindings = declaration.parameters.map(
    (parameter, index) => [parameter.name.text, type.parameters[index] ?? unitType] as const,
  );
  for (const [index, parameter] of declaration.parameters.entries())
    c.facts.nodes?.set(parameter.name, type.parameters[index] ?? unitType);
  c.withTypes(bindings, () => {
    pureClauses(c, declaration, type.result);
    const [body, uses] = c.collectEffects(() => infer(c, declaration.body, type.result));
    const written = declaration.result;
    const from = written === null ? null : { what: `the result type of ${name}`, start: written.start };
    c.fit(body, type.result, lastExpr(declaration.body).start, `in the result of ${name}`, undefined, from);
    reportEffects(c, declaration, type.effects, uses);
  });
  inlineChecks(c, declaration, type);
  for (const { text, start } of declaration.typeParameters) {
    if (signature.variables.types.has(text) || signature.variables.effects.has(text)) continue;
    const hint = 'Remove it from the brackets, or use it in the types of the parameters.';
    c.reporter.warning('TC_UNUSED_PARAMETER', start, `the type parameter \`${text}\` of ${name} is never used`, hint);
  }
  c.variables = outer;
}

function pureClauses(c: Inference, declaration: FunctionDeclaration, result: Type): void {
  for (const predicate of declaration.requires ?? []) pureBool(c, predicate, 'in requires');
  c.withTypes([['result', result]], () => {
    for (const predicate of declaration.ensures ?? []) pureBool(c, predicate, 'in ensures');
  });
}

function pureBool(c: Inference, predicate: FunctionDeclaration['body'], where: string): void {
  const [, uses] = c.collectEffects(() => expectBool(c, predicate, where));
  for (const use of uses) {
    const row = resolveRow(use.row);
    const named = row.variables.some((variable) => variable.rigid !== null);
    if (named || row.labels.some((label) => label !== ghostEffect)) {
      c.reporter.error(
        'TC009',
        use.start,
        `\`${use.by}\` has effects, which a clause ${where} may not`,
        'Contracts are pure: use pure functions only.',
      );
    }
  }
}

function inlineChecks(c: Inference, declaration: FunctionDeclaration, type: FunctionType): void {
  const name = declaration.name.text;
  for (const test of declaration.tests ?? []) {
    const values = declaration.parameters.map((_, index) => type.parameters[index] ?? unitType);
    if (test.inputs.length !== values.length) {
      c.reporter.error(
        'PAR006',
        test.start,
        `a test of ${name} gives ${test.inputs.length} of its ${values.length} parameters`,
        `Write (${values.length === 1 ? 'input' : `(${values.map((_, index) => `in${index + 1}`).join(', ')})`}, result).`,
      );
      continue;
    }
    for (const [index, input] of test.inputs.entries()) {
      const parameter = values[index] as Type;
      c.collectEffects(() => c.fit(infer(c, input, parameter), parameter, input.start, `in a test of ${name}`));
    }
    c.collectEffects(() =>
      c.fit(
        infer(c, test.expected, type.result),
        type.result,
        test.expected.start,
        `in the expected result of a test of ${name}`,
      ),
    );
  }
  for (const property of declaration.properties ?? []) checkProperty(c, property.binders, property.body);
}

export function checkProperty(
  c: Inference,
  binders: FunctionDeclaration['parameters'],
  body: FunctionDeclaration['body'],
): void {
  const types = binders.map(
    (binder) => [binder.name.text, binder.type === null ? c.fresh() : c.reader.read(binder.type, c.variables)] as const,
  );
  c.collectEffects(() => c.withTypes(types, () => expectBool(c, body, 'in a property')));
}

/** The bodies of a group have shown which classes their signatures demand: their own calls must satisfy them too. */
export function checkRecursiveUses(c: Inference): void {
  for (const { variable, type, start, name } of c.recursiveUses.splice(0)) {
    for (const demanded of variable.classes) {
      const missing = c.unifier.require(demanded, type);
      if (missing?.k !== 'instance') continue;
      const text = instanceText(missing.class, missing.type, `in the use of ${name}`);
      c.reporter.error(text.code, start, text.message, text.suggestion);
    }
  }
}

/** Ends a declaration: arithmetic nothing decided becomes int. */
export function settleNumbers(c: Inference): void {
  for (const variable of c.numbers) defaultNumber(variable);
  c.numbers.length = 0;
}
