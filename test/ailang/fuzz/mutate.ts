import type { Random } from './random.js';

const token = /[ \t]+|\n|"(?:\\.|[^"\\])*"|[\p{L}_][\p{L}\p{N}_']*|[0-9.]+|[-+*/%=!<>&|^~:.$\\]+|./gsu;

/** What a model writes that knows other languages, and what a hurried hand leaves. */
const pieces = [
  ...'( ) { } [ ] #[ " \' ` ${ \\ . , ; : = => -> <- :: ++ += == === != ! ! {IO} | || |> & && .. ... ? @ $ # // /* */'.split(
    ' ',
  ),
  ...'let letrec in if then else match func pure export import module type deriving requires ensures tests'.split(' '),
  ...'properties forall true false not and or as for while return def fn class null None Some Ok x xs _ T'.split(' '),
  ...'1 -1 0x 1.5 1e999 9223372036854775808 "" "${" "\\q" \n \t\ud800 \u0301 é 😀 \u00a0 \u0000'.split(' '),
];

/** One to eight edits of tokens: removed, doubled, exchanged, replaced, or taken from another text. */
export function mutateTokens(random: Random, text: string, other: string): string {
  const tokens = text.match(token) ?? [];
  const strangers = other.match(token) ?? [''];
  for (let edits = 1 + random.below(8); edits > 0; edits--) {
    const at = random.below(tokens.length + 1);
    const length = 1 + random.below(random.pick([1, 1, 3, 12]));
    switch (random.below(7)) {
      case 0:
        tokens.splice(at, length);
        break;
      case 1:
        tokens.splice(at, 0, ...tokens.slice(at, at + length));
        break;
      case 2: {
        const second = random.below(tokens.length + 1);
        [tokens[at], tokens[second]] = [tokens[second] ?? '', tokens[at] ?? ''];
        break;
      }
      case 3:
        tokens[at] = random.pick(pieces);
        break;
      case 4:
        tokens.splice(at, 0, random.pick(pieces));
        break;
      case 5: {
        const from = random.below(strangers.length);
        tokens.splice(at, length, ...strangers.slice(from, from + length));
        break;
      }
      default:
        tokens.splice(at, 0, random.pick(strangers));
    }
  }
  return tokens.join('');
}

/** Some bits turned, as a broken transfer would. */
export function flipBytes(random: Random, text: string): string {
  const bytes = Buffer.from(text);
  for (let flips = 1 + random.below(12); flips > 0 && bytes.length > 0; flips--) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  }
  return bytes.toString('utf8');
}

/** Bytes, code points or tokens without any order. */
export function noise(random: Random): string {
  const length = random.below(random.pick([10, 100, 2000]));
  switch (random.below(3)) {
    case 0:
      return Buffer.from(Array.from({ length }, () => random.below(256))).toString('utf8');
    case 1:
      return Array.from({ length }, () =>
        String.fromCodePoint(random.below(random.pick([128, 0x3000, 0x110000]))),
      ).join('');
    default:
      return Array.from({ length }, () => random.pick(pieces)).join(random.pick(['', ' ', '\n']));
  }
}
