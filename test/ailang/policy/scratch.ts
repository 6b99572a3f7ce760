import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryDirectory } from '../../cleanup.js';

/** An empty directory of its own, removed after the test. Real path. */
export function scratch(t: TestContext, files: Readonly<Record<string, string | Buffer>> = {}): string {
  const directory = temporaryDirectory(t);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

export interface Sandbox {
  /** Holds `root` and whatever lies outside of it. */
  readonly outside: string;
  readonly root: string;
  readonly policyFile: string;
}

/** A sandbox root with files, something outside of it, and a policy file. */
export function sandbox(
  t: TestContext,
  files: Readonly<Record<string, string | Buffer>> = {},
  policyText: (root: string) => string = restrictedPolicy,
): Sandbox {
  const outside = scratch(t, { 'secret.txt': 'secret\n' });
  const root = join(outside, 'root');
  mkdirSync(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const policyFile = join(outside, 'policy.toml');
  writeFileSync(policyFile, policyText(root));
  return { outside, root, policyFile };
}

export const restrictedPolicy = (root: string, more = ''): string => `security_mode = "restricted"
allowed_caps = ["IO", "FS"]
fs_sandbox = ${JSON.stringify(root)}
timeout_ms = 8000
fs_deny_write = [".github/**", ".pi/**", ".claude/**", ".gitmodules", ".gitattributes", ".ailang/**"]
entry = "main"
${more}
[budgets]
FS = 1000
`;
