import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldError } from '../errors.js';
import { git } from './child.js';
import { asGitOid } from './oid.js';
import type { GitOid, ObjectFormat, Repository } from './types.js';

const oldest = [2, 39] as const;
/** Repository extensions under which our reading and writing of objects and refs stays right. */
const understood = new Set([
  'noop',
  'noop-v1',
  'objectformat',
  'partialclone',
  'preciousobjects',
  'refstorage',
  'relativeworktrees',
  'worktreeconfig',
]);

/**
 * Finds the repository a directory belongs to. A bare one is answered too, with `worktree` null.
 * @throws WorldError `not-a-repository`, `repository-not-trusted`, `repository-unsupported`, `git-missing`, `git-too-old`
 */
export async function openRepository(directory: string): Promise<Repository> {
  const locating = locate(directory);
  // What a git that is too old answers to the other questions is not worth reporting.
  locating.catch(() => undefined);
  await checkGitVersion(directory);
  const found = await locating;
  const extensions = await readExtensions(found.commonDir);
  for (const name of extensions.keys()) {
    if (!understood.has(name)) throw unsupported(directory, `the extension "${name}"`);
  }
  const storage = extensions.get('refstorage') ?? 'files';
  if (storage !== 'files' && storage !== 'reftable') throw unsupported(directory, `the ref storage "${storage}"`);
  return { ...found, refStorage: storage };
}

/** Where packs live: in the common directory, whatever worktree we came from. */
export function packDirectory(repository: Repository): string {
  return join(repository.commonDir, 'objects', 'pack');
}

/**
 * The commit an episode would start from.
 * @throws WorldError `unborn-head`
 */
export async function headCommit({ worktree, gitDir, objectFormat }: Repository): Promise<GitOid> {
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const head = await git(args, { cwd: worktree ?? gitDir, okExitCodes: [0, 1, 128] });
  if (head.exitCode === 0) return asGitOid(head.stdout.toString().trim(), objectFormat);
  throw new WorldError('unborn-head', 'the repository has no commit yet, so an episode has nothing to start from', {
    hint: 'Make a first commit: git commit --allow-empty -m "Start"',
  });
}

async function checkGitVersion(directory: string): Promise<void> {
  const result = await git(['--version'], { cwd: directory }).catch((error: unknown) => {
    throw error instanceof WorldError && error.code === 'directory-missing' ? notARepository(directory, error) : error;
  });
  const text = result.stdout.toString().trim();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const version = [Number(major), Number(minor)] as const;
  if (version[0] > oldest[0] || (version[0] === oldest[0] && version[1] >= oldest[1])) return;
  throw new WorldError('git-too-old', `${text} is too old: ${oldest.join('.')} or newer is needed`, {
    hint: 'Install a newer git and put it first on the PATH.',
    data: { found: text },
  });
}

async function locate(directory: string): Promise<Omit<Repository, 'refStorage'>> {
  const questions = ['--git-dir', '--git-common-dir', '--show-object-format', '--is-inside-work-tree'];
  const answer = await ask(directory, questions);
  // A path may hold a line break, so the fixed words are taken from the end and the two paths must be one line each.
  const [gitDir, commonDir, format, insideWorktree, ...rest] = answer;
  if (gitDir === undefined || commonDir === undefined || rest.length > 0) throw unsupported(directory, 'its path');
  const worktree = insideWorktree === 'true' ? (await ask(directory, ['--show-toplevel'])).join('\n') : null;
  return {
    gitDir: await realpath(gitDir),
    commonDir: await realpath(commonDir),
    worktree: worktree === null ? null : await realpath(worktree),
    objectFormat: objectFormat(format, directory),
  };
}

function objectFormat(text: string | undefined, directory: string): ObjectFormat {
  if (text === 'sha1' || text === 'sha256') return text;
  throw unsupported(directory, `the object format "${text ?? ''}"`);
}

async function ask(directory: string, questions: readonly string[]): Promise<string[]> {
  try {
    const result = await git(['rev-parse', '--path-format=absolute', ...questions], { cwd: directory });
    return result.stdout.toString().replace(/\n$/, '').split('\n');
  } catch (error) {
    throw explain(error, directory);
  }
}

function explain(error: unknown, directory: string): unknown {
  if (!(error instanceof WorldError)) return error;
  if (error.code === 'directory-missing') return notARepository(directory, error);
  if (error.code !== 'git-failed') return error;
  const stderr = String(error.data.stderr ?? '');
  if (stderr.includes('dubious ownership')) {
    return new WorldError('repository-not-trusted', `the repository at ${directory} belongs to another user`, {
      hint: `If you trust it: git config --global --add safe.directory ${directory}`,
      cause: error,
    });
  }
  const extension = /unknown (?:repository extension|value).*?[:\n]\s*(\S+)/.exec(stderr)?.[1];
  if (extension !== undefined)
    return unsupported(directory, `the extension "${extension}", unknown to the git here`, error);
  if (stderr.includes('repo version')) return unsupported(directory, 'a format version unknown to the git here', error);
  return notARepository(directory, error);
}

function notARepository(directory: string, cause: unknown): WorldError {
  return new WorldError('not-a-repository', `${directory} is not inside a git repository`, {
    hint: 'Go to a git worktree, or make one: git init',
    data: { directory },
    cause,
  });
}

function unsupported(directory: string, what: string, cause?: unknown): WorldError {
  return new WorldError(
    'repository-unsupported',
    `the repository at ${directory} uses ${what}, which is not supported`,
    {
      hint: 'Use a repository with git’s own standard formats, or a newer git.',
      data: { directory, what },
      cause,
    },
  );
}

async function readExtensions(commonDir: string): Promise<Map<string, string>> {
  const listed = await git(
    ['config', '--null', '--file', join(commonDir, 'config'), '--get-regexp', '^extensions\\.'],
    {
      cwd: commonDir,
      okExitCodes: [0, 1],
    },
  );
  const extensions = new Map<string, string>();
  for (const item of listed.stdout.toString().split('\0')) {
    const [key, ...value] = item.split('\n');
    if (key?.startsWith('extensions.')) extensions.set(key.slice('extensions.'.length).toLowerCase(), value.join('\n'));
  }
  return extensions;
}
