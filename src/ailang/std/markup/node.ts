/** A tree of markup, XML or HTML, as the parsers make it. */
export type MarkupNode =
  | {
      readonly k: 'element';
      readonly tag: string;
      readonly attributes: readonly Attribute[];
      readonly children: MarkupNode[];
    }
  | { readonly k: 'text'; text: string }
  | { readonly k: 'comment'; readonly text: string };

export type MarkupElement = Extract<MarkupNode, { k: 'element' }>;

export interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** Elements inside one another, at most. */
export const MAX_DEPTH = 1000;

/** Why a document is refused; `message` names the line. */
export class MarkupError extends Error {}

/** Appends, joining texts that follow each other. */
export function appendNode(children: MarkupNode[], node: MarkupNode): void {
  const last = children.at(-1);
  if (node.k === 'text' && last?.k === 'text') last.text += node.text;
  else children.push(node);
}
