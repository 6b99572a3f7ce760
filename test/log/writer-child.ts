// A writer to be killed: makes calls without end and prints each intent and each acknowledged entry.
import { writeSync } from 'node:fs';
import { openRepository } from '../../src/git/repository.js';
import { call, intentFor, openSample } from './sample-log.js';

const [, , directory = '', name = ''] = process.argv;
const repository = await openRepository(directory);
const log = await openSample(repository, { durability: 'strict', journalBytes: 64 * 1024 });
const say = (line: string) => writeSync(1, `${line}\n`);
say('ready');
await Promise.all(
  Array.from({ length: 4 }, async (_, caller) => {
    for (let i = 0; i < 10_000; i++) {
      const id = `${name}-${caller}-${i}`;
      if (i % 5 === 4) {
        // An effect that never gets its entry.
        const { durable } = log.recordIntent(intentFor(`${id}-stuck`));
        await durable;
        say(`intent ${id}-stuck`);
      }
      const { index, commit } = await call(log, repository.objectFormat, id);
      say(`entry ${id} ${index} ${commit}`);
    }
  }),
);
