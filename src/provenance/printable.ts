/** Names and contents from the log must not speak to the terminal. The colours put here stay. */
export function printable(line: string): string {
  return line.replace(/\u001b\[(?:31|32|0)m|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (match) =>
    match.length > 1 ? match : '\ufffd',
  );
}
