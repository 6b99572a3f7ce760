import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the daemon keeps what belongs to one repository but not into it. */
export interface Places {
  /** `<state>/<name>-<8 hex>`: the rest lies below it. */
  readonly state: string;
  /** Worktrees, one folder per episode. */
  readonly workspaceRoot: string;
  /** Token files that `up` writes, one per episode. */
  readonly sessions: string;
}

/** The user's state directory for this program (XDG base directories). */
export function stateDirectory(env: Environment): string {
  const base = env.XDG_STATE_HOME;
  return join(
    base !== undefined && isAbsolute(base) ? base : join(env.HOME ?? homedir(), '.local', 'state'),
    'ailang-world',
  );
}

/** @param commonDir real path of the repository's common directory; two repositories never share a place */
export function placesFor(commonDir: string, env: Environment, workspaceRoot: string | undefined): Places {
  const name = basename(commonDir) === '.git' ? basename(dirname(commonDir)) : basename(commonDir, '.git');
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/g, '-') || 'repository';
  const state = join(stateDirectory(env), `${safe}-${shortDigest(commonDir)}`);
  return {
    state,
    workspaceRoot: workspaceRoot ?? join(state, 'worktrees'),
    sessions: join(state, 'sessions'),
  };
}

export function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
