import { parseArgs } from 'node:util';
import { UsageError } from './context.js';

type FlagTypes = Readonly<Record<string, 'boolean' | 'string'>>;

export interface Arguments<F extends FlagTypes> {
  readonly flags: { readonly [K in keyof F]?: F[K] extends 'boolean' ? boolean : string };
  readonly positionals: readonly string[];
}

/** Flags may stand before or after the positional arguments; `--` ends them. @throws UsageError */
export function parseArguments<F extends FlagTypes>(args: readonly string[], flags: F): Arguments<F> {
  const options = Object.fromEntries(Object.entries(flags).map(([name, type]) => [name, { type }]));
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { flags: values as Arguments<F>['flags'], positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Exactly one positional argument. @throws UsageError naming what is wanted */
export function only(positionals: readonly string[], what: string): string {
  const [first, ...more] = positionals;
  if (first === undefined) throw new UsageError(`${what} is missing`);
  if (more.length > 0) throw new UsageError(`one ${what} is wanted, not also ${more.join(' ')}`);
  return first;
}
