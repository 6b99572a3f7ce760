// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are programs, with interpolations of their own
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runText } from '../eval/programs.js';

/** What expressions show, by the imports they need. */
const tables: Readonly<Record<string, readonly (readonly [expression: string, shown: string])[]>> = {
  'import std/string (length, substring, charAt, charCode, chars, compare, find, contains, startsWithIgnoreCase, split, splitAny, words, trim, toUpper, replace, replaceMany, concat, join, repeat, stringToInt, stringToFloat, intToStr, floatToStr, foldChars, foldSlices, mapSlicesJoin, decodeQuotedPrintable)':
    [
      ['length("aé😀")', '3'],
      ['substring("a😀bc", 1, 3)', '😀b'],
      ['substring("abc", -5, 99)', 'abc'],
      ['substring("abc", 2, 1)', ''],
      ['charAt("a😀", 1)', '😀'],
      ['charAt("a", 7)', ''],
      ['charCode("😀")', '128512'],
      ['chars("é😀")', '[é, 😀]'],
      ['compare("a", "b")', '-1'],
      ['find("😀ab", "b")', '2'],
      ['find("ab", "x")', '-1'],
      ['contains("haystack", "st")', 'true'],
      ['startsWithIgnoreCase("HeLLo", "hEl")', 'true'],
      ['split("a,b,,c", ",")', '[a, b, , c]'],
      ['splitAny("a,b;c", [",", ";"])', '[a, b, c]'],
      ['words("  a \\t b\\n")', '[a, b]'],
      ['trim("\\u00a0 x \\n")', 'x'],
      ['toUpper("straße")', 'STRASSE'],
      ['replace("a.a.a", ".", "$&")', 'a$&a$&a'],
      ['replaceMany("abc", [("a", "b"), ("b", "c")])', 'bcc'],
      ['concat(["a", "b"])', 'ab'],
      ['join("-", ["a", "b"])', 'a-b'],
      ['repeat("ab", 3)', 'ababab'],
      ['stringToInt("-12")', 'Some(-12)'],
      ['stringToInt("1.5")', 'None'],
      ['stringToInt("9223372036854775808")', 'None'],
      ['stringToFloat("1e3")', 'Some(1000.0)'],
      ['stringToFloat("")', 'None'],
      ['intToStr(7)', '7'],
      ['floatToStr(2.50)', '2.5'],
      ['foldChars(\\acc c. "${c}${acc}", "", "abc")', 'cba'],
      ['foldSlices("1,2", ",", 0, \\n s. n + length(s))', '2'],
      ['mapSlicesJoin("a b", " ", \\s. toUpper(s))', 'A B'],
      ['decodeQuotedPrintable("caf=C3=A9=\\n!")', 'café!'],
    ],
  'import std/list (head, tail, reverse, concat, zip, zipWith, foldr, mapAccumL, sortBy, take, drop, range, member, nth, last, nth_or, head_or, last_or, any, findIndex, flatMap, takeFlatMap, takeMap, maximumInt, minimumString, dedup, intersect, union, difference)':
    [
      ['head([1])', 'Some(1)'],
      ['tail([1, 2])', '[2]'],
      ['reverse([1, 2])', '[2, 1]'],
      ['concat([1], [2])', '[1, 2]'],
      ['zip([1, 2], ["a"])', '[(1, a)]'],
      ['zipWith(\\a b. a + b, [1, 2], [3, 4])', '[4, 6]'],
      ['foldr(\\x acc. x - acc, 0, [5, 3, 1])', '3'],
      ['mapAccumL(\\s x. (x * s, s + x), 1, [1, 2, 3])', '([1, 4, 12], 7)'],
      ['sortBy(\\a b. 0, [3, 1, 2])', '[3, 1, 2]'],
      ['take(2, [1, 2, 3])', '[1, 2]'],
      ['drop(5, [1])', '[]'],
      ['range(-1, 2)', '[-1, 0, 1]'],
      ['member((1, "a"), [(1, "a")])', 'true'],
      ['nth([1], -1)', 'None'],
      ['last([1, 2])', 'Some(2)'],
      ['nth_or([1], 3, 9)', '9'],
      ['head_or([], 4)', '4'],
      ['last_or([1, 5], 4)', '5'],
      ['any(\\x. x > 1, [1, 2])', 'true'],
      ['findIndex(\\x. x == 2, [1, 2])', 'Some(1)'],
      ['flatMap(\\x. [x, x], [1, 2])', '[1, 1, 2, 2]'],
      ['takeFlatMap(3, \\x. [x, x], [1, 2])', '[1, 1, 2]'],
      ['takeMap(2, \\x. 10 / x, [1, 2, 0])', '[10, 5]'],
      ['maximumInt([1, 3, 2])', 'Some(3)'],
      ['minimumString(["b", "a"])', 'Some(a)'],
      ['dedup([1, 2, 1])', '[1, 2]'],
      ['intersect([1, 2, 3], [3, 2])', '[2, 3]'],
      ['union([[1], [2]], [[2], [3]])', '[[1], [2], [3]]'],
      ['difference([1, 2, 3], [2])', '[1, 3]'],
    ],
  'import std/json (decode, encode, repair, get, getInt, getString, getStringArray, getStringArrayStrict, getNumberArrayOrEmpty, asBoolLoose, keys, jo, kv, jnum, jn, js, ja, jb, decodeFloatArray)\nimport std/result (map)':
    [
      ['encode(jo([kv("b", jnum(30.0)), kv("a", jnum(-0.0))]))', '{"b":30,"a":-0.0}'],
      [
        'encode(ja([jnum(0.000001), jnum(0.0000001), jnum(1e21), jnum(1e20), jnum(0.0 / 0.0)]))',
        '[0.000001,1e-7,1e+21,100000000000000000000,null]',
      ],
      [
        'map(\\j. encode(j), decode("{\\"2\\":1,\\"1\\":[true,null,\\"\\\\u00e9\\"]}"))',
        'Ok({"2":1,"1":[true,null,"é"]})',
      ],
      ['map(\\j. encode(j), decode("1e400"))', 'Err(number 1e400 out of range)'],
      ['map(\\j. encode(j), decode("[1,]"))', "Err(invalid character ']' looking for beginning of value at offset 3)"],
      ['map(\\j. encode(j), decode("01"))', "Err(invalid character '1' after top-level value at offset 1)"],
      ['map(\\j. getInt(j, "a"), decode("{\\"a\\":-2.7}"))', 'Ok(Some(-2))'],
      ['map(\\j. getString(j, "a"), decode("{\\"a\\":1}"))', 'Ok(None)'],
      ['map(\\j. keys(j), decode("{\\"b\\":1,\\"a\\":2}"))', 'Ok([b, a])'],
      ['map(\\j. getStringArray(j, "a"), decode("{\\"a\\":[\\"x\\",1]}"))', 'Ok(Some([x]))'],
      ['map(\\j. getStringArrayStrict(j, "a"), decode("{\\"a\\":[\\"x\\",1]}"))', 'Ok(None)'],
      ['getNumberArrayOrEmpty(jn(), "a")', '[]'],
      ['asBoolLoose(js("Yes"))', 'Some(true)'],
      ['decodeFloatArray("[1, 2.5]")', 'Ok(#[1.0, 2.5])'],
      ['repair("```json\\n{\'a\': True, b: [1, 2,], // c\\n")', 'Ok({"a":true,"b":[1,2]})'],
      ['repair("see {\\"here\\": ")', 'Ok({"here":null})'],
      ['repair("nothing { here")', 'Err(the text cannot be mended into JSON)'],
    ],
  'import std/map as M\nimport std/array as A\nimport std/bytes as B': [
    ['M.fromList([("b", 1), ("a", 2), ("b", 3)])', 'Map{a: 2, b: 3}'],
    ['M.keys(M.fromList([(10, "x"), (9, "y")]))', '[9, 10]'],
    ['M.lookup(M.fromList([(1, 2)]), 1)', 'Some(2)'],
    ['M.toList(M.remove(M.fromList([(1, 2), (3, 4)]), 1))', '[(3, 4)]'],
    ['M.size(M.empty())', '0'],
    ['A.set(A.fromList([1, 2]), 1, 5)', '#[1, 5]'],
    ['A.getOpt(#[1], 1)', 'None'],
    ['A.append(A.make(2, 0), 1)', '#[0, 0, 1]'],
    ['A.dot(#[1.0, 2.0], #[3.0, 4.0])', '11.0'],
    ['B.toBase64(B.fromString("é"))', 'w6k='],
    ['B.toBase64URL(B.fromInts([251, 255]))', '-_8'],
    ['B.fromBase64("w6k")', 'None'],
    ['B.toInts(B.concat(B.fromString("a"), B.fromInts([256, -1])))', '[97, 0, 255]'],
    ['B.slice(B.fromString("abc"), 2, 2)', 'None'],
    ['B.byteAt(B.fromString("a"), 0)', 'Some(97)'],
  ],
  'import std/regex (compile, isMatch, findFirst, findAll, replaceAll, split)\nimport std/result (map)\nimport std/list as L':
    [
      [
        'map(\\r. findFirst(r, "x😀12-3"), compile("(\\\\d+)-(\\\\d)(z)?"))',
        'Ok(Some({end: 6, groups: [..., ..., ...], start: 2, text: 12-3}))',
      ],
      [
        'map(\\r. L.flatMap(\\m. L.map(\\g. (g.text, g.start, g.end), m.groups), findAll(r, "x😀12")), compile("(\\\\d)(\\\\d)(z)?"))',
        'Ok([(1, 2, 3), (2, 3, 4), (, -1, -1)])',
      ],
      ['map(\\r. L.map(\\m. m.text, findAll(r, "a1bb22")), compile("[a-z]+|[[:digit:]]+"))', 'Ok([a, 1, bb, 22])'],
      [
        'map(\\r. replaceAll(r, "john smith", "\\${last}, $1"), compile("(\\\\w+) (?P<last>\\\\w+)"))',
        'Ok(smith, john)',
      ],
      ['map(\\r. split(r, "a1b22c"), compile("[0-9]+"))', 'Ok([a, b, c])'],
      ['map(\\r. isMatch(r, "HELLO"), compile("(?i)h[a-f]l+o$"))', 'Ok(true)'],
      ['map(\\r. isMatch(r, "a\\nb"), compile("(?m)^b"))', 'Ok(true)'],
      [
        'map(\\r. isMatch(r, "a"), compile("(a)\\\\1"))',
        'Err(error parsing regexp: invalid escape sequence: \\1 (no backreferences))',
      ],
      [
        'map(\\r. isMatch(r, "a"), compile("(?=a)"))',
        'Err(error parsing regexp: invalid or unsupported Perl syntax: (?=a)',
      ],
      ['map(\\r. isMatch(r, "a"), compile("(a"))', 'Err(error parsing regexp: missing closing ))'],
    ],
  'import std/datetime (year, month, day, weekday, hour, addMonths, addDays, diffDays, startOfWeek, makeDate, makeDateTime, formatISODate, formatRFC3339, formatMonthShort, formatWeekdayFull, parseISODate, parseRFC3339)':
    [
      ['makeDate(1970, 1, 2)', '86400'],
      ['formatRFC3339(makeDateTime(2026, 2, 3, 4, 5, 6))', '2026-02-03T04:05:06Z'],
      ['formatISODate(addMonths(makeDate(2024, 1, 31), 1))', '2024-02-29'],
      ['formatISODate(addMonths(makeDate(2024, 1, 31), -2))', '2023-11-30'],
      ['diffDays(makeDate(2024, 3, 1), makeDate(2024, 2, 1))', '29'],
      ['formatISODate(startOfWeek(makeDate(2026, 12, 1)))', '2026-11-30'],
      ['formatWeekdayFull(makeDate(2026, 12, 1))', 'Tuesday'],
      ['formatMonthShort(makeDate(2026, 12, 1))', 'Dec'],
      ['parseISODate("2023-02-29")', 'None'],
      ['parseRFC3339("1970-01-01T01:00:00+01:00")', 'Some(0)'],
      ['hour(-1)', '23'],
    ],
  'import std/math (abs_Int, round, floor, pow, sqrt, floatToInt, intToFloat, bitwiseOr, shiftRightLogical, isNaN, PI)':
    [
      ['abs_Int(-3)', '3'],
      ['round(-2.5)', '-3.0'],
      ['round(0.49999999999999994)', '0.0'],
      ['floor(-0.5)', '-1.0'],
      ['pow(2.0, 10.0)', '1024.0'],
      ['floatToInt(-2.9)', '-2'],
      ['intToFloat(3)', '3.0'],
      ['bitwiseOr(5, 2)', '7'],
      ['shiftRightLogical(-1, 60)', '15'],
      ['isNaN(0.0 / 0.0)', 'true'],
      ['PI()', '3.141592653589793'],
    ],
  'import std/crypto (sha256Hex, hmacSha256, constantTimeEqual)\nimport std/net (urlEncode, urlEncodeForm, parseUrl, parseQuery)\nimport std/result (map)':
    [
      ['sha256Hex("")', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      [
        'hmacSha256("what do ya want for nothing?", "Jefe")',
        '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      ],
      ['constantTimeEqual("a", "b")', 'false'],
      ['urlEncode("a b&é")', 'a+b%26%C3%A9'],
      ['urlEncodeForm([{ name: "a", value: "1 2" }, { name: "b", value: "=" }])', 'a=1+2&b=%3D'],
      [
        'map(\\u. "${u.scheme}|${u.host}|${u.port}|${u.path}|${u.query}|${u.fragment}", parseUrl("HTTP://h:8/p?q=1#f"))',
        'Ok(http|h|8|/p|q=1|f)',
      ],
      ['parseQuery("a=1%202&b")', '[{name: a, value: 1 2}, {name: b, value: }]'],
    ],
};

for (const [imports, cases] of Object.entries(tables)) {
  const modules = [...imports.matchAll(/std\/\w+/g)].join(', ');
  for (const [expression, shown] of cases) {
    test(`${modules}: ${expression}`, () => {
      const { stdout, outcome } = runText(
        `module main\n${imports}\nexport func main() -> () ! {IO} = println(show(${expression}))\n`,
      );
      assert.deepEqual([stdout, outcome], [`${shown}\n`, { kind: 'finished' }]);
    });
  }
}

test('a pattern that would backtrack without end is answered at once', () => {
  const text = `module main
import std/regex (compile, isMatch)
import std/string (repeat)
export func main() -> bool = match compile("^(a+)+$") { Ok(r) => isMatch(r, "\${repeat("a", 40)}b"), Err(_) => true }`;
  const started = process.hrtime.bigint();
  assert.equal(runText(text).stdout, 'false\n');
  // Backtracking would take hours.
  assert.ok(process.hrtime.bigint() - started < 20_000_000_000n);
});

test('seeded randomness repeats itself and stays within its bounds', () => {
  const text = `module main
import std/rand (rand_int, rand_seed, rand_float)
import std/list (mapE, range)
func draw() -> [int] ! {Rand} { rand_seed(7); mapE(\\i. rand_int(1, 3), range(0, 20)) }
export func main() -> bool ! {Rand} { let a = draw(); let f = rand_float(2.0, 3.0); let b = draw(); a == b && f >= 2.0 && f < 3.0 }`;
  const rand = { bytes: (count: number): Buffer => Buffer.alloc(count, 3) };
  assert.equal(runText(text, { host: { rand } }).stdout, 'true\n');
});
