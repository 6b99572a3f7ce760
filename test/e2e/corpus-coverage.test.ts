import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stdModules, stdSource } from '../../src/ailang/std/source.js';
import { parseFile } from '../../src/ailang/syntax/parse-file.js';
import { Source } from '../../src/ailang/syntax/source.js';
import { corpusModules, corpusPrograms } from './corpus-program.js';

const features = [
  ...['basics', 'syntax', 'numbers', 'strings', 'lists', 'records', 'types', 'patterns', 'functions', 'show'],
  ...['effects', 'entry', 'stdin', 'files', 'json', 'library', 'programs', 'projects'],
];

test('the corpus has at least 300 programs', () => {
  assert.ok(corpusPrograms().length >= 300, `${corpusPrograms().length} programs`);
});

test('every program is in the folder of its feature and says what it must do', () => {
  for (const { path, stdout, stderr, exit } of corpusPrograms()) {
    assert.ok(features.includes(path.split('/')[0] ?? ''), path);
    assert.ok(stdout !== '' || (exit !== 0 && stderr.length > 0), path);
    assert.ok(exit === 0 || stderr.length > 0 || /\bexit\b/.test(corpusModules().get(path) ?? ''), path);
  }
});

test('every module without an entry point is imported by another', () => {
  const programs = new Set(corpusPrograms().map(({ path }) => path));
  const texts = [...corpusModules().values()].join('\n');
  for (const path of corpusModules().keys()) {
    const name = path.replace(/^.*\/|\.ail$/g, '');
    if (!programs.has(path)) assert.match(texts, new RegExp(`^import [./\\w]*\\b${name} `, 'm'), path);
  }
});

/** Kinds of nodes the parser can make for a program that runs. */
const kinds = [
  ...['function', 'type', 'value', 'test', 'property', 'sum', 'alias', 'name', 'unit', 'list', 'tuple', 'record'],
  ...['label', 'wildcard', 'constructor', 'cons', 'int', 'float', 'string', 'bool', 'interpolation', 'array', 'update'],
  ...['lambda', 'call', 'field', 'binary', 'unary', 'if', 'let', 'match', 'block', 'forall', 'expression'],
];
const operators = '|| && ^ & == != < > <= >= << >> :: ++ + - * / % ! ~'.split(' ');

test('the corpus has every construct of the grammar and every operator', () => {
  const found = new Set<unknown>();
  const pending: unknown[] = [...corpusModules()].map(([path, text]) => parseFile(new Source(path, text)).file);
  for (let node = pending.pop(); node !== undefined || pending.length > 0; node = pending.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if ('k' in node) found.add(node.k);
    if ('operator' in node) found.add(node.operator);
    if ('form' in node) found.add(node.form);
    pending.push(...Object.values(node));
  }
  const missing = [...kinds, ...operators, 'backslash', 'func', 'arrow'].filter((kind) => !found.has(kind));
  assert.deepEqual(missing, []);
});

/** Library modules of the core subset; those of the outer rings have tests of their own. */
const firstRings =
  'io fs env string list option result math json map array bytes regex datetime crypto net clock rand debug iter'.split(
    ' ',
  );

test('the corpus uses every function and constructor that the common library modules export', () => {
  const used = new Set<string>();
  for (const [path, text] of corpusModules()) {
    const { imports } = parseFile(new Source(path, text)).file;
    for (const { path: module, items, alias } of imports) {
      for (const { name } of items ?? []) used.add(`${module} ${name.text}`);
      if (alias === null) continue;
      for (const [, name] of text.matchAll(new RegExp(`\\b${alias.text}\\.(\\w+)`, 'g'))) used.add(`${module} ${name}`);
    }
  }
  const exported = stdModules()
    .filter((module) => firstRings.includes(module.slice('std/'.length)))
    .flatMap((module) =>
      [...(stdSource(module) ?? '').matchAll(/^export (?:pure )?func (\w+)/gm)].map(([, name]) => `${module} ${name}`),
    );
  assert.ok(exported.length > 200, `${exported.length} functions`);
  assert.deepEqual(
    exported.filter((name) => !used.has(name)),
    [],
  );
});
