import type { Core } from '../../core/types.js';
import type { Position } from '../../diagnostic.js';
import { fieldProperty, recordClass } from '../values.js';
import { Emitter } from './emitter.js';
import { binaryCode, isFloatArithmetic, takesUnboxed } from './operators.js';
import type { Scope } from './scope.js';

export type Node<K extends Core['k']> = Extract<Core, { k: K }>;

/** Evaluates its right side only sometimes. */
export const isShortCircuit = ({ operator }: Node<'binary'>): boolean => operator === '&&' || operator === '||';

/** Code of expressions made of others: operators, records, choices, interpolation. */
export abstract class ExpressionCompiler extends Emitter {
  /** Emits what must happen before, and gives code for the value. */
  protected abstract value(core: Core, scope: Scope): string;

  protected values(items: readonly Core[], scope: Scope): string[] {
    return this.inOrder(items.map((item) => () => this.value(item, scope)));
  }

  protected choice(core: Node<'if'>, scope: Scope): string {
    const condition = this.value(core.condition, scope);
    const then = this.captured(() => this.value(core.then, scope));
    const otherwise = this.captured(() => this.value(core.otherwise, scope));
    if (then.lines.length === 0 && otherwise.lines.length === 0) {
      return `(${condition} ? ${then.result} : ${otherwise.result})`;
    }
    const name = this.globals.unit.fresh('c');
    this.emit(`let ${name};`);
    this.emit(`if (${condition}) {`);
    for (const line of then.lines) this.emit(line);
    this.emit(`${name} = ${then.result};`);
    this.emit('} else {');
    for (const line of otherwise.lines) this.emit(line);
    this.emit(`${name} = ${otherwise.result};`);
    this.emit('}');
    return name;
  }

  protected record(core: Node<'record'>, scope: Scope): string {
    const names = core.fields.map((field) => field.name);
    const sorted = [...names].sort();
    let codes = this.values(
      core.fields.map((field) => field.value),
      scope,
    );
    if (names.some((name, index) => name !== sorted[index])) codes = codes.map((code) => this.fixed(code));
    const byName = new Map(names.map((name, index) => [name, codes[index] ?? 'undefined']));
    const shape = this.globals.unit.constant(recordClass(sorted));
    return `new ${shape}(${sorted.map((name) => byName.get(name)).join(', ')})`;
  }

  protected update(core: Node<'update'>, scope: Scope): string {
    const parts = this.values([core.base, ...core.fields.map((field) => field.value)], scope);
    const [base = '', ...codes] = parts.map((code) => this.fixed(code));
    const name = this.globals.unit.fresh('r');
    this.emit(`const ${name} = ${base}.copy();`);
    for (const [index, field] of core.fields.entries()) {
      this.emit(`${name}.${fieldProperty(field.name)} = ${codes[index]};`);
    }
    return name;
  }

  protected binary(core: Node<'binary'>, scope: Scope): string {
    if (isShortCircuit(core)) {
      const left = this.value(core.left, scope);
      const right = this.captured(() => this.value(core.right, scope));
      return right.lines.length === 0
        ? `(${left} ${core.operator} ${right.result})`
        : this.shortCircuitWithStatements(core, left, right);
    }
    if (isFloatArithmetic(core)) return `new Float(${this.unboxed(core, scope)})`;
    const [a = '', b = ''] = this.inOrder(
      [core.left, core.right].map(
        (side) => () => (takesUnboxed(core) ? this.unboxed(side, scope) : this.value(side, scope)),
      ),
    );
    return binaryCode(core, a, b, () => this.position(core.position));
  }

  protected shortCircuitWithStatements(
    core: Node<'binary'>,
    left: string,
    right: { readonly result: string; readonly lines: readonly string[] },
  ): string {
    const name = this.globals.unit.fresh('c');
    this.emit(`let ${name} = ${left};`);
    this.emit(`if (${core.operator === '&&' ? name : `!${name}`}) {`);
    for (const line of right.lines) this.emit(line);
    this.emit(`${name} = ${right.result};`);
    this.emit('}');
    return name;
  }

  protected unary(core: Node<'unary'>, scope: Scope): string {
    if (isFloatArithmetic(core)) return `new Float(${this.unboxed(core, scope)})`;
    const code = this.value(core.value, scope);
    if (core.operator === '!') return `!${code}`;
    if (core.operator === '~') return `complement(${code})`;
    return core.operand === 'int' ? `neg(${code})` : `negAny(${code})`;
  }

  /** The number in a float. */
  protected unboxed(core: Core, scope: Scope): string {
    if (core.k === 'float') return this.globals.unit.constant(core.value);
    if (core.k === 'binary' && isFloatArithmetic(core)) {
      const [a = '', b = ''] = this.inOrder([core.left, core.right].map((side) => () => this.unboxed(side, scope)));
      return `(${a} ${core.operator} ${b})`;
    }
    if (core.k === 'unary' && isFloatArithmetic(core)) return `(-${this.unboxed(core.value, scope)})`;
    return `${this.value(core, scope)}.v`;
  }

  protected interpolate(core: Node<'interpolate'>, scope: Scope): string {
    const codes = this.inOrder(
      core.parts.map(
        (part) => () =>
          typeof part === 'string' ? this.globals.unit.constant(part) : `show(${this.value(part, scope)})`,
      ),
    );
    return codes.length === 0 ? this.globals.unit.constant('') : `(${codes.join(' + ')})`;
  }

  protected position(position: Position): string {
    return this.globals.unit.constant(position);
  }
}
