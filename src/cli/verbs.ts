import type { VerbModule } from './verb.js';

/** One row of the verb table. The module is loaded only when its verb runs. */
export interface VerbEntry {
  readonly name: string;
  readonly summary: string;
  /** Whether the verb speaks to a running daemon, so that `--addr` means something. */
  readonly client: boolean;
  load(): Promise<VerbModule>;
}

export const VERBS: readonly VerbEntry[] = [
  verb(
    'up',
    'Serve a world for the repository you stand in; set up what is missing',
    false,
    () => import('./verbs/up.js'),
  ),
  verb('serve', 'Serve a world; every choice explicit, nothing minted', false, () => import('./verbs/serve.js')),
  verb('session', 'Mint, list and revoke session credentials', false, () => import('./verbs/session.js')),
  verb('episode', 'Open, list and close episodes', false, () => import('./verbs/episode.js')),
  verb('tools', 'List the tools a session may call', true, () => import('./verbs/tools.js')),
  verb('call', 'Call a tool', true, () => import('./verbs/call.js')),
  verb('log', 'Follow or read the log', true, () => import('./verbs/log.js')),
  verb('why', 'Walk one entry and recompute every hash', true, () => import('./verbs/why.js')),
  verb('blame', 'Name the entry that wrote each line of a file', true, () => import('./verbs/blame.js')),
  verb('diff', 'Show what entries changed in the files', true, () => import('./verbs/diff.js')),
  verb('restore', 'Bring files of an entry back, into a new worktree', true, () => import('./verbs/restore.js')),
  verb('provenance', 'Print the World-Provenance trailer', true, () => import('./verbs/provenance.js')),
  verb('verify', 'Prove a log, or a pull request by it, from git alone', false, () => import('./verbs/verify.js')),
  verb('pr', 'Make a proven pull request of what an episode did', false, () => import('./verbs/pr.js')),
  verb('push', 'Publish the log on a git remote', false, () => import('./verbs/push.js')),
  verb('fetch', 'Bring the logs a git remote holds', false, () => import('./verbs/fetch.js')),
  verb('remote', 'List the logs a git remote holds', false, () => import('./verbs/remote.js')),
  verb('export', 'Write the log of an episode into a git bundle', false, () => import('./verbs/export.js')),
  verb('import', 'Take the log out of a git bundle', false, () => import('./verbs/import.js')),
  verb('redact', 'Take payloads out of the log for good', false, () => import('./verbs/redact.js')),
  verb('hooks', 'Install, remove and list git hooks that guard the log', false, () => import('./verbs/hooks.js')),
  verb('health', 'Ask the daemon how it is', true, () => import('./verbs/health.js')),
  verb('head', 'Print the ref of the current world', true, () => import('./verbs/head.js')),
  verb('object', 'Read an object by its ref', true, () => import('./verbs/object.js')),
  verb('world', 'Read a world by its ref', true, () => import('./verbs/world.js')),
  verb(
    'doctor',
    'Check repository, log, daemon and worktrees (changes nothing)',
    false,
    () => import('./verbs/doctor.js'),
  ),
  verb('demo', 'Play a short scripted agent in a temporary repository', false, () => import('./verbs/demo.js')),
  verb('version', 'Print the version', false, () => import('./verbs/version.js')),
];

function verb(name: string, summary: string, client: boolean, load: () => Promise<{ verb: VerbModule }>): VerbEntry {
  return { name, summary, client, load: async () => (await load()).verb };
}
