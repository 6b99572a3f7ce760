import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../src/ailang/check.js';
import { builtins } from '../../../src/ailang/std/builtins.js';
import { stdModules, stdSource } from '../../../src/ailang/std/source.js';
import { recordAliases, signatures } from './signatures.js';

const typeWords = new Set(['int', 'float', 'string', 'bool', 'bytes']);

/** Without spaces and flow labels, variables renamed a, b, c in order of appearance. */
function canonical(type: string): string {
  const unlabelled = type.replace(/<[a-z_]+>/g, '');
  const expanded = unlabelled.replace(/\b[A-Z]\w*/g, (name) => recordAliases[name] ?? name);
  const names = new Map<string, string>();
  return expanded.replace(/\s+/g, '').replace(/(?<![\w])[a-z]\w*(?![\w:])/g, (word) => {
    if (typeWords.has(word)) return word;
    if (!names.has(word)) names.set(word, String.fromCharCode(97 + names.size));
    return names.get(word) ?? word;
  });
}

function printed(module: string): Map<string, string> {
  const file = `${module}.ail`;
  const host = { read: (path: string): string | null => (path === file ? stdSource(module) : null) };
  // A table of its own: types of a module checked as the root are not those of the shared library.
  const result = check({ file, host, std: stdSource, builtins: [...builtins], relaxModules: true });
  assert.deepEqual([...result.diagnostics, ...result.warnings], [], module);
  return new Map(result.interface?.funcs.map((fn) => [fn.name, canonical(fn.type)]));
}

for (const module of stdModules()) {
  test(`${module} checks and has the signatures of the reference`, () => {
    const functions = printed(module);
    const listed =
      (signatures[module] ?? '').match(/^.* : /gm)?.flatMap((line) => line.replace(' : ', '').trim().split(', ')) ?? [];
    assert.deepEqual([...functions.keys()].sort(), listed.sort());
    for (const line of (signatures[module] ?? '').trim().split('\n').filter(Boolean)) {
      const [names = '', type = ''] = line.split(' : ');
      for (const name of names.trim().split(', '))
        assert.equal(functions.get(name), canonical(type), `${module} ${name}`);
    }
  });
}

test('no module of the reference is missing', () => {
  const modules = new Set(stdModules());
  assert.deepEqual(
    Object.keys(signatures).filter((module) => !modules.has(module)),
    [],
  );
});
