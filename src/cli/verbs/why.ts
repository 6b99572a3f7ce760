import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { GitOid, Repository } from '../../git/types.js';
import type { EntryReader } from '../../log/types.js';
import { findCommitTarget } from '../../provenance/commit-target.js';
import { findFileTarget } from '../../provenance/files/file-target.js';
import { type FoundEntry, findResult, findTarget } from '../../provenance/target.js';
import { walk } from '../../provenance/why.js';
import { whyText } from '../../provenance/why-text.js';
import { expectPositionals, parseFlags, usageError } from '../arguments.js';
import { EXIT_INTEGRITY, EXIT_OK } from '../exit-codes.js';
import { findRepository, readLog } from '../local-log.js';
import type { VerbCall, VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] why <target> [--repo <dir>] [--ref <ref>] [--json]
       ailang-worldd [--addr <url>] why --result <file> [--repo <dir>] [--ref <ref>] [--json]

Walks one entry (world, entry, record, input, plan, effects, output) and recomputes every hash, from git alone.
A target is an index, head, any sha256: ref, an invocation id, or
  <path>[:<line>]  the entry that changed the file last, or wrote the line (./head for a file of such a name)
  <commit>         a full git id: of the log, or of a commit whose World-Provenance trailer names its entries
  -                what call --json-out printed, on stdin
  --result <file>  the same, from a file
  --repo <dir>     the repository (default: the current directory; with --addr, the daemon's)
  --ref <ref>      the log's ref (default: refs/world/log, else the only one fetched)
  --json           the walk as one JSON object
Exit 0 when every link holds, 3 when one is broken, 1 when there is no such entry.`,

  async run(call) {
    const { values, positionals } = parseFlags(call.args, {
      result: { type: 'string' },
      repo: { type: 'string' },
      ref: { type: 'string' },
      json: { type: 'boolean' },
    });
    const fromFile = values.result !== undefined;
    if (fromFile && positionals.length > 0) throw usageError('--result and a target do not mix');
    expectPositionals(positionals, fromFile ? 0 : 1, 1, '<index|head|ref|invocation id|path[:line]|commit|->');
    const find = await target(call, positionals[0] ?? '-', values.result);
    const repository = await findRepository(call, values.repo);
    const chain = await readLog(repository, async (reader) => walk(reader, await find(reader, repository)), values.ref);
    call.io.stdout.write(values.json ? `${JSON.stringify(chain)}\n` : whyText(chain, call.io.colour));
    return chain.ok ? EXIT_OK : EXIT_INTEGRITY;
  },
};

async function target(
  { io }: VerbCall,
  text: string,
  file: string | undefined,
): Promise<(reader: EntryReader, repository: Repository) => Promise<FoundEntry>> {
  if (file !== undefined) {
    const path = resolve(io.cwd, file);
    const bytes = await readFile(path).catch(() => {
      throw usageError(`--result: cannot read ${path}`);
    });
    return (reader) => findResult(reader, bytes);
  }
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text))
    return (reader, repository) => findCommitTarget(repository, reader, text as GitOid);
  if (text !== '-')
    return (reader, repository) =>
      isEntryName(text) ? findTarget(reader, text) : findFileTarget(repository, reader.head.commit, text);
  const bytes = await io.readStdin();
  if (bytes.length === 0)
    throw usageError('nothing on stdin', 'pipe: ailang-worldd call … --json-out | ailang-worldd why -');
  return (reader) => findResult(reader, bytes);
}

/** What is nothing of this is a path; a file with such a name is told apart by `./`. */
function isEntryName(text: string): boolean {
  return /^(?:head|\d+|(?:sha256|a2a|mcp|rest):.*)$/s.test(text);
}
