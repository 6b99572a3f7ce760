import { fileURLToPath, pathToFileURL } from 'node:url';

/** The path of a `file:` URI, null for another one. */
export function pathOf(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}

export const uriOf = (path: string): string => pathToFileURL(path).href;
