import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JsonObject } from '../../log/types.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import { DEMO_FILES, DENIED_STEP, STEPS, type Step } from '../demo/script.js';
import { type Stage, setStage } from '../demo/stage.js';
import { EXIT_INTEGRITY, EXIT_OK } from '../exit-codes.js';
import type { Io, VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd demo

Makes a temporary repository, serves it, plays a scripted agent over MCP (read, edit, check, run, a refusal, a denied
call), then shows the log with git, why and provenance. Needs node and git only; removes everything afterwards.
Exit 0 when every step went as it should and why verified.`,

  async run({ args, io }) {
    expectPositionals(parseFlags(args, {}).positionals, 0, 0, 'no arguments');
    const stage = await setStage(DEMO_FILES, io.env);
    const stop = new AbortController();
    const interrupted = Promise.race([once(process, 'SIGINT', stop), once(process, 'SIGTERM', stop)]).then(() => false);
    try {
      return (await Promise.race([play(stage, io), interrupted])) ? EXIT_OK : EXIT_INTEGRITY;
    } finally {
      interrupted.catch(() => undefined);
      stop.abort();
      await stage.clear();
    }
  },
};

async function play(stage: Stage, io: Io): Promise<boolean> {
  const say = (line: string): void => void io.stdout.write(`${line}\n`);
  say(`A daemon serves a temporary repository at ${stage.endpoint}. An agent connects over MCP:\n`);
  const kept = await withAgent(stage, stage.token, async (agent) => {
    const results: boolean[] = [];
    for (const [position, step] of STEPS.entries()) results.push(await take(agent, step, position + 1, say));
    return results;
  });
  // A second session, minted while the daemon runs, may read but not write.
  const file = stage.file('reader.token');
  const minted = await stage.worldd(
    ...[
      'session',
      'mint',
      '--episode',
      'ep1',
      '--grant',
      'Workspace.Read=worktree:50',
      '--grant',
      'Workspace.Write=worktree:0',
    ],
    ...['--out', file],
  );
  if (minted.code !== 0) say(minted.stderr.trim());
  const token = (await readFile(file, 'utf8')).trim();
  kept.push(await withAgent(stage, token, (agent) => take(agent, DENIED_STEP, STEPS.length + 1, say)));

  const why = await stage.worldd('why', 'head');
  const trailer = await stage.worldd('provenance');
  say("\n$ git log --format='%h %an: %s' refs/world/log");
  say((await stage.git('log', '--format=%h %an: %s', 'refs/world/log')).trimEnd());
  say('\n$ ailang-worldd why head');
  say((why.stdout + why.stderr).trimEnd());
  say('\n$ ailang-worldd provenance');
  say((trailer.stdout + trailer.stderr).trimEnd());
  const played = kept.every(Boolean) && why.code === EXIT_OK && trailer.code === EXIT_OK;
  say(played ? '\nEverything above is in git; every hash was recomputed.' : '\nThe demo did not go as it should.');
  return played;
}

async function withAgent<T>(stage: Stage, token: string, act: (agent: Client) => Promise<T>): Promise<T> {
  const agent = new Client({ name: 'demo-agent', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(stage.endpoint), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await agent.connect(transport as Transport);
  try {
    return await act(agent);
  } finally {
    await agent.close();
  }
}

async function take(agent: Client, step: Step, number: number, say: (line: string) => void): Promise<boolean> {
  const answer = await agent.callTool({ name: step.tool, arguments: step.args });
  const output = (answer.structuredContent ?? {}) as JsonObject;
  const holds = step.holds(output);
  say(`${number}. ${step.title}`);
  say(`   ${step.tool} ${JSON.stringify(step.args)}`);
  say(`   ${holds ? '→' : '✗ unexpected:'} ${holds ? step.show(output) : JSON.stringify(output)}`);
  return holds;
}
