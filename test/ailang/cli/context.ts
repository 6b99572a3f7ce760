import type { CommandContext } from '../../../src/ailang/cli/commands/context.js';
import { shippedExamples } from '../../../src/ailang/cli/commands/make-context.js';

/** Commands over files that exist only here. */
export const fileContext = (files: Readonly<Record<string, string>>, examples = shippedExamples()): CommandContext => ({
  sources: { read: (path) => files[path] ?? null },
  examples,
  relaxModules: false,
  packages: null,
  cwd: '/',
  tree: {
    kind: (path) => (Object.hasOwn(files, path) ? 'file' : path === '.' ? 'directory' : null),
    list: () => Object.keys(files),
  },
  write: null,
  environment: {},
  colour: false,
});
