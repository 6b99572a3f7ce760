import { join } from 'node:path';
import type { EffectHost } from '../../interfaces.js';
import { packageRoot } from '../../package-root.js';
import { stdModules, stdSource } from '../../std/source.js';
import type { ChildRequest } from './messages.js';
import { runUnderPolicy } from './run-program.js';

/** More makes the first program hardly faster, and every child dearer. */
const rounds = 2;

/**
 * Reads the library, and runs the rehearsal program under a policy, its output dropped, on the very path of a real
 * request: the library is then checked, and the interpreter's own code compiled. No connection is made.
 * @returns whether it went well; when not, the first run is slower and nothing else
 */
export function rehearse(net: NonNullable<EffectHost['net']>): boolean {
  for (const module of stdModules()) stdSource(module);
  const directory = join(packageRoot(), 'src', 'ailang', 'reference');
  const policyText = `security_mode = "restricted"
allowed_caps = ["FS", "IO"]
fs_sandbox = ${JSON.stringify(directory)}
timeout_ms = 8000
fs_deny_write = [".github/**", ".gitmodules"]
entry = "main"
`;
  const request: ChildRequest = {
    policyPath: join(directory, 'rehearsal.toml'),
    policyText,
    file: 'rehearsal.ail',
    cwd: directory,
    argsJson: 'null',
    argv: [],
    verifyContracts: false,
    printResult: true,
    maxDepth: 1000,
  };
  const drop = (): void => {};
  try {
    const codes = Array.from({ length: rounds }, () =>
      runUnderPolicy(JSON.parse(JSON.stringify(request)) as ChildRequest, net, drop, drop),
    );
    return codes.every((code) => code === 0);
  } catch {
    return false;
  }
}
