import { usageError } from '../arguments.js';

/** @throws WorldError `usage` unless the text is `sha256:` and 64 lower-case hex digits */
export function refArgument(text: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(text))
    throw usageError(`"${text}" is not a ref`, 'a ref is sha256: and 64 lower-case hex digits');
  return text;
}
