/**
 * One native primitive: a line of the table that the checker types calls with, the evaluator implements and
 * `builtins list` prints.
 */
export interface Builtin {
  /** `_str_len`, `show`. */
  readonly name: string;
  /** The module that exposes it, `std/string`, or `$builtin`. */
  readonly module: string;
  /** In AILANG's own type syntax, `(string, int) -> Option[string] ! {FS}`; lower-case names that are no types are variables. */
  readonly type: string;
  /** `IO`, `FS`, … or null when pure. */
  readonly effect: string | null;
  readonly description: string;
}
