import { createInterface } from 'node:readline/promises';
import { execute } from './execute.js';

// A reader that goes away (`| head`) must not take the daemon, or the demo's clean-up, with it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const code = await execute(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  async readStdin() {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  },
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : null,
});
// Not process.exit: what is still in the pipe of stdout would be lost.
process.exitCode = code;

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
