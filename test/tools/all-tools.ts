import { tool as check } from '../../src/tools/ailang-check.js';
import { tool as cli } from '../../src/tools/ailang-cli.js';
import { tool as edit } from '../../src/tools/ailang-edit.js';
import { tool as read } from '../../src/tools/ailang-read.js';
import { tool as run } from '../../src/tools/ailang-run.js';
import { tool as write } from '../../src/tools/ailang-write.js';
import { tool as builtins } from '../../src/tools/builtins-search.js';
import { tool as examples } from '../../src/tools/examples-search.js';
import type { Tool } from '../../src/tools/types.js';

export const ALL_TOOLS: readonly Tool[] = [check, cli, edit, read, run, write, builtins, examples];
export { builtins, check, cli, edit, examples, read, run, write };
