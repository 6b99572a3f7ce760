import type { Effects } from '../../eval/effects.js';
import { ProgramExit } from '../../eval/failure.js';
import type { Bytes, Int } from '../../eval/values.js';
import { type Natives, none, some } from './native.js';

export function consoleNatives(effects: Effects): Natives {
  const write = (operation: string, stream: 'stdout' | 'stderr', end: string) => (_depth: number, text: string) => {
    effects.use('IO', operation).write(stream, Buffer.from(text + end, 'utf8'));
  };
  return {
    _io_print: write('print', 'stdout', ''),
    _io_println: write('println', 'stdout', '\n'),
    _io_printErr: write('printErr', 'stderr', ''),
    _io_eprintln: write('eprintln', 'stderr', '\n'),
    _io_flush: () => effects.use('IO', 'flush').flush(),
    _io_readLine: () => effects.use('IO', 'readLine').readLine() ?? '',
    _io_readLineOpt: () => {
      const line = effects.use('IO', 'readLineOpt').readLine();
      return line === null ? none : some(line);
    },
    _io_writeBytes: (_depth, bytes: Bytes) => effects.use('IO', 'writeBytes').write('stdout', bytes.content),
    _io_exit: (_depth, status: Int) => {
      effects.use('IO', 'exit');
      throw new ProgramExit(Number(BigInt.asUintN(8, BigInt(status))));
    },
    _debug_log: (_depth, message: string) => {
      effects.debugLines.push(JSON.stringify({ kind: 'log', message }));
    },
    _debug_check: (_depth, holds: boolean, message: string) => {
      effects.debugLines.push(JSON.stringify({ kind: 'check', ok: holds, message }));
    },
  };
}
