// Builds the programs into dist/: every child process, worker and tool runs from a self-contained bundle there.
import { existsSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'warning',
  legalComments: 'none',
};
// Bundled CommonJS packages call require for Node's own modules; an ES module has none unless we make it.
const requireShim =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";
const program = { ...common, banner: { js: `#!/usr/bin/env node\n${requireShim}` } };
const worker = { ...common, banner: { js: requireShim } };

const present = (entries) =>
  Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(`${root}${file}`)));

await rm(`${root}dist`, { recursive: true, force: true });

// The daemon's command line: split, so that a verb loads only what it needs.
await build({
  ...program,
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  entryPoints: present({ 'ailang-worldd': 'src/cli/main.ts' }),
});
// The toolchain: one file, because its digest is the toolchain's identity in the log.
await build({ ...program, outdir: 'dist', entryPoints: present({ ailang: 'src/ailang/cli/main.ts' }) });
await build({
  ...worker,
  outdir: 'dist/workers',
  entryPoints: present({ 'merge-packs': 'src/git/merge-worker.ts', toolchain: 'src/toolchain/embedded/worker.ts' }),
});
// What every run starts anew, as small as it can be: CommonJS, because Node starts it faster than a module.
await build({
  ...common,
  format: 'cjs',
  outdir: 'dist/workers',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': '__file' },
  banner: { js: "const __file = require('node:url').pathToFileURL(__filename).href;" },
  entryPoints: present({
    'run-child': 'src/ailang/cli/run/run-child.ts',
    'run-thread': 'src/ailang/cli/run/run-thread.ts',
  }),
});
// The eight tools: each its own module, because the bytes that run are the bytes genesis records.
const tools = (await readdir(`${root}src/tools`)).filter(
  (name) => name.startsWith('ailang-') || name.endsWith('-search.ts'),
);
await build({
  ...common,
  outdir: 'dist/transitions',
  platform: 'neutral',
  entryPoints: Object.fromEntries(tools.map((name) => [name.replace(/\.ts$/, ''), `src/tools/${name}`])),
});

for (const name of ['ailang-worldd', 'ailang']) {
  const file = `${root}dist/${name}.js`;
  if (existsSync(file)) await chmod(file, 0o755);
}
