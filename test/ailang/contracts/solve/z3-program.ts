import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { packageRoot } from '../../../../src/ailang/package-root.js';
import { temporaryDirectory } from '../../../cleanup.js';

/** Z3 as a program with the command line of its own: `z3 -smt2 -T:<seconds> <file>`. */
const source = `#!${process.execPath}
const { readFileSync } = require('node:fs');
const load = require('node:module').createRequire(${JSON.stringify(join(packageRoot(), 'package.json'))});
if (process.argv[2] === '--version') {
  console.log('Z3, from the z3-solver package');
  process.exit(0);
}
const seconds = Number(process.argv[3].slice('-T:'.length));
const end = (text) => {
  process.stdout.write(text, () => process.kill(process.pid, 'SIGTERM'));
};
const { init } = load('z3-solver/build/low-level');
init(load('z3-solver/build/z3-built.js')).then(async ({ Z3 }) => {
  setTimeout(() => end('timeout\\n'), seconds * 1000);
  end(await Z3.eval_smtlib2_string(Z3.mk_context(Z3.mk_config()), readFileSync(process.argv[4], 'utf8')));
});
`;

/** A real Z3: the one on PATH, else the package's as a program of a temporary directory. */
export function realZ3(t: TestContext): string {
  if (spawnSync('z3', ['--version']).status === 0) return 'z3';
  const directory = temporaryDirectory(t);
  const path = join(directory, 'z3');
  writeFileSync(path, source);
  chmodSync(path, 0o755);
  return path;
}
