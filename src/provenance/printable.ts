/** Names and contents from the log must not speak to the terminal. */
export function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
