import type { CoreModule, CoreTest, EntryPoint } from '../core/types.js';
import type { Diagnostic } from '../diagnostic.js';
import type { ModuleInterface } from '../interfaces.js';
import type { File } from '../syntax/ast.js';
import type { Source } from '../syntax/source.js';
import type { Facts } from '../types/inference.js';
import type { Exports, ModuleScope } from './scope.js';

/** One module after all phases. `core` is null when the module has errors. */
export interface CheckedModule {
  readonly path: string;
  readonly source: Source;
  readonly file: File;
  readonly facts: Facts | null;
  /** What its names mean: types of functions, constructors. */
  readonly scope: ModuleScope;
  readonly exports: Exports;
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  readonly core: CoreModule | null;
  /** Empty unless asked for. */
  readonly tests: readonly CoreTest[];
  readonly entries: readonly EntryPoint[];
  readonly interface: ModuleInterface;
}
