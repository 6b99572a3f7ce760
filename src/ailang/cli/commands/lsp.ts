import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BrokenStream, encodeMessage, MessageReader } from '../../lsp/json-rpc.js';
import { LanguageServer } from '../../lsp/server.js';
import { packageRoot } from '../../package-root.js';
import { parseArguments } from './arguments.js';
import { packageVersion } from './version.js';

/** Long enough for a burst of keys, short enough to be felt as at once. */
const debounceMs = 150;

/** `lsp [--stdio]`: serves one client until it says exit or its stream ends. @returns the exit code */
export function lspCommand(args: readonly string[]): Promise<number> {
  parseArguments(args, { stdio: 'boolean' });
  return new Promise((resolve) => {
    const reader = new MessageReader();
    const exit = (code: number): void => {
      process.stdin.destroy();
      resolve(code);
    };
    const server = new LanguageServer({
      disk: { read: readText, library: join(packageRoot(), 'src', 'ailang', 'std') },
      version: packageVersion(),
      send: (message) => process.stdout.write(encodeMessage(message)),
      schedule(run) {
        const timer = setTimeout(run, debounceMs);
        return () => clearTimeout(timer);
      },
      exit,
    });
    process.stdin.on('data', (chunk: Buffer) => {
      try {
        for (const body of reader.push(chunk)) server.receive(body);
      } catch (error) {
        if (!(error instanceof BrokenStream)) throw error;
        process.stderr.write(`ailang lsp: ${error.message}\n`);
        exit(1);
      }
    });
    process.stdin.on('end', () => exit(1));
    process.stdin.on('error', () => exit(1));
  });
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
