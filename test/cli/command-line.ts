import { Writable } from 'node:stream';
import { execute } from '../../src/cli/execute.js';

/** Runs one command line in this process. */
export async function commandLine(
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; input?: string; answer?: string } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const stdout = new Sink();
  const stderr = new Sink();
  const code = await execute(args, {
    env: options.env ?? {},
    cwd: options.cwd ?? '/',
    stdout,
    stderr,
    colour: false,
    readStdin: async () => Buffer.from(options.input ?? ''),
    ask: options.answer === undefined ? null : async () => options.answer ?? '',
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Sink extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
