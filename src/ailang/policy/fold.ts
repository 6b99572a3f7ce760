const ascii = /^[\x00-\x7f]*$/;

const oneCodePoint = (text: string): boolean =>
  text.length === 1 || (text.length === 2 && text.codePointAt(0)! > 0xffff);

/** The one orbit that no case mapping reaches: the two st ligatures. */
const keys = new Map<string, string>([['\ufb05', '\ufb06']]);

/** The representative of a character's simple-folding orbit; `ı` and `İ` stand alone, as in Unicode's C and S rules. */
function orbit(character: string): string {
  const known = keys.get(character);
  if (known !== undefined) return known;
  const upper = character.toUpperCase();
  const lower = (oneCodePoint(upper) ? upper : character).toLowerCase();
  const same = new RegExp(`^${`\\u{${character.codePointAt(0)!.toString(16)}}`}$`, 'iu');
  const candidates = [lower, character.toLowerCase()];
  const key = candidates.find((candidate) => oneCodePoint(candidate) && same.test(candidate)) ?? character;
  keys.set(character, key);
  return key;
}

/**
 * The comparison key of a file name: NFC, then Unicode simple case folding (long s, Kelvin sign, Greek variants
 * included). Two names with the same key may be one file on some disk (ailang-cli section 2).
 */
export function fold(name: string): string {
  if (ascii.test(name)) return name.toLowerCase();
  let key = '';
  for (const character of name.normalize('NFC')) key += orbit(character);
  return key;
}
