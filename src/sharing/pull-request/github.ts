import { spawn } from 'node:child_process';
import { WorldError } from '../../errors.js';
import { hideSecrets } from '../../git/child.js';

const timeoutMs = 120_000;
const label = 'ailang-world';

/**
 * Opens a pull request with GitHub's own program, which has its own login; no secret passes through here.
 * @returns its URL; null when there is no `gh` on the PATH
 * @throws WorldError `gh-failed` with its words
 */
export async function openWithGh(
  cwd: string,
  pull: { readonly base: string; readonly branch: string; readonly title: string; readonly bodyFile: string },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if ((await run(['--version'], cwd, environment)) === null) return null;
  // Fails where the label is there already, or may not be made: then the next command says what matters.
  await run(['label', 'create', label, '--description', 'Made through AILANG World'], cwd, environment);
  const args = ['--base', pull.base, '--head', pull.branch, '--title', pull.title, '--body-file', pull.bodyFile];
  const outcome = await run(['pr', 'create', ...args, '--label', label], cwd, environment);
  if (outcome !== null && outcome.code === 0) return outcome.stdout.trim().split('\n').at(-1) ?? '';
  throw new WorldError(
    'gh-failed',
    `gh pr create failed: ${hideSecrets(outcome?.stderr.trim() ?? 'it could not be started')}`,
    {
      hint: `The branch and the log are pushed. Open the pull request by hand; its text is in ${pull.bodyFile}`,
    },
  );
}

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Outcome | null> {
  return new Promise((resolve) => {
    const child = spawn('gh', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
