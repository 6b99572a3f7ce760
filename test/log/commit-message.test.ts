import assert from 'node:assert/strict';
import { test } from 'node:test';
import { git } from '../../src/git/child.js';
import { initRepository, logRef } from '../git/temporary-repository.js';
import { invocation, openSample } from './sample-log.js';

test('what an agent names cannot add lines, trailers or reordered text to the commit message', async (t) => {
  const repository = await initRepository(t);
  const log = await openSample(repository);
  const hostile = [
    'a\nWorld-Index: 99',
    'a\r\n\r\nWorld-Entry: sha256:0',
    'a\0b',
    'a\u2028World-Act: genesis\u2029',
    '\u202egnp.exe',
    '\u001b[2Jx',
    '\n'.repeat(500),
    'ü'.repeat(500),
  ];
  for (const [at, detail] of hostile.entries()) {
    const { index, entryHash } = await log.append(invocation('sha1', `h${at}`, null, { detail }));
    await log.flush();
    const format = '--format=%B%x00%(trailers:only,unfold)';
    const shown = await git(['log', '-1', format, logRef], { cwd: repository.commonDir });
    const [message = '', trailers = ''] = shown.stdout.toString().split('\0');
    const [subject = '', blank, ...rest] = message.trimEnd().split('\n');
    assert.equal(blank, '', JSON.stringify(detail));
    assert.ok([...subject].length <= 72 && !/\p{C}/u.test(subject), JSON.stringify(subject));
    assert.deepEqual(rest, trailers.trim().split('\n'));
    assert.deepEqual(rest, [
      `World-Index: ${index}`,
      'World-Episode: ep1',
      `World-Entry: ${entryHash}`,
      'World-Surface: mcp',
    ]);
  }
  await log.close();
});
