import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { clientSnippets } from '../../src/cli/snippets.js';
import { temporaryDirectory } from '../cleanup.js';

test('the snippets read the token from its file, whatever the file is called', (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, `it's "here" $HOME`, 'token');
  mkdirSync(join(file, '..'));
  writeFileSync(file, 'secret\n');
  const text = clientSnippets('http://127.0.0.1:1', file, 'ailang-worldd');
  assert.doesNotMatch(text, /secret/);
  const line = text.split('\n').find((candidate) => candidate.startsWith('export WORLD_SESSION='));
  assert.equal(execFileSync('sh', ['-c', `${line}\nprintf %s "$WORLD_SESSION"`], { encoding: 'utf8' }), 'secret');
  const config = /^echo '(.*)' > world-mcp\.json$/m.exec(text)?.[1] ?? '';
  assert.equal(JSON.parse(config).mcpServers.world.url, 'http://127.0.0.1:1/mcp/');
  for (const client of ['claude mcp add', 'codex mcp add world', 'codex exec', 'pi --mcp-config', 'curl -s'])
    assert.match(text, new RegExp(`^${client}`, 'm'));
});
