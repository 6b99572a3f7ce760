import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../src/ailang/package-root.js';

/**
 * What each folder of src/ may import besides itself. Every folder may use src/errors.ts, except ailang, which stands
 * alone. Types of a layer above are no exception: an interface lives with the part that implements it.
 */
const ALLOWED: Record<string, readonly string[]> = {
  ailang: [],
  git: ['ailang'],
  log: ['git'],
  toolchain: ['ailang', 'log'],
  tools: [],
  episode: ['git', 'log', 'toolchain', 'ailang'],
  broker: ['log', 'toolchain', 'tools', 'episode'],
  invocation: ['broker', 'tools', 'log', 'episode', 'toolchain', 'git', 'ailang'],
  mcp: ['http', 'daemon/types', 'invocation', 'log', 'tools'],
  a2a: ['http', 'daemon/types', 'invocation', 'log', 'tools'],
  rest: ['http', 'daemon/types', 'log'],
  http: ['mcp', 'a2a', 'rest', 'daemon/types', 'invocation', 'log', 'tools'],
  provenance: ['log', 'git'],
  sharing: ['provenance', 'log', 'git'],
  hooks: ['sharing', 'provenance', 'log', 'git'],
  daemon: ['*'],
  cli: ['*'],
};

/** src/daemon/types.ts is the surfaces' own interface: it may name the parts below it. */
const STANDALONE_INTERFACES = ['daemon/types'];

const source = join(packageRoot(), 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.d.ts'),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map((match) =>
    posix.normalize(posix.join(dirname(file), match[1] ?? '')).replace(/\.js$/, ''),
  );
}

function isAllowed(folder: string, target: string): boolean {
  const targetFolder = target.split('/')[0] ?? '';
  if (targetFolder === folder) return true;
  const allowed = ALLOWED[folder] ?? [];
  if (allowed.includes('*')) return true;
  if (target === 'errors') return folder !== 'ailang';
  if (target === 'ailang/package-root') return folder !== 'tools';
  return allowed.includes(targetFolder) || allowed.includes(target);
}

test('imports in src go downwards only', () => {
  const violations = files.flatMap((file) => {
    const folder = file.split('/')[0] ?? '';
    if (!file.includes('/') || STANDALONE_INTERFACES.includes(file.replace(/\.ts$/, ''))) return [];
    return importsOf(file)
      .filter((target) => !isAllowed(folder, target))
      .map((target) => `${file} imports ${target}`);
  });
  assert.deepEqual(violations, []);
});

test('every folder of src has a rule', () => {
  const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? ''));
  assert.deepEqual(
    [...folders].filter((folder) => !(folder in ALLOWED)),
    [],
  );
});

test('tools import nothing but one another, so that each is one recorded file', () => {
  const outside = files
    .filter((file) => file.startsWith('tools/'))
    .flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      return [...text.matchAll(/from\s+'([^.'][^']*)'/g)].map((match) => `${relative('.', file)} imports ${match[1]}`);
    });
  assert.deepEqual(outside, []);
});
