import { fmtCommand as format } from '../../format/fmt-command.js';
import type { Command } from './context.js';

/** `fmt [--check | --write] <file>…` (ailang-cli section 8). */
export const fmtCommand: Command = (args, { sources, write }) => format(args, { read: sources.read, write });
