/** The text of a named reference, or null when there is none of this name. */
export type NamedReference = (name: string) => string | null;

const xmlNames: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The five names XML defines. Entities a document declares are never expanded. */
export const xmlReference: NamedReference = (name) => (Object.hasOwn(xmlNames, name) ? (xmlNames[name] ?? null) : null);

const REFERENCE = /&(?:#[xX]([0-9A-Fa-f]+);|#([0-9]+);|([A-Za-z_:][\w:.-]*);)?/g;

/**
 * Decodes character and entity references. What is none, or names nothing, goes through `refuse`, which throws or gives
 * the text to keep.
 */
export function decodeReferences(text: string, named: NamedReference, refuse: (reference: string) => string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    REFERENCE,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      const found =
        name !== undefined ? named(name) : characterOf(hex === undefined ? Number(decimal) : Number(`0x${hex}`));
      return found ?? refuse(whole);
    },
  );
}

function characterOf(code: number): string | null {
  return code <= 0x10ffff && isXmlCharacter(code) ? String.fromCodePoint(code) : null;
}

/** The characters an XML 1.0 document may contain. */
export function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code < 0xd800 || (code >= 0xe000 && code < 0xfffe) || code >= 0x10000;
}

/** A character, or half of one, that no XML document may contain. */
export const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
