import { family } from './family.js';

const string = family('std/string', null, [
  ['_str_len', 'string -> int', 'Number of code points.'],
  ['_str_substring', '(string, int, int) -> string', 'From start up to end; indices are clamped.'],
  ['_str_charAt', '(string, int) -> string', 'The character at an index, empty when out of range.'],
  ['_str_charCode', 'string -> int', 'The code point of the first character, 0 for an empty string.'],
  ['_str_chars', 'string -> [string]', 'The characters.'],
  ['_str_compare', '(string, string) -> int', '-1, 0 or 1 by code points.'],
  ['_str_find', '(string, string) -> int', 'Index of the first occurrence, or -1.'],
  ['_str_contains', '(string, string) -> bool', 'Whether the second occurs in the first.'],
  ['_str_startsWith', '(string, string) -> bool', 'Whether the first begins with the second.'],
  ['_str_endsWith', '(string, string) -> bool', 'Whether the first ends with the second.'],
  ['_str_startsWithIgnoreCase', '(string, string) -> bool', 'startsWith, ignoring case.'],
  [
    '_str_split',
    '(string, string) -> [string]',
    'The parts between delimiters; an empty delimiter gives the characters.',
  ],
  ['_str_splitAny', '(string, [string]) -> [string]', 'The parts between any of the delimiters.'],
  ['_str_words', 'string -> [string]', 'The parts between runs of whitespace, none empty.'],
  ['_str_trim', 'string -> string', 'Without whitespace at both ends.'],
  ['_str_upper', 'string -> string', 'In upper case.'],
  ['_str_lower', 'string -> string', 'In lower case.'],
  ['_str_replace', '(string, string, string) -> string', 'With all occurrences of the second replaced by the third.'],
  [
    '_str_replaceMany',
    '(string, [(string, string)]) -> string',
    'With several replacements made in one pass from the left.',
  ],
  ['_str_concat', '[string] -> string', 'All joined.'],
  ['_str_join', '(string, [string]) -> string', 'All joined with the delimiter, which comes first, between.'],
  ['_str_repeat', '(string, int) -> string', 'The string this many times.'],
  ['_str_toInt', 'string -> Option[int]', 'A decimal integer with an optional sign.'],
  ['_str_toFloat', 'string -> Option[float]', 'A decimal number with an optional sign and exponent.'],
  ['_str_fromInt', 'int -> string', 'Decimal digits.'],
  ['_str_fromFloat', 'float -> string', 'The shortest plain notation, without a fraction when whole.'],
  ['_str_foldChars', '((a, string) -> a, a, string) -> a', 'Folds over the characters.'],
  ['_str_foldSlices', '(string, string, a, (a, string) -> a) -> a', 'Folds over the parts of a split.'],
  ['_str_decodeQuotedPrintable', 'string -> string', 'Decodes quoted-printable text as UTF-8.'],
]);

const regex = family('std/regex', null, [
  ['_regex_compile', 'string -> Result[string, string]', 'The pattern itself when it is valid RE2 syntax.'],
  ['_regex_isMatch', '(string, string) -> bool', 'Whether the pattern matches anywhere.'],
  [
    '_regex_findAll',
    '(string, string, int) -> [{text: string, start: int, end: int, groups: [{text: string, start: int, end: int}]}]',
    'At most so many matches (-1: all), with code-point positions.',
  ],
  [
    '_regex_replaceAll',
    '(string, string, string) -> string',
    'Replaces every match; dollar signs introduce group numbers or braced names.',
  ],
  ['_regex_split', '(string, string) -> [string]', 'The parts between matches.'],
]);

const json = family('std/json', null, [
  ['_json_encode', 'Json -> string', 'Compact JSON text.'],
  ['_json_decode', 'string -> Result[Json, string]', 'Parses JSON text.'],
  ['_json_repair', 'string -> Result[string, string]', 'Mends almost-JSON text.'],
  ['_json_decodeFloatArray', 'string -> Result[Array[float], string]', 'Parses a JSON array of numbers.'],
]);

const bytes = family('std/bytes', null, [
  ['_bytes_fromString', 'string -> bytes', 'The UTF-8 encoding.'],
  ['_bytes_toString', 'bytes -> string', 'Decoded as UTF-8.'],
  ['_bytes_fromBase64', 'string -> Option[bytes]', 'Decodes padded base64.'],
  ['_bytes_toBase64', 'bytes -> string', 'Padded base64.'],
  ['_bytes_fromBase64URL', 'string -> Option[bytes]', 'Decodes unpadded base64url.'],
  ['_bytes_toBase64URL', 'bytes -> string', 'Unpadded base64url.'],
  ['_bytes_length', 'bytes -> int', 'Number of bytes.'],
  ['_bytes_byteAt', '(bytes, int) -> Option[int]', 'The byte at an index.'],
  ['_bytes_slice', '(bytes, int, int) -> Option[bytes]', 'So many bytes from a start, None when out of range.'],
  ['_bytes_concatList', '[bytes] -> bytes', 'All joined.'],
  ['_bytes_fromInts', '[int] -> bytes', 'The low eight bits of each.'],
  ['_bytes_toInts', 'bytes -> [int]', 'Each byte, 0 to 255.'],
]);

const crypto = family('std/crypto', null, [
  ['_crypto_sha256Hex', 'string -> string', 'SHA-256 of the UTF-8 text, in hex.'],
  ['_crypto_sha256Bytes', 'bytes -> string', 'SHA-256 in hex.'],
  ['_crypto_hmacSha256', '(string, string) -> string', 'HMAC-SHA-256 of a message with a key, in hex.'],
  ['_crypto_constantTimeEqual', '(string, string) -> bool', 'Compares without revealing where they differ.'],
  [
    '_crypto_rsaVerifyPKCS1v15',
    '(bytes, bytes, string) -> Result[bool, string]',
    'Checks an RSA SHA-256 signature with a PEM key.',
  ],
]);

/** Strings, bytes and their formats. */
export const textBuiltins = [...string, ...regex, ...json, ...bytes, ...crypto];
