import { fmtCommand as format } from '../../format/fmt-command.js';
import { findSources } from '../../testing/find-files.js';
import type { Command } from './context.js';

/** `fmt [--check | --write] <file or directory>…` (ailang-cli section 8). */
export const fmtCommand: Command = (args, { sources, tree, write }) =>
  format(args, {
    read: sources.read,
    sourcesIn: (path) => (tree.kind(path) === 'directory' ? findSources(tree, path) : null),
    write,
  });
