import type { CoreProgram, CoreTest } from './core/types.js';
import type { Diagnostic } from './diagnostic.js';
import type { CheckedModule } from './modules/checked-module.js';
import type { Builtin } from './std/types.js';

/** How the front end reads files; the only way it touches the world. Paths are as given by the loader (relative to the root). */
export interface SourceHost {
  /** The text, or null when there is no such file. @throws when it exists and cannot be read */
  read(path: string): string | null;
}

export interface CheckOptions {
  /** Entry file, relative to the root of `host`. */
  readonly file: string;
  readonly host: SourceHost;
  /** Sources of `std/<name>`, keyed by module path. */
  readonly std: (module: string) => string | null;
  readonly builtins: readonly Builtin[];
  /** The operator's read-only package cache: reads `vendor/name/version/module.ail`. Without it packages are refused. */
  readonly packages?: SourceHost | null;
  /** Also keep the type of every expression and binder of the program's own modules, for editors. */
  readonly nodeTypes?: boolean;
  /** Refuse surface sugar (`SUGAR_*`) in the program's own modules. */
  readonly strictSyntax?: boolean;
  /** Do not insist on module path = file path (MOD010). */
  readonly relaxModules?: boolean;
  /** False: no warnings about the arms of a match. They cost time that a run, which tells none, need not spend. */
  readonly coverage?: boolean;
  /** Also make Core of the tests of the root module. */
  readonly tests?: boolean;
}

/** One line of a module's interface (ailang-language 5.16). */
export interface ModuleInterface {
  readonly module: string;
  readonly types: readonly {
    readonly name: string;
    readonly params?: readonly string[];
    readonly ctors?: readonly string[];
    readonly alias?: string;
  }[];
  readonly funcs: readonly {
    readonly name: string;
    readonly type: string;
    readonly effects: readonly string[];
    readonly pure: boolean;
  }[];
}

/** `program` is null when there are errors. */
export interface CheckResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  readonly program: CoreProgram | null;
  /** All modules that were checked, with the types of what they declare; what contract proofs are made from. */
  readonly modules: readonly CheckedModule[];
  /** Tests of the root module in source order; empty unless asked for. */
  readonly tests: readonly CoreTest[];
  /** Of the root module; null when it has none. */
  readonly interface: ModuleInterface | null;
  /** Files read, the entry first: what a policy's module-graph limit counts. */
  readonly sources: readonly { readonly path: string; readonly text: string }[];
}

/** `src/ailang/check.ts` */
export type Check = (options: CheckOptions) => CheckResult;

/**
 * What a running program can reach, and nothing else. Each method is one operation of an effect; a missing effect is a
 * capability that was not granted. All are synchronous: a program runs in a process of its own.
 */
export interface EffectHost {
  readonly io?: {
    write(stream: 'stdout' | 'stderr', bytes: Buffer): void;
    flush(): void;
    /** The next line without its terminator, null at end of input. */
    readLine(): string | null;
  };
  /** Throws `FsFailure`-like errors whose message is shown after the operation's name. Confinement is the host's. */
  readonly fs?: {
    readFile(path: string): Buffer;
    writeFile(path: string, content: Buffer, append: boolean): void;
    stat(path: string): 'file' | 'directory' | 'other' | null;
    listDir(path: string): string[];
    mkdir(path: string, recursive: boolean): void;
    remove(path: string): void;
    rename(from: string, to: string): void;
  };
  readonly env?: {
    args(): readonly string[];
    get(name: string): string | null;
    pid(): number;
  };
  readonly net?: {
    request(request: {
      readonly method: string;
      readonly url: string;
      readonly headers: readonly { readonly name: string; readonly value: string }[];
      readonly body: Buffer;
    }): {
      readonly status: number;
      readonly headers: readonly { readonly name: string; readonly value: string }[];
      readonly body: Buffer;
    };
  };
  readonly clock?: { now(): number; sleep(milliseconds: number): void };
  readonly rand?: { bytes(count: number): Buffer };
  /** Called once before each effect operation; throws when the operator's budget is used up. */
  charge(effect: string, operation: string): void;
}

export interface RunOptions {
  readonly program: CoreProgram;
  readonly entry: string;
  /** JSON text, `null` for an entry without parameters. */
  readonly argsJson: string;
  readonly host: EffectHost;
  readonly maxDepth: number;
  readonly verifyContracts: boolean;
  /** Ignore `@limit` and `@min` of effect rows. */
  readonly noBudgets?: boolean;
  /** Print a non-unit result on its own line (through host.io; nothing when IO is absent). */
  readonly printResult: boolean;
}

/** `message` is what follows `Error: execution failed: `. */
export type RunOutcome =
  | { readonly kind: 'finished' }
  | { readonly kind: 'exit'; readonly status: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** `src/ailang/eval/run.ts` */
export type Run = (options: RunOptions) => RunOutcome;
