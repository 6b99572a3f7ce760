import { spawn } from 'node:child_process';
import { WorldError } from '../../errors.js';

export interface BoundedCall {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly deadlineMs: number;
  /** Most bytes of both streams together. */
  readonly maxBytes: number;
}

export interface BoundedResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** After the process has gone, how long somebody may hold its pipes open. */
const graceMs = 1000;

/**
 * One child process in a group of its own, killed as a group when it takes too long or says too much.
 * @throws WorldError `toolchain-timeout`, `toolchain-output`, `toolchain-unavailable`
 */
export function boundedProcess(call: BoundedCall): Promise<BoundedResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(call.file, call.args, {
      cwd: call.cwd,
      env: call.environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const output: { readonly stdout: Buffer[]; readonly stderr: Buffer[] } = { stdout: [], stderr: [] };
    let total = 0;
    let broken: WorldError | null = null;
    const stop = (error: WorldError): void => {
      broken ??= error;
      killGroup(child.pid);
    };
    const timer = setTimeout(
      () => stop(new WorldError('toolchain-timeout', `the toolchain did not answer within ${call.deadlineMs} ms`)),
      call.deadlineMs,
    );
    const settle = (exitCode: number | null): void => {
      clearTimeout(timer);
      // Whoever is left in the group has no business any more.
      killGroup(child.pid);
      const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
      if (broken !== null) reject(broken);
      else resolve({ exitCode, stdout: text(output.stdout), stderr: text(output.stderr) });
    };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk: Buffer) => {
        total += chunk.length;
        if (total > call.maxBytes)
          stop(new WorldError('toolchain-output', `the toolchain printed more than ${call.maxBytes} bytes`));
        else output[name].push(chunk);
      });
    child.on('error', (cause) => {
      broken ??= new WorldError('toolchain-unavailable', 'the toolchain could not be started', { cause });
      settle(null);
    });
    child.on('exit', (code) => {
      const grace = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, graceMs);
      child.on('close', () => {
        clearTimeout(grace);
        settle(code);
      });
    });
    child.stdin.on('error', () => {});
    child.stdin.end(call.stdin);
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}
