import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { replaceFile } from '../../format/replace-file.js';
import { packageRoot } from '../../package-root.js';
import { FileGuard } from '../../policy/fileguard/fileguard.js';
import { protection } from '../../policy/protect.js';
import { openPackageCache, packageRootOf } from '../package-cache.js';
import { emptyTree, guardedTree, plainTree } from '../run/source-trees.js';
import { guardedSources, plainSources } from '../run/sources.js';
import type { CommandContext } from './context.js';

/** The corpus that ships with the package. */
export const shippedExamples = (): string => join(packageRoot(), 'examples');

/**
 * For one operation of `policy-tool`: sources are read through the guard of the sandbox root. The guard lives as long
 * as the returned `close` is not called.
 * @param root null for an operation that reads no files
 */
export function sandboxContext(root: string | null, examples: string): { context: CommandContext; close: () => void } {
  const guard = root === null ? null : new FileGuard(root, protection([], true));
  const packages = openPackageCache(packageRootOf(process.env));
  const sources = guard === null ? { read: () => null } : guardedSources(guard, maxSourceBytes);
  return {
    context: {
      sources,
      examples,
      relaxModules: false,
      packages,
      cwd: root ?? '/',
      tree: guard === null ? emptyTree : guardedTree(guard),
      write: null,
      environment: process.env,
      colour: false,
    },
    close: () => {
      guard?.close();
      packages?.close();
    },
  };
}

/** No source file worth checking is larger. */
const maxSourceBytes = 8 * 1024 * 1024;

/** For a person at a terminal: files relative to the working directory, module paths relaxed below temporary ones. */
export function plainContext(cwd: string, environment: NodeJS.ProcessEnv): CommandContext {
  return {
    sources: plainSources(cwd),
    examples: environment.AILANG_EXAMPLES || shippedExamples(),
    relaxModules: environment.AILANG_RELAX_MODULES === '1' || below(tmpdir(), cwd),
    cwd,
    packages: openPackageCache(packageRootOf(environment)),
    tree: plainTree(cwd),
    write: (path, text) =>
      replaceFile(fs, resolve(cwd, path), text, `${process.pid}-${randomBytes(6).toString('hex')}`),
    environment,
    colour: isTerminal() && !environment.NO_COLOR && environment.TERM !== 'dumb',
  };
}

function below(directory: string, path: string): boolean {
  const way = relative(directory, resolve(path));
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

const isTerminal = (): boolean => process.stdout.isTTY === true && process.stderr.isTTY === true;
