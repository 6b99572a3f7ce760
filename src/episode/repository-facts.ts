import { lstatSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { git } from '../git/child.js';
import type { GitOid, Repository, TreeMode } from '../git/types.js';

/** What git's own configuration says about reading a worktree. */
export interface WorktreeSettings {
  /** Whether the executable bit on disk counts. */
  readonly fileMode: boolean;
  readonly ignoreCase: boolean;
  /** Texts of `core.excludesFile` and `info/exclude`, weakest first. */
  readonly excludes: readonly string[];
}

/** Paths in git's index. */
export interface TrackedFiles {
  readonly files: ReadonlyMap<string, { readonly mode: TreeMode; readonly oid: GitOid }>;
  /** Every directory above a tracked path, `a/b/`. */
  readonly directories: ReadonlySet<string>;
}

export async function readSettings(repository: Repository, root: string): Promise<WorktreeSettings> {
  const [fileMode, ignoreCase, excludesFile] = await Promise.all([
    config(root, ['--type=bool', 'core.fileMode']),
    config(root, ['--type=bool', 'core.ignoreCase']),
    config(root, ['--type=path', 'core.excludesFile']),
  ]);
  const userExcludes =
    excludesFile === ''
      ? join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', 'ignore')
      : excludesFile;
  return {
    fileMode: fileMode !== 'false',
    ignoreCase: ignoreCase === 'true',
    excludes: [textOf(userExcludes), textOf(join(repository.commonDir, 'info', 'exclude'))],
  };
}

/** Reads git's index; again only after the file has changed. */
export function trackedFilesReader(repository: Repository, root: string): () => Promise<TrackedFiles> {
  const index = join(repository.gitDir, 'index');
  let seen = '';
  let tracked: TrackedFiles | undefined;
  return async () => {
    const stat = lstatSync(index, { bigint: true, throwIfNoEntry: false });
    const stamp = stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
    if (tracked === undefined || stamp !== seen) tracked = await listIndex(root);
    seen = stamp;
    return tracked;
  };
}

/** Ids of every object below a commit or tree, itself included; empty when there is no such object. */
export async function objectsBelow(root: string, treeish: string): Promise<readonly GitOid[]> {
  const options = { cwd: root, okExitCodes: [0, 128] };
  const top = await git(['rev-parse', '--verify', '--quiet', `${treeish}^{tree}`], {
    cwd: root,
    okExitCodes: [0, 1, 128],
  });
  if (top.exitCode !== 0) return [];
  const tree = top.stdout.toString().trim() as GitOid;
  const listed = await git(
    ['ls-tree', '-r', '-t', '-z', '--full-tree', '--format=%(objecttype) %(objectname)', tree],
    options,
  );
  const below = records(listed.stdout).flatMap((line) => {
    const [type, oid] = line.split(' ');
    return oid === undefined || type === 'commit' ? [] : [oid as GitOid];
  });
  return [tree, ...below];
}

/** The commit a nested repository or submodule has checked out. `none`: not a repository; `unborn`: no commit yet. */
export async function nestedHead(directory: string): Promise<GitOid | 'unborn' | 'none'> {
  const gitDir = `--git-dir=${join(directory, '.git')}`;
  const options = { cwd: directory, okExitCodes: [0, 1, 128] };
  const head = await git([gitDir, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], options);
  if (head.exitCode === 0) return head.stdout.toString().trim() as GitOid;
  const there = await git([gitDir, 'rev-parse', '--git-dir'], options);
  return there.exitCode === 0 ? 'unborn' : 'none';
}

async function listIndex(root: string): Promise<TrackedFiles> {
  const listed = await git(['ls-files', '-s', '-z'], { cwd: root });
  const files = new Map<string, { mode: TreeMode; oid: GitOid }>();
  const directories = new Set<string>();
  for (const record of records(listed.stdout)) {
    const tab = record.indexOf('\t');
    const [mode, oid] = record.slice(0, tab).split(' ');
    const path = record.slice(tab + 1);
    files.set(path, { mode: mode as TreeMode, oid: oid as GitOid });
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const directory = path.slice(0, slash + 1);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return { files, directories };
}

async function config(root: string, query: readonly string[]): Promise<string> {
  const [type = '', name = ''] = query;
  const found = await git(['config', type, '--get', name], { cwd: root, okExitCodes: [0, 1] });
  return found.stdout.toString().replace(/\n$/, '');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // No such file is the common case; one that cannot be read rules nothing, as for git.
    return '';
  }
}

function records(output: Buffer): string[] {
  return output
    .toString()
    .split('\0')
    .filter((record) => record !== '');
}
