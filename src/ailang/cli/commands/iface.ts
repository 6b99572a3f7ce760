import { check } from '../../check.js';
import type { CheckResult, ModuleInterface } from '../../interfaces.js';
import { goJson } from '../../policy/go-text.js';
import { builtins } from '../../std/builtins.js';
import { stdModules, stdSource } from '../../std/source.js';
import { errorText } from '../diagnostics.js';
import { only, parseArguments } from './arguments.js';
import { checkFile, UnreadableFile } from './check-file.js';
import { type Command, type CommandContext, failed, printed } from './context.js';

/** `iface [--compact] <module or file>` (ailang-cli section 9). */
export const ifaceCommand: Command = (args, context) => {
  const { flags, positionals } = parseArguments(args, { compact: 'boolean' });
  const module = only(positionals, 'module');
  try {
    const result = module.startsWith('std/') ? checkStd(module) : checkFile(fileOf(module), context);
    if (result.program === null) return failed(result.diagnostics.map(errorText).join('\n'));
    if (result.interface === null) return failed(`${module} declares no module`);
    return printed(flags.compact ? compact(result.interface) : whole(result.interface));
  } catch (error) {
    if (error instanceof UnreadableFile) return failed(`module ${module} not found: ${error.message}`);
    throw error;
  }
};

const fileOf = (module: string): string => (module.endsWith('.ail') ? module : `${module}.ail`);

function checkStd(module: string): CheckResult {
  if (stdSource(module) === null) throw new UnreadableFile(`the library has ${stdModules().join(', ')}`);
  const file = `${module}.ail`;
  const host: CommandContext['sources'] = { read: (path) => stdSource(path.replace(/\.ail$/, '')) };
  return check({ file, host, std: stdSource, builtins });
}

const whole = ({ module, types, funcs }: ModuleInterface): string =>
  `${goJson({ module, types, funcs, schema: 'ailang.iface/v1' }, 2)}\n`;

function compact({ module, types, funcs }: ModuleInterface): string {
  const lines = [`module ${module}`];
  for (const { name, params, ctors, alias } of types) {
    const head = params === undefined || params.length === 0 ? name : `${name}[${params.join(', ')}]`;
    lines.push(`type ${head} = ${ctors?.join(' | ') ?? alias ?? name}`);
  }
  for (const { name, type } of funcs) lines.push(`${name} : ${type}`);
  return `${lines.join('\n')}\n`;
}
