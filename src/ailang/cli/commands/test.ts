import { randomInt } from 'node:crypto';
import { builtins } from '../../std/builtins.js';
import { stdSource } from '../../std/source.js';
import { testCommand as runTests } from '../../testing/test-command.js';
import type { Command } from './context.js';

/** `test [--json] [--allow-skips] [--no-color] [--package] [path…]` (ailang-cli section 10). */
export const testCommand: Command = (args, { sources, tree, packages, relaxModules, environment, colour }) =>
  runTests(args, {
    sources,
    tree,
    std: stdSource,
    builtins,
    packages,
    relaxModules,
    environment,
    clock: performance,
    randomSeed: () => randomInt(2 ** 32),
    colour,
  });
