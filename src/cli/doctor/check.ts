/** One finding: `ok`, something to know, or something broken. A `fix` says what to do. */
export type Finding =
  | { readonly mark: 'ok'; readonly name: string; readonly text: string }
  | { readonly mark: 'note' | 'broken'; readonly name: string; readonly text: string; readonly fix: string };

export const ok = (name: string, text: string): Finding => ({ mark: 'ok', name, text });
export const note = (name: string, text: string, fix: string): Finding => ({ mark: 'note', name, text, fix });
export const broken = (name: string, text: string, fix: string): Finding => ({ mark: 'broken', name, text, fix });
