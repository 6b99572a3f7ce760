export interface Builtin {
  readonly name: string;
  readonly effect: string;
  readonly module: string;
}

const HEADER = /^Total: (\d+) builtins$/;
const LINE = /^\s*(\S+)\s+\[([^\]\s]*)\]\s+(\S+)\s*$/;

/**
 * The text form of `ailang builtins list`: a `Total: N builtins` header, then N lines `name [effect] module`
 * (world-formats 5.5). Null when a line does not fit or the count differs: a cut inventory must not look like a small one.
 */
export function parseInventory(stdout: string): readonly Builtin[] | null {
  const [header = '', ...lines] = stdout.split('\n').filter((line) => line.trim() !== '');
  const total = HEADER.exec(header.trim())?.[1];
  if (total === undefined) return null;
  const builtins: Builtin[] = [];
  for (const line of lines) {
    const [, name, effect, module] = LINE.exec(line) ?? [];
    if (name === undefined || effect === undefined || module === undefined) return null;
    builtins.push({ name, effect, module });
  }
  return builtins.length === Number(total) ? builtins : null;
}
