import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseHtml, parseHtmlFragment } from '../../../src/ailang/std/markup/html.js';
import { appendNode, type MarkupNode } from '../../../src/ailang/std/markup/node.js';
import { escapeXml, sanitizeXml, writeXml } from '../../../src/ailang/std/markup/write.js';
import { matchingElements, parseXml } from '../../../src/ailang/std/markup/xml.js';

const reread = (text: string, mode: 'strict' | 'lenient' = 'strict'): string => writeXml(parseXml(text, mode));

test('well-formed documents read to what they say', () => {
  const cases = [
    ['<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x ">]">]><!-- c --><a/>\n', '<a/>'],
    ['<a b=\'1 &lt; 2\' c="x\ty">t&#65;&#x1F600;</a>', '<a b="1 &lt; 2" c="x y">tA😀</a>'],
    ['<a>x<![CDATA[<&]]>y<!-- n --><w:b xml:id="i" /></a >', '<a>x&lt;&amp;y<!-- n --><w:b xml:id="i"/></a>'],
    ['\ufeff<é>\r\n</é>', '<é>\n</é>'],
  ] as const;
  for (const [text, written] of cases) assert.equal(reread(text), written, text);
});

test('malformed documents are refused with the line', () => {
  const cases = [
    ['<a>\n<b></a>', /^line 2: <\/a> found where <\/b> is expected$/],
    ['<a>', /^line 1: the element a is not closed$/],
    ['<a b=1/>', /not quoted/],
    ['<a b="1" b="2"/>', /occurs twice/],
    ['<a b="<"/>', /contains </],
    ['<a>&nbsp;</a>', /unknown reference &nbsp;/],
    ['<a>a & b</a>', /write &amp;/],
    ['<a>&#0;</a>', /unknown reference/],
    ['<a/><b/>', /more after the root/],
    ['x<a/>', /text before the root/],
    ['', /no element/],
    ['<a>\u0001</a>', /U\+0001/],
    ['<a><!-- -- --></a>', /contains --/],
    ['<a', /not closed by >/],
  ] as const;
  for (const [text, problem] of cases) assert.throws(() => parseXml(text, 'strict'), { message: problem }, text);
});

test('lenient parsing mends', () => {
  const cases = [
    ['<a><b>x</a>', '<a><b>x</b></a>'],
    ['<a b=1 c>1 < 2 & 3', '<a b="1" c="">1 &lt; 2 &amp; 3</a>'],
    ['<a></x>&nbsp;</a><b/>', '<a>&amp;nbsp;</a>'],
  ] as const;
  for (const [text, written] of cases) assert.equal(reread(text, 'lenient'), written, text);
});

test('entities a document declares are never expanded', () => {
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
  const text = `<!DOCTYPE z [<!ENTITY l0 "lol">${laughs}]><z>&l9;</z>`;
  assert.throws(() => parseXml(text, 'strict'), { message: /unknown reference &l9;/ });
  assert.equal(reread(text, 'lenient'), '<z>&amp;l9;</z>');
  const external = '<!DOCTYPE z [<!ENTITY x SYSTEM "file:///etc/passwd">]><z>&x;</z>';
  assert.throws(() => parseXml(external, 'strict'), { message: /unknown reference &x;/ });
});

test('depth and size are bounded', () => {
  const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);
  assert.equal(parseXml(nested(1000), 'strict').tag, 'a');
  for (const mode of ['strict', 'lenient'] as const) {
    assert.throws(() => parseXml(nested(100_000), mode), { message: /deeper than 1000/ });
  }
  assert.throws(() => parseHtmlFragment('<div>'.repeat(100_000)), { message: /deeper than 1000/ });
  assert.throws(() => parseXml('<a>é</a>', 'strict', 8), { message: /larger than 8 bytes/ });
  assert.equal(parseXml('<a>é</a>', 'strict', 9).tag, 'a');
});

test('declarations without an end do not make reading slow', () => {
  const started = process.cpuUsage().user;
  assert.throws(() => parseXml('<![>'.repeat(100_000), 'lenient'), { message: /no element/ });
  // Looking for each end anew reads 20 billion characters.
  assert.ok(process.cpuUsage().user - started < 5_000_000);
});

test('matching elements come in order, inner matches stay inside, and the rest is not read', () => {
  const text = '<r><i>1</i><x><i>2<i>3</i></i></x><i/>';
  const found: string[] = [];
  const all = matchingElements(text, 'i');
  for (let count = 0; count < 3; count += 1) found.push(writeXml(all.next().value as MarkupNode));
  assert.deepEqual(found, ['<i>1</i>', '<i>2<i>3</i></i>', '<i/>']);
  assert.throws(() => all.next(), { message: /the element r is not closed/ });
});

const name = fc.stringMatching(/^[a-z_][a-z0-9_.-]{0,5}$/);
const characters = fc.string({ unit: 'binary' }).map(sanitizeXml);
const { tree } = fc.letrec<{ tree: MarkupNode; node: MarkupNode }>((tie) => ({
  tree: fc.record({
    k: fc.constant('element' as const),
    tag: name,
    attributes: fc.uniqueArray(fc.record({ name, value: characters }), { selector: (one) => one.name, maxLength: 3 }),
    children: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => {
      const joined: MarkupNode[] = [];
      for (const one of nodes) if (one.k !== 'text' || one.text !== '') appendNode(joined, { ...one });
      return joined;
    }),
  }),
  node: fc.oneof(
    { maxDepth: 4 },
    fc.record({ k: fc.constant('text' as const), text: characters }),
    fc.record({ k: fc.constant('comment' as const), text: fc.stringMatching(/^[a-z ]{0,6}$/) }),
    tie('tree'),
  ),
}));

test('writing and reading give the same tree', () => {
  fc.assert(
    fc.property(tree, (element) => {
      assert.deepEqual(
        JSON.parse(JSON.stringify(parseXml(writeXml(element), 'strict'))),
        JSON.parse(JSON.stringify(element)),
      );
    }),
  );
});

test('no text makes a tolerant parser fail, and what it makes is well-formed where names are', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    'a',
    'b',
    ' ',
    '=',
    '"',
    "'",
    '&',
    ';',
    '<!--',
    '-->',
    '<![CDATA[',
    '<!',
    '<?',
    'p',
    'td',
    '<script>',
    '\0',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      assert.equal(parseHtml(text).tag, 'html');
      try {
        parseXml(text, 'lenient');
      } catch (error) {
        assert.match((error as Error).message, /there is no element/);
      }
    }),
  );
});

test('escaping leaves nothing with a meaning', () => {
  assert.equal(escapeXml(`<a b="c">'&'</a>`), '&lt;a b=&quot;c&quot;&gt;&apos;&amp;&apos;&lt;/a&gt;');
  assert.equal(sanitizeXml('a\u0000\ud800b😀\uffff\t'), 'ab😀\t');
});

test('HTML is mended as browsers mend it', () => {
  const cases = [
    ['<P>a<p>b', '<p>a</p><p>b</p>'],
    ['<ul><li>1<li>2<ul><li>3</ul></ul>', '<ul><li>1</li><li>2<ul><li>3</li></ul></li></ul>'],
    ['<table><tr><td>1<td>2<tr><td>3</table>', '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>'],
    ['a<br>b<img src=x.png alt>', 'a<br/>b<img src="x.png" alt=""/>'],
    ['<script>if (a < b && c) "</p>"</script>x', '<script>if (a &lt; b &amp;&amp; c) "&lt;/p&gt;"</script>x'],
    ['<style>a &amp; b</style><textarea>&lt;</textarea>', '<style>a &amp;amp; b</style><textarea>&lt;</textarea>'],
    ['&eacute;&nbsp;&unknown;&copy;&#8364;', 'é\u00a0&amp;unknown;©€'],
    ['<b><i>x</b>y</i>', '<b><i>x</i></b>y'],
  ] as const;
  for (const [text, written] of cases) assert.equal(parseHtmlFragment(text).map(writeXml).join(''), written, text);
});

test('a document gets its html, head and body', () => {
  const cases = [
    ['', '<html><head/><body/></html>'],
    ['<!doctype html><title>T</title><p>x', '<html><head><title>T</title></head><body><p>x</p></body></html>'],
    [
      '<html lang=en><head><meta charset=utf-8></head><body class=a>hi</body></html>',
      '<html lang="en"><head><meta charset="utf-8"/></head><body class="a">hi</body></html>',
    ],
  ] as const;
  for (const [text, written] of cases) assert.equal(writeXml(parseHtml(text)), written, text);
});
