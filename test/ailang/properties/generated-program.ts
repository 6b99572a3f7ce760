/** Types of generated expressions. `shape` and `box` are declared by every program. */
export type GenType =
  | 'int'
  | 'float'
  | 'bool'
  | 'string'
  | 'shape'
  | { readonly list: GenType }
  | { readonly pair: readonly [GenType, GenType] }
  | { readonly option: GenType }
  | { readonly record: true };

const header = `module main
import std/list (map, filter, foldl, foldr, length, reverse)
import std/option (Option, Some, None)
type Shape = Dot | Disc(int) | Group(Shape, [int]) deriving (Eq)
type Rec = { n: int, s: string, f: float } deriving (Eq)
`;

/** A reproducible stream of choices (SplitMix32). */
class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 to `below` - 1. */
  next(below: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  }

  of<T>(items: readonly T[]): T {
    return items[this.next(items.length)] as T;
  }
}

interface Variable {
  readonly name: string;
  readonly type: GenType;
}
interface Fn {
  readonly name: string;
  readonly parameters: readonly GenType[];
  readonly result: GenType;
}
type Scope = readonly Variable[];

export const typeText = (type: GenType): string => {
  if (typeof type === 'string') return type === 'shape' ? 'Shape' : type;
  if ('list' in type) return `[${typeText(type.list)}]`;
  if ('pair' in type) return `(${typeText(type.pair[0])}, ${typeText(type.pair[1])})`;
  return 'option' in type ? `Option[${typeText(type.option)}]` : 'Rec';
};

const same = (a: GenType, b: GenType): boolean => typeText(a) === typeText(b);

const integers =
  '0 1 2 3 (-1) (-7) 10 255 4294967296 (-2147483648) 9007199254740991 9007199254740993 9223372036854775807 (0-9223372036854775807-1)'.split(
    ' ',
  );
const floats = '0.0 1.0 0.5 (-2.25) 1e10 3.0 0.1 1e300 (0.0-0.0) (-0.0)'.split(' ');
const strings = ['""', '"a"', '"zé"', '"😀"', '"two words"', '"line\\n"', '"\\u{1F600}x"', '"${1 + 1}b"'];

/** The text of a well-typed program whose `main` has no effects; equal seeds give equal programs. */
export function generateProgram(seed: number): string {
  return new Generator(seed).program();
}

class Generator {
  readonly #choices: Choices;
  readonly #functions: Fn[] = [];
  #names = 0;
  #budget = 0;

  constructor(seed: number) {
    this.#choices = new Choices(seed);
  }

  program(): string {
    const functions = Array.from({ length: this.#choices.next(4) }, () => this.#function());
    this.#budget = 45;
    const result = this.#type(2);
    return `${header}${functions.join('')}export func main() -> ${typeText(result)} = ${this.#expr(result, [], 5)}\n`;
  }

  #function(): string {
    this.#budget = 25;
    const names = ['x', 'acc', 'z'].slice(0, 1 + this.#choices.next(3));
    const parameters = names.map((name): Variable => ({ name, type: this.#type(1) }));
    const result = this.#type(1);
    const name = `f${this.#functions.length}`;
    const body = this.#expr(result, parameters, 4);
    this.#functions.push({ name, parameters: parameters.map(({ type }) => type), result });
    const written = parameters.map((parameter) => `${parameter.name}: ${typeText(parameter.type)}`).join(', ');
    return `func ${name}(${written}) -> ${typeText(result)} = ${body}\n`;
  }

  #type(depth: number): GenType {
    const scalar: readonly GenType[] = ['int', 'int', 'float', 'bool', 'string', 'shape', { record: true }];
    if (depth === 0) return this.#choices.of(scalar);
    switch (this.#choices.next(6)) {
      case 0:
        return { list: this.#type(depth - 1) };
      case 1:
        return { pair: [this.#type(depth - 1), this.#type(depth - 1)] };
      case 2:
        return { option: this.#type(depth - 1) };
      default:
        return this.#choices.of(scalar);
    }
  }

  #bind(type: GenType): Variable {
    // Few names, so that they shadow each other; a wide choice at times.
    this.#names += 1;
    return { name: this.#choices.next(3) === 0 ? `v${this.#names}` : this.#choices.of(['x', 'y', 'z', 'acc']), type };
  }

  #expr(type: GenType, scope: Scope, depth: number): string {
    this.#budget -= 1;
    const visible = scope.filter((one, index) => !scope.slice(index + 1).some(({ name }) => name === one.name));
    const known = visible.filter((variable) => same(variable.type, type));
    if (known.length > 0 && this.#choices.next(depth <= 0 ? 2 : 4) === 0) return this.#choices.of(known).name;
    if (depth <= 0 || this.#budget <= 0) return this.#leaf(type);
    const any = (): string => this.#any(type, scope, depth - 1);
    return this.#choices.next(2) === 0 ? any() : (this.#own(type, scope, depth - 1) ?? any());
  }

  #leaf(type: GenType): string {
    if (type === 'int') return this.#choices.of(integers);
    if (type === 'float') return this.#choices.of(floats);
    if (type === 'bool') return this.#choices.of(['true', 'false']);
    if (type === 'string') return this.#choices.of(strings);
    if (type === 'shape') return this.#choices.of(['Dot', 'Disc(4)', 'Group(Dot, [1])']);
    if ('list' in type)
      return this.#choices.next(2) === 0 ? '[]' : `[${this.#leaf(type.list)}, ${this.#leaf(type.list)}]`;
    if ('pair' in type) return `(${this.#leaf(type.pair[0])}, ${this.#leaf(type.pair[1])})`;
    if ('option' in type) return this.#choices.next(2) === 0 ? 'None' : `Some(${this.#leaf(type.option)})`;
    return `{ n: ${this.#leaf('int')}, s: ${this.#leaf('string')}, f: ${this.#leaf('float')} }`;
  }

  /** Forms that have any type. */
  #any(type: GenType, scope: Scope, depth: number): string {
    const expr = (wanted: GenType, inner: Scope = scope): string => this.#expr(wanted, inner, depth);
    switch (this.#choices.next(9)) {
      case 0:
        return `(if ${expr('bool')} then ${expr(type)} else ${expr(type)})`;
      case 1: {
        const other = this.#type(1);
        const variable = this.#bind(other);
        const value = expr(other);
        return `(let ${variable.name}: ${typeText(other)} = ${value} in ${expr(type, [...scope, variable])})`;
      }
      case 2: {
        const variable = this.#bind(this.#type(1));
        const statement = `let ${variable.name}: ${typeText(variable.type)} = ${expr(variable.type)};`;
        return `{ ${statement} ${expr(type, [...scope, variable])} }`;
      }
      case 3: {
        const variable = this.#bind(this.#type(1));
        const head = `func(${variable.name}: ${typeText(variable.type)}) -> ${typeText(type)}`;
        return `(${head} { ${expr(type, [...scope, variable])} })(${expr(variable.type)})`;
      }
      case 4: {
        const callable = this.#functions.filter((fn) => same(fn.result, type));
        if (callable.length === 0) return expr(type);
        const { name, parameters } = this.#choices.of(callable);
        return `${name}(${parameters.map((parameter) => expr(parameter)).join(', ')})`;
      }
      case 5:
        return this.#loop(type, scope, depth);
      case 6: {
        const item = this.#type(1);
        const [acc, x] = [this.#bind(type), this.#bind(item)];
        if (acc.name === x.name) return expr(type);
        const typed = `${acc.name}: ${typeText(type)}, ${x.name}: ${typeText(item)}`;
        const body = expr(type, [...scope, acc, x]);
        return `foldl(func(${typed}) -> ${typeText(type)} { ${body} }, ${expr(type)}, ${expr({ list: item })})`;
      }
      default:
        return this.#match(type, scope, depth);
    }
  }

  /** A letrec that counts down from a small number. */
  #loop(type: GenType, scope: Scope, depth: number): string {
    const acc = this.#bind(type);
    const inner: Scope = [...scope, { name: 'k', type: 'int' }, acc];
    const step = this.#expr(type, inner, depth);
    const typed = `func(k: int, ${acc.name}: ${typeText(type)}) -> ${typeText(type)}`;
    const loop = `${typed} { if k <= 0 then ${acc.name} else loop(k - 1, ${step}) }`;
    return `(letrec loop = ${loop} in loop(${this.#choices.next(5)}, ${this.#expr(type, scope, depth)}))`;
  }

  #match(type: GenType, scope: Scope, depth: number): string {
    const expr = (wanted: GenType, inner: Scope = scope): string => this.#expr(wanted, inner, depth);
    const guard = (inner: Scope): string => (this.#choices.next(3) === 0 ? ` if ${expr('bool', inner)}` : '');
    const last = (): string => (this.#choices.next(8) === 0 ? '' : `, _ => ${expr(type)}`);
    const item = this.#type(0);
    const [a, b] = [this.#bind(item), this.#bind({ list: item })];
    const pairOf = [...scope, a, ...(a.name === b.name ? [] : [b])];
    const rest = a.name === b.name ? '_' : b.name;
    switch (this.#choices.next(6)) {
      case 0:
        return `(match ${expr({ option: item })} { Some(${a.name})${guard([...scope, a])} => ${expr(type, [...scope, a])}, None => ${expr(type)}${last()} })`;
      case 1: {
        const cons = this.#choices.next(2) === 0 ? `${a.name} :: ${rest}` : `[${a.name}, ...${rest}]`;
        return `(match ${expr({ list: item })} { [] => ${expr(type)}, ${cons}${guard(pairOf)} => ${expr(type, pairOf)}${last()} })`;
      }
      case 2: {
        const other = this.#type(0);
        const c = this.#bind(other);
        const inner = c.name === a.name ? [...scope, a] : [...scope, a, c];
        const second = c.name === a.name ? '_' : c.name;
        return `(match ${expr({ pair: [item, other] })} { (${a.name}, ${second})${guard(inner)} => ${expr(type, inner)}${last()} })`;
      }
      case 3: {
        const n: Variable = { name: 'n', type: 'int' };
        const inner: Scope = [...scope, n];
        return `(match ${expr('shape')} { Dot => ${expr(type)}, Disc(n)${guard(inner)} => ${expr(type, inner)}, Group(Disc(1), _) => ${expr(type)}, Group(_, [n]) => ${expr(type, inner)}${last()} })`;
      }
      case 4: {
        const n: Variable = { name: 'n', type: 'int' };
        return `(match ${expr('int')} { 0 => ${expr(type)}, 3 => ${expr(type)}, n${guard([...scope, n])} => ${expr(type, [...scope, n])}${last()} })`;
      }
      default: {
        const s: Variable = { name: 's', type: 'string' };
        const inner: Scope = [...scope, s];
        return `(match ${expr({ record: true })} { { n: 1, s } => ${expr(type, inner)}, { s: "a" } => ${expr(type)}, { n: _, s }${guard(inner)} => ${expr(type, inner)}${last()} })`;
      }
    }
  }

  /** Forms of one type; null when there is none. */
  #own(type: GenType, scope: Scope, depth: number): string | null {
    const expr = (wanted: GenType, inner: Scope = scope): string => this.#expr(wanted, inner, depth);
    if (type === 'int') return this.#int(expr);
    if (type === 'bool') return this.#bool(expr);
    if (type === 'float') {
      if (this.#choices.next(4) === 0) return this.#choices.of([`(-${expr('float')})`, `${expr({ record: true })}.f`]);
      return `(${expr('float')} ${this.#choices.of(['+', '-', '*', '/', '%'])} ${expr('float')})`;
    }
    if (type === 'string') {
      if (this.#choices.next(4) === 0) return `${expr({ record: true })}.s`;
      const [one, two] = [this.#type(1), this.#type(2)];
      return this.#choices.of([`"\${${expr(one)}}-\${${expr(two)}}"`, `show(${expr(two)})`]);
    }
    if (type === 'shape')
      return this.#choices.of([`Disc(${expr('int')})`, `Group(${expr('shape')}, ${expr({ list: 'int' })})`]);
    if ('list' in type) return this.#list(type.list, scope, depth);
    if ('pair' in type) return `(${expr(type.pair[0])}, ${expr(type.pair[1])})`;
    if ('option' in type) return `Some(${expr(type.option)})`;
    return this.#record(expr);
  }

  /** The base of an update must be known to be a record where it stands: a literal, or a name with its type. */
  #record(expr: (wanted: GenType) => string): string {
    const literal = (): string => `{ s: ${expr('string')}, n: ${expr('int')}, f: ${expr('float')} }`;
    const update = (base: string): string => `{ ${base} | n: ${expr('int')}, s: ${expr('string')} }`;
    switch (this.#choices.next(4)) {
      case 0:
        return update(literal());
      case 1:
        return `(let base: Rec = ${expr({ record: true })} in ${update('base')})`;
      default:
        return literal();
    }
  }

  #int(expr: (wanted: GenType) => string): string {
    switch (this.#choices.next(8)) {
      case 0:
        return `(-${expr('int')})`;
      case 1:
        return `(~${expr('int')})`;
      case 2:
        return `length(${expr({ list: this.#type(1) })})`;
      case 3:
        return `${expr({ record: true })}.n`;
      case 4:
        return `(${expr('int')} ${this.#choices.of(['<<', '>>'])} ${this.#choices.next(70)})`;
      default:
        return `(${expr('int')} ${this.#choices.of(['+', '-', '*', '*', '/', '%', '&', '^'])} ${expr('int')})`;
    }
  }

  #bool(expr: (wanted: GenType) => string): string {
    switch (this.#choices.next(4)) {
      case 0:
        return `(not ${expr('bool')})`;
      case 1:
        return `(${expr('bool')} ${this.#choices.of(['&&', '||'])} ${expr('bool')})`;
      case 2: {
        const type = this.#choices.of<GenType>(['int', 'float', 'string']);
        return `(${expr(type)} ${this.#choices.of(['<', '<=', '>', '>='])} ${expr(type)})`;
      }
      default: {
        const type = this.#type(2);
        return `(${expr(type)} ${this.#choices.of(['==', '!='])} ${expr(type)})`;
      }
    }
  }

  #list(item: GenType, scope: Scope, depth: number): string {
    const expr = (wanted: GenType, inner: Scope = scope): string => this.#expr(wanted, inner, depth);
    const type: GenType = { list: item };
    switch (this.#choices.next(6)) {
      case 0:
        return `(${expr(item)} :: ${expr(type)})`;
      case 1:
        return `(${expr(type)} ++ ${expr(type)})`;
      case 2: {
        const x = this.#bind(this.#type(1));
        const typed = `func(${x.name}: ${typeText(x.type)}) -> ${typeText(item)}`;
        return `map(${typed} { ${expr(item, [...scope, x])} }, ${expr({ list: x.type })})`;
      }
      case 3: {
        const x = this.#bind(item);
        return `filter(func(${x.name}: ${typeText(item)}) -> bool { ${expr('bool', [...scope, x])} }, ${expr(type)})`;
      }
      case 4:
        return `reverse(${expr(type)})`;
      default:
        return `[${Array.from({ length: 1 + this.#choices.next(3) }, () => expr(item)).join(', ')}]`;
    }
  }
}
