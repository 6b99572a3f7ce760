import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { packageVersion } from '../../daemon/version.js';
import { openRepository } from '../../git/repository.js';
import { loadTools } from '../../invocation/transitions.js';
import type { JsonObject } from '../../log/types.js';
import { parseAllowedSigners } from '../../provenance/verify/allowed-signers.js';
import { githubReport, sarifReport } from '../../provenance/verify/machine-reports.js';
import type { ReplayTool } from '../../provenance/verify/replay-level.js';
import { LEVELS, type LevelName } from '../../provenance/verify/report.js';
import { textReport } from '../../provenance/verify/text-report.js';
import { type Verdict, verify } from '../../provenance/verify/verify.js';
import type { EffectOutcome, JsonRecord } from '../../tools/types.js';
import { expectPositionals, parseFlags, usageError } from '../arguments.js';
import { EXIT_INTEGRITY, EXIT_OK } from '../exit-codes.js';
import { suggest } from '../suggest.js';
import type { Io, VerbModule } from '../verb.js';

const FORMATS = ['text', 'json', 'sarif', 'github'] as const;

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd verify [<first>[-<last>]] [--repo <dir>] [--ref <ref>] [--require <levels>] [--format <format>]
         [--allowed-signers <file>]
       ailang-worldd verify --pr <base>..<head> [--body-file <file>|-] [--trailer <text>] […]

Proves the log from git alone: no daemon, no lock, no network. Levels, each reported on its own:
  chain      parents, indices, hashes, and the SHA-256 of every file
  authority  every effect was granted, every budget step and denial follows from the acts and calls before it
  trees      every change of files is explained by its entry's effect, or named as made outside World
  replay     plan and finish, run again, give the recorded bytes (where this program has the recorded tools)
  pr         every changed line of the pull request came from a recorded call (with --pr)
  <first>[-<last>]     report only on these entries
  --pr <base>..<head>  the commits of a pull request; their World-Provenance trailers name log, episode and snapshot
  --body-file <file>   more trailers: the pull request's body (- is stdin)
  --trailer <text>     one more trailer
  --ref <ref>          the log's ref (default refs/world/log, or refs/world/logs/<world> as the trailers name it)
  --world <id>         only this world's log counts (may be given again); without it any log that is named does
  --require <levels>   which must hold, separated by commas (default: all that are looked at)
  --allowed-signers <file>  who may sign entries, as for git's gpg.ssh.allowedSignersFile; adds the level signatures:
                       every entry is covered by the good signature of an allowed signer, on it or on a later one
  --format <format>    text, json, sarif or github (annotations, then the text); --json is --format json
Exit 0 when every required level holds, 3 when one fails, 1 when there is nothing to look at.`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, {
      pr: { type: 'string' },
      repo: { type: 'string' },
      ref: { type: 'string' },
      world: { type: 'string', multiple: true },
      require: { type: 'string' },
      trailer: { type: 'string', multiple: true },
      'body-file': { type: 'string' },
      'allowed-signers': { type: 'string' },
      format: { type: 'string' },
      json: { type: 'boolean' },
    });
    expectPositionals(positionals, 0, 1, '<first>[-<last>]');
    const pullRequest = values.pr;
    const bodyFile = values['body-file'];
    if (pullRequest === undefined && (bodyFile !== undefined || values.trailer !== undefined))
      throw usageError('--body-file and --trailer go with --pr');
    if (pullRequest !== undefined && !/^[^.].*?\.{2,3}[^.]/.test(pullRequest))
      throw usageError(`--pr must be <base>..<head>, not "${pullRequest}"`);
    const range = parseRange(positionals[0]);
    if (range !== undefined && pullRequest !== undefined) throw usageError('--pr and a range do not mix');
    const signersFile = values['allowed-signers'];
    const format = parseFormat(values.json ? 'json' : (values.format ?? 'text'));
    const verdict = await verify({
      repository: await openRepository(resolve(io.cwd, values.repo ?? '.')),
      ref: values.ref,
      range,
      pullRequest,
      texts: [
        ...(values.trailer ?? []).map((text) => ({ from: '--trailer', text: withKey(text) })),
        ...(bodyFile === undefined ? [] : [{ from: '--body-file', text: await readBody(io, bodyFile) }]),
      ],
      worlds: parseWorlds(values.world ?? []),
      required: parseLevels(values.require, { pr: pullRequest !== undefined, signatures: signersFile !== undefined }),
      tools: await replayTools(),
      allowedSigners:
        signersFile === undefined
          ? undefined
          : parseAllowedSigners(await readText(io, '--allowed-signers', signersFile)),
    });
    io.stdout.write(render(verdict, format, io.colour));
    return verdict.ok ? EXIT_OK : EXIT_INTEGRITY;
  },
};

function render(verdict: Verdict, format: (typeof FORMATS)[number], colour: boolean): string {
  switch (format) {
    case 'text':
      return textReport(verdict, colour);
    case 'json':
      return `${JSON.stringify(verdict)}\n`;
    case 'sarif':
      return sarifReport(verdict, packageVersion());
    case 'github':
      return `${githubReport(verdict)}${textReport(verdict, false)}`;
  }
}

function parseFormat(text: string): (typeof FORMATS)[number] {
  const found = FORMATS.find((format) => format === text);
  if (found === undefined) throw usageError(`--format must be one of ${FORMATS.join(', ')}, not "${text}"`);
  return found;
}

/** @param looked which of the levels that need something given are looked at */
function parseLevels(
  text: string | undefined,
  looked: { readonly pr: boolean; readonly signatures: boolean },
): readonly LevelName[] {
  if (text === undefined) return LEVELS.filter((level) => (level !== 'pr' && level !== 'signatures') || looked[level]);
  const levels = text.split(',').map((name) => {
    const found = LEVELS.find((level) => level === name.trim());
    if (found !== undefined) return found;
    const near = suggest(name.trim(), LEVELS);
    throw usageError(
      `unknown level "${name}"`,
      near === undefined ? `levels: ${LEVELS.join(', ')}` : `did you mean ${near}?`,
    );
  });
  if (levels.includes('pr') && !looked.pr) throw usageError('the level pr needs --pr <base>..<head>');
  if (levels.includes('signatures') && !looked.signatures)
    throw usageError('the level signatures needs --allowed-signers <file>');
  return levels;
}

function parseWorlds(ids: readonly string[]): readonly string[] {
  const bad = ids.find((id) => !/^[0-9a-f]{16}$/.test(id));
  if (bad === undefined) return ids;
  throw usageError(`--world must be 16 hex digits, not "${bad}"`, 'ailang-worldd verify prints the id of each log');
}

function parseRange(text: string | undefined): { first: number; last: number } | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d{1,15})(?:(?:-|\.\.)(\d{1,15}))?$/.exec(text);
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (match === null || first > last) throw usageError(`"${text}" is no range of entries`, 'write 3, 3-9 or 3..9');
  return { first, last };
}

async function readBody(io: Io, file: string): Promise<string> {
  if (file === '-') return (await io.readStdin()).toString();
  return readText(io, '--body-file', file);
}

async function readText(io: Io, flag: string, file: string): Promise<string> {
  const path = resolve(io.cwd, file);
  return readFile(path, 'utf8').catch(() => {
    throw usageError(`${flag}: cannot read ${path}`);
  });
}

function withKey(trailer: string): string {
  return /^\s*World-Provenance:/i.test(trailer) ? trailer : `World-Provenance: ${trailer}`;
}

/** The tools of this program, as replay runs them. */
export async function replayTools(): Promise<ReadonlyMap<string, ReplayTool>> {
  const tools = new Map<string, ReplayTool>();
  for (const [id, { tool, transitionFn }] of await loadTools()) {
    const finish = tool.finish?.bind(tool);
    tools.set(id, {
      transitionFn,
      plan: (args) => tool.plan(args as JsonRecord),
      finish:
        finish &&
        ((args: JsonObject, results: readonly JsonObject[]) =>
          finish(args as JsonRecord, results as unknown as EffectOutcome[])),
    });
  }
  return tools;
}
