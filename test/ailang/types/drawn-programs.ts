import fc from 'fast-check';

/** A program drawn from a tape of decisions; names are numbers, so that it can be written with any names. */
export class Draw {
  #at = 0;
  #next = 0;

  constructor(
    readonly tape: readonly number[],
    readonly nameOf: (index: number) => string,
    /** Whether a letrec may occur, which may run for ever. */
    readonly recursive = true,
  ) {}

  pick(choices: number): number {
    const value = this.tape[this.#at % this.tape.length] ?? 0;
    this.#at++;
    return (value + this.#at * 7) % choices;
  }

  fresh(): string {
    return this.nameOf(this.#next++);
  }

  expr(scope: readonly string[], depth: number): string {
    const again = (more: readonly string[] = []) => this.expr([...scope, ...more], depth - 1);
    const atom = () => (scope.length === 0 ? '1' : (scope[this.pick(scope.length)] ?? '1'));
    if (depth <= 0) return [atom(), atom(), '1', '"s"', 'true', '[]', '2.5'][this.pick(7)] ?? '1';
    const [a, b] = [this.fresh(), this.fresh()];
    switch (this.pick(this.recursive ? 14 : 13)) {
      case 0:
        return `(${again()}, ${again()})`;
      case 1:
        return `[${again()}, ${again()}]`;
      case 2:
        return `(\\${a}. ${again([a])})`;
      case 3:
        return `(\\${a} ${b}. ${again([a, b])})`;
      case 4:
        return `(let ${a} = ${again()} in ${again([a])})`;
      case 5:
        return `(let ${a} = \\${b}. ${again([b])} in (${a}(${again([a])}), ${a}(${again([a])})))`;
      case 6:
        return `(if ${again()} then ${again()} else ${again()})`;
      case 7:
        return `(${again()} + ${again()})`;
      case 8:
        return `(${again()} == ${again()})`;
      case 9:
        return `${atom()}(${again()})`;
      case 10:
        return `{ x: ${again()}, y: ${again()} }.${['x', 'y'][this.pick(2)]}`;
      case 11:
        return `(match ${again()} { [] => ${again()}, ${a} :: ${b} => ${again([a, b])} })`;
      case 12:
        return `(match ${again()} { (${a}, ${b}) => ${again([a, b])} })`;
      default:
        return `(letrec ${a} = \\${b}. ${again([a, b])} in ${again([a])})`;
    }
  }

  program(): string {
    const [f, g, p, q] = [this.fresh(), this.fresh(), this.fresh(), this.fresh()];
    const helper = `func ${g}(${p}) = ${this.expr([p], 2)}`;
    return `${helper}\nexport func ${f}(${p}, ${q}) = ${this.expr([g, p, q], 3)}`;
  }
}

export const tapes = fc.array(fc.nat(1000), { minLength: 5, maxLength: 40 });
export const padded = (index: number): string => String(index).padStart(4, '0');
