/** A float literal with this value, which is finite and not negative. */
export function floatText(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
