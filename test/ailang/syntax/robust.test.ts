import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkText } from '../checking.js';

const sample = `import std/list (map, foldl)
type Tree[a] = Leaf | Node(Tree[a], a, Tree[a]) deriving (Eq)
func insert[a](t: Tree[a], x: a) -> Tree[a] = match t {
  Leaf => Node(Leaf, x, Leaf),
  Node(l, v, r) => if x < v then Node(insert(l, x), v, r) else Node(l, v, insert(r, x))
}
export func main() -> () ! {IO @limit=9} {
  let t = foldl(\\acc x. insert(acc, x), Leaf, [3, 1, 2])
  let p = { name: "Ann", age: 41 }
  println("\${p.name} \${{ p | age: 1 + 2 * 3 }.age}");
  match (t, [1]) { (Leaf, _) => (), (_, [x, ...rest]) if x > 0 => println(show(rest)), _ => () }
}
`;
const pieces =
  '( ) { } [ ] " ${ \\ match let func => -> :: ... x 1 . , ; ! {IO} type | @ \' in #[ : = if then else letrec import export 1.5 \u0000 😀'.split(
    ' ',
  );

/** Cuts, doubles and inserts at random places. */
const mutated = fc
  .array(fc.tuple(fc.nat(2), fc.nat(2000), fc.nat(30), fc.constantFrom(...pieces)), { minLength: 1, maxLength: 8 })
  .map((edits) =>
    edits.reduce((text, [kind, at, length, piece]) => {
      const place = at % (text.length + 1);
      if (kind === 0) return text.slice(0, place) + text.slice(place + length);
      if (kind === 1) return `${text.slice(0, place)} ${piece} ${text.slice(place)}`;
      return text.slice(0, place) + text.slice(Math.max(0, place - length));
    }, sample),
  );

test('mutated programs give a result or diagnostics with a place, and never throw', () => {
  fc.assert(
    fc.property(mutated, (text) => {
      const { diagnostics, program } = checkText(text);
      assert.equal(program === null, diagnostics.length > 0);
      for (const found of diagnostics)
        assert.ok((found.position?.line ?? 0) >= 1 && (found.position?.column ?? 0) >= 1);
    }),
    { numRuns: 800 },
  );
});

test('random text never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      checkText(text);
    }),
    { numRuns: 500 },
  );
});

const many = 100_000;
const deep: Readonly<Record<string, string>> = {
  parentheses: `let x = ${'('.repeat(many)}1${')'.repeat(many)}`,
  brackets: `let x = ${'['.repeat(many)}`,
  braces: `let x = ${'{'.repeat(many)}`,
  lambdas: `let x = ${'\\x. '.repeat(many)}x`,
  'lets with in': `let x = ${'let y = 1 in '.repeat(many)}y`,
  'nested ifs': `let x = ${'if true then 1 else '.repeat(many)}1`,
  'list types': `func f(x: ${'['.repeat(many)}int) -> int = 1`,
  'arrow types': `func f(x: ${'int -> '.repeat(many)}int) -> int = 1`,
  patterns: `func f(x: int) -> int = match x { ${'('.repeat(many)} => 1 }`,
  conses: `let x = ${'1 :: '.repeat(many)}[]`,
  sums: `let x = ${'1 + '.repeat(many)}1`,
  calls: `let x = f${'()'.repeat(many)}`,
  holes: `let x = ${'"${'.repeat(many)}`,
  'chains in parentheses': `let x = ${'('.repeat(200)}1${`${'+1'.repeat(390)})`.repeat(200)}`,
};
for (const [what, text] of Object.entries(deep)) {
  test(`${what}, a hundred thousand deep, are one error`, () => {
    const { diagnostics } = checkText(text);
    assert.equal(diagnostics.length, 1);
    assert.match(diagnostics[0]?.code ?? '', /PAR_NESTING_LIMIT|PAR_ILLEGAL_TOKEN/);
  });
}

test('long lines and long files are read in one pass', () => {
  assert.deepEqual(checkText(`let x = "${'a'.repeat(1_000_000)}"`).diagnostics, []);
  assert.deepEqual(checkText(`let x = [${'1,'.repeat(50_000)}1]`).diagnostics, []);
  assert.deepEqual(checkText(`export func main() -> () {\n${'let a = 1;'.repeat(20_000)}\n}`).diagnostics, []);
});
