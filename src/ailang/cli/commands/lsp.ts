import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LanguageServer, RequestError } from '../../lsp/server.js';
import { packageRoot } from '../../package-root.js';
import { operatorPackages } from '../package-cache.js';
import { parseArguments } from './arguments.js';
import { UsageError } from './context.js';
import { packageVersion } from './version.js';

const parseError = -32700;

/** `lsp [--stdio]`: serves one client until it says exit or its stream ends. @returns the exit code */
export async function lspCommand(args: readonly string[]): Promise<number> {
  const { positionals } = parseArguments(args, { stdio: 'boolean' });
  if (positionals.length > 0) throw new UsageError('lsp takes flags only');
  // Evaluated here and not at the start: no other command needs it.
  const { createMessageConnection, ResponseError, StreamMessageReader, StreamMessageWriter } = await import(
    'vscode-jsonrpc/node'
  );
  const writer = new StreamMessageWriter(process.stdout);
  const connection = createMessageConnection(new StreamMessageReader(process.stdin), writer);
  return new Promise((resolve) => {
    const exit = (code: number): void => {
      connection.dispose();
      process.stdin.destroy();
      resolve(code);
    };
    const server = new LanguageServer({
      disk: {
        read: readText,
        library: join(packageRoot(), 'src', 'ailang', 'std'),
        packages: operatorPackages(),
      },
      version: packageVersion(),
      notify: (method, params) => void connection.sendNotification(method, params),
      exit,
    });
    connection.onRequest((method, params) => {
      try {
        return server.request(method, params);
      } catch (error) {
        return error instanceof RequestError ? new ResponseError(error.code, error.message) : Promise.reject(error);
      }
    });
    connection.onNotification((method, params) => server.notified(method, params));
    connection.onError(([error]) => {
      if (error instanceof SyntaxError) {
        const response = { jsonrpc: '2.0', id: null, error: { code: parseError, message: 'the message is not JSON' } };
        void writer.write(response);
        return;
      }
      // A body that is JSON and no message; the next one can be found.
      if (error instanceof TypeError) return;
      // Without its length there is no way to find the next message.
      process.stderr.write(`ailang lsp: ${error.message.split('\n', 1)[0]}\n`);
      exit(1);
    });
    connection.onClose(() => exit(1));
    connection.listen();
  });
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
