import type { Answer, Question } from './evaluate.js';
import { isUnfinished, readInput } from './input.js';
import { type Piece, piecesOf, resultName, Session } from './session.js';

/** Evaluates a question; a text instead says why there is no answer: interrupted, out of time or memory. */
export type Evaluate = (question: Question) => Promise<Answer | string>;

export interface ReplOptions {
  readonly evaluate: Evaluate;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

const help = `Enter an expression, a definition (func, type, let) or an import; an entry may have several lines.
  :type EXPRESSION   its type, without evaluating it
  :list              what is defined
  :reset             forget all definitions
  :help              this text
  :quit              leave; so does Ctrl-D
Defining a name again replaces it. Ctrl-C ends an evaluation, an empty line an unfinished entry.
Programs read no input here: readLineOpt() is None. Constructors and functions of the library are imported by name.
`;

/** Reads line by line; `feed` says whether it goes on. Nothing that is entered ends it but :quit. */
export class Repl {
  readonly #session = new Session();
  #pending = '';

  constructor(readonly options: ReplOptions) {}

  /** An entry has begun and is not finished. */
  get unfinished(): boolean {
    return this.#pending !== '';
  }

  /** Forgets an unfinished entry. */
  clear(): void {
    this.#pending = '';
  }

  async feed(line: string): Promise<'more' | 'quit'> {
    const text = this.#pending === '' ? line : `${this.#pending}\n${line}`;
    if (line.trim() !== '' && isUnfinished(text)) {
      this.#pending = text;
      return 'more';
    }
    this.#pending = '';
    return this.#enter(text);
  }

  /** The end of the input: what is unfinished is judged as it is. */
  async finish(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    await this.#enter(text);
  }

  async #enter(text: string): Promise<'more' | 'quit'> {
    const input = readInput(text);
    switch (input.k) {
      case 'empty':
        return 'more';
      case 'unknown command':
        this.options.complain(`there is no command :${input.name}; :help lists them\n`);
        return 'more';
      case 'code':
        await this.#code(input.text);
        return 'more';
      case 'command':
        return this.#command(input.name, input.argument);
    }
  }

  async #command(name: string, argument: string): Promise<'more' | 'quit'> {
    if (name === 'quit') return 'quit';
    if (name === 'help') this.options.print(help);
    if (name === 'reset') this.#session.reset();
    if (name === 'list') {
      const listing = this.#session.listing();
      this.options.print(listing === '' ? '' : `${listing}\n`);
    }
    if (name !== 'type') return 'more';
    await this.#type(argument);
    return 'more';
  }

  async #type(text: string): Promise<void> {
    const pieces = piecesOf(text);
    const [piece] = pieces ?? [];
    if (pieces === null) await this.#ask('check', text);
    else if (pieces.length !== 1 || piece?.k !== 'expression') this.options.complain(':type takes an expression\n');
    else {
      const answer = await this.#askValue('type', piece.text);
      if (answer?.k === 'typed') this.options.print(`${answer.type}\n`);
    }
  }

  async #code(text: string): Promise<void> {
    const pieces = piecesOf(text);
    if (pieces === null) {
      await this.#ask('check', text);
      return;
    }
    // Functions and types that are entered together may refer to each other.
    const definitions = pieces.filter((piece) => piece.k === 'definition');
    for (const piece of pieces.filter(({ k }) => k === 'import')) if (!(await this.#piece(piece))) return;
    if (definitions.length > 0) {
      const whole = definitions.map((piece) => piece.text).join('\n');
      if ((await this.#ask('check', whole)) === null) return;
      for (const { name, text: own } of definitions) this.#session.define(name, own);
    }
    const others = pieces.filter(({ k }) => k !== 'import' && k !== 'definition');
    for (const piece of others) if (!(await this.#piece(piece))) return;
  }

  /** @returns false when it failed, and what follows is left out */
  async #piece(piece: Piece): Promise<boolean> {
    switch (piece.k) {
      case 'refused':
        this.options.complain(`${piece.reason}\n`);
        return false;
      case 'import': {
        const answer = await this.#ask('check', piece.text);
        if (answer !== null) this.#session.addImport(piece.text);
        return answer !== null;
      }
      case 'expression': {
        const answer = await this.#askValue('run', piece.text);
        if (answer?.k === 'value' && answer.type !== '()') this.options.print(`${answer.shown} : ${answer.type}\n`);
        return answer !== null;
      }
      case 'value':
        return this.#define(piece);
      case 'definition':
        return true;
    }
  }

  async #define({ name, head, text }: Extract<Piece, { k: 'value' }>): Promise<boolean> {
    const answer = await this.#ask('run', `${text}\nlet ${resultName} = ${name}\n${resultName}`);
    if (answer?.k !== 'value') return false;
    if (answer.literal === null && answer.effects > 0) {
      this.options.complain(
        `${name} is not kept: its value came from an effect and has no text of its own; use it inside one expression\n`,
      );
      return false;
    }
    // The value is kept, not the way to it: an effect happens once.
    this.#session.define(name, answer.literal === null || answer.effects === 0 ? text : `${head}${answer.literal}`);
    this.options.print(`${name} : ${answer.type}\n`);
    return true;
  }

  /** About the value of an expression, which stands on lines of its own: places in it stay what they are. */
  #askValue(k: Question['k'], expression: string): Promise<Answer | null> {
    const { text, firstLine } = this.#session.script(`let ${resultName} =\n${expression}\n${resultName}`);
    return this.#evaluate({ k, text, firstLine: firstLine + 1 });
  }

  #ask(k: Question['k'], text: string): Promise<Answer | null> {
    return this.#evaluate({ k, ...this.#session.script(text) });
  }

  /** Null when there were problems, which the reader has been told. */
  async #evaluate(question: Question): Promise<Answer | null> {
    const answer = await this.options.evaluate(question);
    if (typeof answer === 'string') this.options.complain(`${answer}\n`);
    else if (answer.k === 'problems') this.options.complain(`${answer.problems}\n`);
    else return answer;
    return null;
  }
}
