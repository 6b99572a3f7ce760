import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../ailang/package-root.js';
import { WorldError } from '../errors.js';

/** The hooks this package has, by the name git calls them. */
export type HookName = 'reference-transaction' | 'prepare-commit-msg' | 'pre-push' | 'pre-receive';

/** For a repository someone works in. */
export const CLIENT_HOOKS: readonly HookName[] = ['reference-transaction', 'prepare-commit-msg', 'pre-push'];
/** For a repository others push to. */
export const SERVER_HOOKS: readonly HookName[] = ['reference-transaction', 'pre-receive'];
export const ALL_HOOKS: readonly HookName[] = [...CLIENT_HOOKS, 'pre-receive'];

/** Added to the name of a hook that was there before ours; ours calls it first, with the same arguments and input. */
export const CHAINED = '.before-ailang-world';

/** Whether a file is a hook of this package, of whatever version. */
export function isOurs(text: string): boolean {
  return /^#!\/bin\/sh\n# ailang-world hook: /.test(text);
}

/**
 * A hook's text, naming the program that installs it.
 * @throws WorldError `hook-program` when its path cannot be written into a shell script
 */
export async function hookScript(name: HookName): Promise<string> {
  const template = await readFile(join(packageRoot(), 'hooks', name), 'utf8');
  const program = join(packageRoot(), 'dist', 'ailang-worldd.js');
  return template.replace("'@node@'", () => quoted(process.execPath)).replace("'@program@'", () => quoted(program));
}

function quoted(path: string): string {
  if (/[\n\r\0]/.test(path))
    throw new WorldError('hook-program', `the path ${JSON.stringify(path)} cannot stand in a shell script`);
  return `'${path.replaceAll("'", "'\\''")}'`;
}
