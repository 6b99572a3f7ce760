import { type Diagnostic, diagnosticOf } from '../diagnostic.js';
import type { Source } from '../syntax/source.js';

const maximumPerModule = 20;

/** Collects the findings of one module. */
export class Reporter {
  readonly errors: Diagnostic[] = [];
  readonly warnings: Diagnostic[] = [];
  readonly #places = new Set<string>();

  constructor(
    readonly source: Source,
    /** A hint naming the std modules that export this name, or null. */
    readonly whereDefined: (name: string) => string | null,
    /** Whether `std/<name>` exists. */
    readonly isStdModule: (name: string) => boolean = () => false,
    /** Whether a library module exports a name. */
    readonly exportedBy: (module: string, name: string) => boolean = () => false,
  ) {}

  /** Whether nothing more is reported: then no hint needs to be looked for. */
  get full(): boolean {
    return this.errors.length >= maximumPerModule;
  }

  /** One error; a second one at the same place is left out, it mostly follows from the first. */
  error(code: string, offset: number, message: string, suggestion?: string): void {
    const position = this.source.position(offset);
    const key = `${position.line}:${position.column}`;
    if (this.#places.has(key) || this.full) return;
    this.#places.add(key);
    this.errors.push(diagnosticOf(code, message, position, suggestion));
  }

  warning(code: string, offset: number, message: string, suggestion: string): void {
    if (this.warnings.length < maximumPerModule)
      this.warnings.push(diagnosticOf(code, message, this.source.position(offset), suggestion));
  }
}
