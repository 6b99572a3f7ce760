import { listBuiltins, showBuiltin } from '../../std/inventory.js';
import { only, parseArguments } from './arguments.js';
import { type Command, printed, UsageError } from './context.js';

/** `builtins list […] | show <name>` (ailang-cli section 9). */
export const builtinsCommand: Command = ([sub, ...args]) => {
  if (sub === 'list') return list(args);
  if (sub !== 'show') throw new UsageError('builtins takes list or show');
  const { flags, positionals } = parseArguments(args, { json: 'boolean' });
  const { text, json, found } = showBuiltin(only(positionals, 'name'));
  return { stdout: flags.json ? `${json}\n` : text, stderr: '', exitCode: found ? 0 : 1 };
};

function list(args: readonly string[]) {
  const { flags, positionals } = parseArguments(args, {
    json: 'boolean',
    module: 'string',
    query: 'string',
    'by-module': 'boolean',
    'by-effect': 'boolean',
    verbose: 'boolean',
  });
  if (positionals.length > 0) throw new UsageError('builtins list takes flags only');
  return printed(
    listBuiltins({
      ...(flags.json === undefined ? {} : { json: flags.json }),
      ...(flags['by-module'] === undefined ? {} : { byModule: flags['by-module'] }),
      ...(flags.verbose === undefined ? {} : { verbose: flags.verbose }),
      ...(flags['by-effect'] === undefined ? {} : { byEffect: flags['by-effect'] }),
      ...(flags.module === undefined ? {} : { module: flags.module }),
      ...(flags.query === undefined ? {} : { query: flags.query }),
    }),
  );
}
