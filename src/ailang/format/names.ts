import { keywords } from '../syntax/tokens.js';
import { quoteString } from './quote-string.js';

const plainName = /^[\p{L}_][\p{L}\p{N}\p{M}_']*$/u;

export function isPlainName(text: string): boolean {
  return plainName.test(text) && !keywords.has(text);
}

/** A field name, in quotes where it is no name. */
export function escapeName(text: string): string {
  return isPlainName(text) ? text : quoteString(text);
}

/** An import path, in quotes where its parts are no names. */
export function importPath(path: string): string {
  const parts = path.split('/');
  return parts.every((part) => part === '.' || part === '..' || plainName.test(part)) ? path : quoteString(path);
}
