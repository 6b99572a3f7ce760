import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { EffectHost } from '../../interfaces.js';
import { packageRoot } from '../../package-root.js';
import { stdModules, stdSource } from '../../std/source.js';
import type { ChildRequest } from './messages.js';
import { runUnderPolicy } from './run-program.js';

/** More makes the first program hardly faster, and every child dearer. */
const rounds = 4;

/**
 * What a child does while it waits, in parts: it reads the library, runs the rehearsal program under a policy, its output
 * dropped, on the very path of a real request, and tidies up. The library is then checked, and the interpreter's own code
 * compiled. No connection is made. Each part tells whether it went well; if not, the first run is slower and nothing else.
 */
export function rehearsal(net: NonNullable<EffectHost['net']>): readonly (() => boolean)[] {
  return [compileAtOnce, readLibrary, ...Array.from({ length: rounds }, () => () => rehearse(net)), emptyNursery];
}

/** Machine code for all that is run from now on: what runs a few times is not worth V8's optimising compiler yet. */
function compileAtOnce(): boolean {
  setFlagsFromString('--always-sparkplug');
  return true;
}

function readLibrary(): boolean {
  for (const module of stdModules()) stdSource(module);
  return true;
}

/** V8 sweeps the nursery when it is full, for milliseconds; an empty one has room for all that a small run makes. */
function emptyNursery(): boolean {
  globalThis.gc?.({ type: 'minor' });
  return true;
}

function rehearse(net: NonNullable<EffectHost['net']>): boolean {
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
    return runUnderPolicy(request, net, drop, drop) === 0;
  } catch {
    return false;
  }
}
