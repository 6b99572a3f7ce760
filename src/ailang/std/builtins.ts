import { archiveBuiltins } from './table/archives.js';
import { collectionBuiltins } from './table/collections.js';
import { documentBuiltins } from './table/documents.js';
import { effectBuiltins } from './table/effects.js';
import { hostBoundBuiltins, refusedBuiltins } from './table/host-bound.js';
import { numberBuiltins } from './table/numbers.js';
import { operatorBuiltins } from './table/operators.js';
import { textBuiltins } from './table/text.js';
import type { Builtin } from './types.js';

/**
 * Every native primitive, sorted by name. Type names in `type` mean `Option` of std/option, `Result` of std/result, or
 * a type of the module that exposes the primitive.
 */
export const builtins: readonly Builtin[] = [
  ...operatorBuiltins,
  ...effectBuiltins,
  ...textBuiltins,
  ...collectionBuiltins,
  ...numberBuiltins,
  ...documentBuiltins,
  ...archiveBuiltins,
  ...refusedBuiltins,
  ...hostBoundBuiltins,
].sort((a, b) => (a.name < b.name ? -1 : 1));
