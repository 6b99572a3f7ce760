import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DocumentFormattingRequest, DocumentSymbolRequest } from 'vscode-languageserver-protocol/node';
import { ailang } from '../cli/program.js';
import { scratch } from '../policy/scratch.js';
import { marked, startEditor } from './client.js';

const shapes =
  'module app/shapes\n\nexport type Shape = Circle(int) | Square(int)\n\nexport pure func area(s: Shape) -> int = match s {\n  Circle(r) => 3 * r * r,\n  Square(a) => a * a\n}\n';
const files = { 'app/shapes.ail': shapes };

test('initialize says what the server can do', async (t) => {
  const { initialized } = await startEditor(t, scratch(t));
  assert.deepEqual(initialized.capabilities, {
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: 1 },
    hoverProvider: true,
    definitionProvider: true,
    documentSymbolProvider: true,
    documentFormattingProvider: true,
  });
  assert.equal(initialized.serverInfo?.name, 'ailang');
});

test('findings follow the buffer, not the disk, and are gone when it is right', async (t) => {
  const editor = await startEditor(t, scratch(t, { 'm.ail': 'module m\n' }));
  const wrong = await editor.type('m.ail', 'module m\n\nfunc f(n: int) -> string = n\n');
  assert.equal(wrong.length, 1);
  assert.deepEqual([wrong[0]?.source, wrong[0]?.severity], ['ailang', 1]);
  assert.match(String(wrong[0]?.code), /^T[CY]/);
  assert.deepEqual(wrong[0]?.range, { start: { line: 2, character: 27 }, end: { line: 2, character: 28 } });
  assert.deepEqual(await editor.type('m.ail', 'module m\n\nfunc f(n: int) -> int = n\n'), []);
  const unreadable = await editor.type('m.ail', 'module m\n\nfunc f( = \n');
  assert.ok(unreadable.length > 0);
  assert.match(String(unreadable[0]?.code), /^PAR/);
});

test('findings agree with ailang check, place for place', async (t) => {
  const text = 'module m\n\nfunc f(n: int) -> string = n\nfunc g() -> int = missing + 1\nfunc h() -> bool = 1 + true\n';
  const folder = scratch(t, { 'm.ail': text });
  const editor = await startEditor(t, folder);
  const found = await editor.type('m.ail', text);
  const { errors } = JSON.parse(ailang(['check', '--json', 'm.ail'], { cwd: folder }).stdout);
  assert.ok(errors.length >= 3);
  assert.deepEqual(
    found.map(({ code, range }) => [code, range.start.line + 1, range.start.character + 1]),
    errors.map((error: { code: string; line: number; column: number }) => [error.code, error.line, error.column]),
  );
});

test('an unsaved change in one file is seen by the file that imports it', async (t) => {
  const editor = await startEditor(t, scratch(t, files));
  const main = 'module main\nimport app/shapes (area, Circle)\nlet big: int = area(Circle(2))\n';
  assert.deepEqual(await editor.type('main.ail', main), []);
  await editor.type('app/shapes.ail', shapes.replace('area(s', 'size(s'));
  const [missing] = await editor.findings('main.ail', (found) => found.diagnostics.length > 0);
  assert.match(String(missing?.message), /area/);
  await editor.type('app/shapes.ail', shapes);
  assert.deepEqual(await editor.findings('main.ail', () => true), []);
});

test('errors of an imported file on disk are shown at that file, and withdrawn', async (t) => {
  const folder = scratch(t, { 'lib.ail': 'module lib\nexport func one() -> int = "1"\n' });
  const editor = await startEditor(t, folder);
  const main = 'module main\nimport lib (one)\nlet two: int = one() + 1\n';
  await editor.type('main.ail', main);
  const [error] = await editor.findings('lib.ail', (found) => found.diagnostics.length > 0);
  assert.equal(error?.range.start.line, 1);
  writeFileSync(join(folder, 'lib.ail'), 'module lib\nexport func one() -> int = 1\n');
  await editor.type('main.ail', `${main}\n`);
  assert.deepEqual(await editor.findings('lib.ail', () => true), []);
});

test('a closed document has no findings left', async (t) => {
  const editor = await startEditor(t, scratch(t, { 'm.ail': 'module m\n' }));
  assert.equal((await editor.type('m.ail', 'module m\nlet x: int = "a"\n')).length, 1);
  await editor.close('m.ail');
  assert.deepEqual(await editor.findings('m.ail', (found) => found.version === undefined), []);
});

const program = `module main

import app/shapes (Shape, area, Circle)
import std/list as L
import std/string (join, toUpper)

type Item = { name: string, count: int }

func total(items: [Item]) -> int = L.foldl(\\sum item. sum + item.count, 0, items)

func describe(s: Shape) -> string = match s {
  Circle(radius) => "circle \${show(radius)}",
  _ => "other"
}

export func main() -> () ! {IO} {
  let items = [{ name: "nut", count: 2 }];
  println(join(", ", [toUpper("a"), describe(Circle(2)), show(total(items)), show(area(Circle(1)))]))
}

pure func countdown(from: int) -> int = letrec down = \\n. if n == 0 then 0 else down(n - 1) in down(from)
`;

/** The program with the cursor inside the first place where the text stands. */
function cursor(text: string) {
  const at = program.indexOf(text);
  assert.ok(at >= 0, text);
  return marked(`${program.slice(0, at + 1)}‸${program.slice(at + 1)}`).position;
}

const hovers = [
  ['a call of a function of another file', 'area(Circle(1))', 'area : (Shape) -> int\n\nfrom `app/shapes`'],
  ['a function of the library', 'toUpper("a")', 'toUpper : (string) -> string\n\nfrom `std/string`'],
  ['a parameter of a lambda', 'sum + item', 'sum : int'],
  ['a let', 'items))', 'items : [{count: int, name: string}]'],
  ['a letrec', 'down(from)', 'down : (int) -> int'],
  ['a name that a pattern binds', 'radius) =>', 'radius : int'],
  ['a declared function', 'total(items: ', 'total : ([{count: int, name: string}]) -> int'],
  ['a field', 'count, 0', 'count : int'],
  ['a literal', '"nut"', 'string'],
  ['a keyword', 'module', null],
] as const;

test('hover', async (t) => {
  const editor = await startEditor(t, scratch(t, files));
  assert.deepEqual(await editor.type('main.ail', program), []);
  for (const [what, text, expected] of hovers)
    await t.test(`over ${what}`, async () => {
      assert.equal(await editor.hover('main.ail', cursor(text)), expected);
    });
});

const definitions = [
  ['a function of this file', 'total(items)', 'main.ail:9:6'],
  ['a function of another file', 'area(Circle(1))', 'app/shapes.ail:5:18'],
  ['a constructor of another file', 'Circle(2)', 'app/shapes.ail:3:21'],
  ['a constructor in a pattern', 'Circle(radius)', 'app/shapes.ail:3:21'],
  ['an imported type', 'Shape) -> string', 'app/shapes.ail:3:13'],
  ['a type of this file', 'Item]', 'main.ail:7:6'],
  ['a parameter', 'items)\n\nfunc describe', 'main.ail:9:12'],
  ['a parameter of a lambda', 'item.count', 'main.ail:9:49'],
  ['a let', 'items)), show', 'main.ail:17:7'],
  ['a letrec from inside', 'down(n - 1)', 'main.ail:21:48'],
  ['a name that a pattern binds', 'radius)}', 'main.ail:12:10'],
  ['an imported name in the import', 'area, Circle)', 'app/shapes.ail:5:18'],
  ['the path of an import', 'app/shapes (', 'app/shapes.ail:1:1'],
  ['nothing', 'module', null],
] as const;

test('definition', async (t) => {
  const editor = await startEditor(t, scratch(t, files));
  assert.deepEqual(await editor.type('main.ail', program), []);
  for (const [what, text, expected] of definitions)
    await t.test(`of ${what}`, async () => {
      assert.equal(await editor.definition('main.ail', cursor(text)), expected);
    });
});

test('the definition of a library function is in the library that ships with the program, which can be read on', async (t) => {
  const editor = await startEditor(t, scratch(t, files));
  await editor.type('main.ail', program);
  for (const [text, file, name] of [
    ['toUpper("a")', 'string.ail', 'toUpper'],
    ['foldl(', 'list.ail', 'foldl'],
    ['println(', 'io.ail', 'println'],
  ] as const) {
    const found = await editor.definition('main.ail', cursor(text));
    const [, uri = '', line = '', character = ''] = /^(file:.*):(\d+):(\d+)$/.exec(String(found)) ?? [];
    assert.ok(uri.endsWith(`/std/${file}`), String(found));
    const library = readFileSync(new URL(uri), 'utf8');
    const at = library.split('\n')[Number(line) - 1]?.slice(Number(character) - 1);
    assert.ok(at?.startsWith(name), at);
  }
});

test('the definition of a function of a package is in the package cache', async (t) => {
  const packages = scratch(t, {
    'acme/auth/1.0.0/token.ail': 'module acme/auth/token\nexport func size() -> int = 7\n',
  });
  const lock = { schema: 'ailang.lock/v1', packages: [{ name: 'acme/auth', version: '1.0.0', source: 'registry' }] };
  const editor = await startEditor(t, scratch(t, { 'ailang.lock': JSON.stringify(lock) }), {
    AILANG_PACKAGE_ROOT: packages,
  });
  const { text, position } = marked('module m\nimport pkg/acme/auth/token (size)\nlet n: int = si‸ze()\n');
  assert.deepEqual(await editor.type('m.ail', text), []);
  const target = pathToFileURL(join(packages, 'acme/auth/1.0.0/token.ail')).href;
  assert.equal(await editor.definition('m.ail', position), `${target}:2:13`);
});

test('line ends of Windows do not move anything', async (t) => {
  const editor = await startEditor(t, scratch(t, { 'm.ail': 'module m\n' }));
  const [error] = await editor.type('m.ail', 'module m\r\n\r\nlet one: int = 1\r\nlet x: int = "a"\r\n');
  assert.deepEqual(error?.range, { start: { line: 3, character: 13 }, end: { line: 3, character: 16 } });
  assert.equal(await editor.hover('m.ail', { line: 2, character: 5 }), 'one : int');
});

test('symbols of a document, types with their constructors', async (t) => {
  const editor = await startEditor(t, scratch(t, files));
  await editor.type('app/shapes.ail', shapes);
  const textDocument = { uri: editor.uri('app/shapes.ail') };
  const symbols = await editor.connection.sendRequest(DocumentSymbolRequest.type, { textDocument });
  assert.deepEqual(
    symbols?.map((symbol) => [
      symbol.name,
      'children' in symbol ? symbol.children?.map(({ name }) => name) : undefined,
    ]),
    [
      ['Shape', ['Circle', 'Square']],
      ['area', undefined],
    ],
  );
});

test('formatting gives what ailang fmt prints, nothing when there is nothing to do, and keeps what does not parse', async (t) => {
  const untidy = 'module m\nfunc   f( n:int )->int=n   +1 // one 🎈\n';
  const folder = scratch(t, { 'm.ail': untidy });
  const editor = await startEditor(t, folder);
  await editor.type('m.ail', untidy);
  const params = {
    textDocument: { uri: editor.uri('m.ail') },
    options: { tabSize: 2, insertSpaces: true },
  };
  const edits = (await editor.connection.sendRequest(DocumentFormattingRequest.type, params)) ?? [];
  assert.equal(edits.length, 1);
  assert.equal(edits[0]?.newText, ailang(['fmt', 'm.ail'], { cwd: folder }).stdout);
  assert.deepEqual(edits[0]?.range, { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } });
  await editor.type('m.ail', edits[0]?.newText ?? '');
  assert.deepEqual(await editor.connection.sendRequest(DocumentFormattingRequest.type, params), []);
  await editor.type('m.ail', 'module m\nfunc f( = \n');
  assert.equal(await editor.connection.sendRequest(DocumentFormattingRequest.type, params), null);
});
