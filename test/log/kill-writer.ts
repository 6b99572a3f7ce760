import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { EntryIndex } from '../../src/log/types.js';
import { assertHealthy, formats, gitText, initRepository, logRef } from '../git/temporary-repository.js';
import { ep1, openSample } from './sample-log.js';

const program = fileURLToPath(new URL('./writer-child.js', import.meta.url));

/**
 * Kills a writer again and again, each time after a random number of the lines it prints, and checks after each death
 * that everything it printed is in the log.
 */
export async function killWriters(t: TestContext, kills: number): Promise<void> {
  for (const format of formats) {
    const repository = await initRepository(t, format);
    const entries = new Map<string, { index: number; commit: string }>();
    const intents = new Set<string>();
    for (let kill = 0; kill < kills; kill++) {
      const text = await runUntilKilled(repository.worktree ?? '', `k${kill}`, Math.floor(Math.random() * 150));
      for (const line of text.split('\n').slice(0, -1)) {
        const [what, id = '', index, commit = ''] = line.split(' ');
        if (what === 'entry') entries.set(id, { index: Number(index), commit });
        if (what === 'intent') intents.add(id);
      }
      await assertHealthy(repository);
      const log = await openSample(repository);
      for (const [id, { index, commit }] of entries) {
        assert.deepEqual(log.state.receipt(id), { state: 'resolved', index }, `${id} after kill ${kill}`);
        if (id.startsWith(`k${kill}-`)) assert.equal((await log.entry(index as EntryIndex))?.commit, commit);
      }
      for (const id of intents) assert.equal(log.state.receipt(id)?.state, 'indeterminate', id);
      assert.ok(log.state.spent(ep1, 'Workspace.Write', 'worktree') >= entries.size + intents.size);
      await log.close();
      assert.equal(await gitText(repository, 'rev-list', '--count', logRef), String(log.head.index + 1));
      await assertHealthy(repository);
    }
  }
}

async function runUntilKilled(directory: string, name: string, lines: number): Promise<string> {
  const child = spawn(process.execPath, [program, directory, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.split('\n').length > lines) child.kill('SIGKILL');
  });
  await once(child, 'close');
  assert.equal(child.signalCode, 'SIGKILL', 'the child ended by itself');
  return text;
}
