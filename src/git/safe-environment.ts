/** Configuration that overrides, on every git command line, what a repository could use to run programs of its own. */
export const safeConfiguration: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.editor=true',
  'core.askPass=',
  'credential.helper=',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'log.showSignature=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'core.quotePath=false',
].flatMap((setting) => ['-c', setting]);

/** How the operator's own git reaches a remote and who they are there: needed to push and fetch, by nothing else. */
const transport: ReadonlySet<string> = new Set(['core.askPass=', 'credential.helper=']);
const transportVariables =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_\w+|HTTP_\w+|PROXY_\w+|ALLOW_PROTOCOL|CONFIG_\w+)$/;

/** The argument list of a git that talks to a remote: as `safeArguments`, but with the operator's credential helpers. */
export function transportArguments(args: readonly string[]): string[] {
  const kept = safeConfiguration.filter((setting) => setting !== '-c' && !transport.has(setting));
  return [...kept.flatMap((setting) => ['-c', setting]), ...args];
}

/** The environment beside it: what names the operator's ssh, askpass, certificates and proxies stays. It never prompts. */
export function transportEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (pair): pair is [string, string] =>
      pair[1] !== undefined && (transportVariables.test(pair[0]) || pair[0] === 'SSH_ASKPASS' || pair[0] === 'DISPLAY'),
  );
  return safeEnvironment(Object.fromEntries(kept));
}

/** Sub-commands that may start an external diff or text conversion, and take the flags that forbid it. */
const diffing = new Set(['diff', 'diff-files', 'diff-index', 'diff-tree', 'format-patch', 'log', 'show']);

/** The full argument list for `git`, with everything switched off that could run a program. */
export function safeArguments(args: readonly string[]): string[] {
  const at = subcommandIndex(args);
  const command = args[at];
  if (command === undefined || !diffing.has(command)) return [...safeConfiguration, ...args];
  return [...safeConfiguration, ...args.slice(0, at + 1), '--no-ext-diff', '--no-textconv', ...args.slice(at + 1)];
}

/** Where the sub-command stands: behind git's own options. */
export function subcommandIndex(args: readonly string[]): number {
  let at = 0;
  while (args[at]?.startsWith('-')) at += args[at] === '-c' || args[at] === '-C' ? 2 : 1;
  return at;
}

/**
 * The environment of a git child: ours without any `GIT_*` (a hook or a shell may have left `GIT_DIR` or
 * `GIT_INDEX_FILE`; only a pre-receive hook's quarantine stays), English messages, no prompts. The operator's own and
 * the system's configuration stay readable, because they hold the user's identity and `safe.directory`; what could
 * execute is overridden above.
 */
export function safeEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const environment: Record<string, string> = {};
  const receiving = process.env.GIT_QUARANTINE_PATH !== undefined;
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined || dropped.has(name)) continue;
    if (!name.startsWith('GIT_') || (receiving && quarantine.has(name))) environment[name] = value;
  }
  return {
    ...environment,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    ...extra,
  };
}

/** Under a pre-receive hook: where the objects of a push are until it is accepted. */
const quarantine: ReadonlySet<string> = new Set([
  'GIT_QUARANTINE_PATH',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
]);

const dropped: ReadonlySet<string> = new Set(['LANGUAGE', 'SSH_ASKPASS', 'DISPLAY', 'PAGER', 'EDITOR', 'VISUAL']);
