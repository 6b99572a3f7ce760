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
});
// Not process.exit: what is still in the pipe of stdout would be lost.
process.exitCode = code;
