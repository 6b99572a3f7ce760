import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { gitIn, makeWorld, type TestWorld } from '../provenance/verify/world.js';

/** A world with some calls in it, beside a bare repository that is its remote `origin`. */
export interface SharedWorld extends TestWorld {
  /** The bare repository. */
  readonly remote: string;
  readonly base: string;
  readonly sharedRef: string;
  gitRemote(...args: string[]): string;
  /** A clone of the remote, without logs. */
  clone(name: string): { readonly directory: string; git(...args: string[]): string };
  /** Some more entries, behind the ref. */
  work(calls: number): Promise<void>;
}

export async function makeSharedWorld(
  t: TestContext,
  options: Parameters<typeof makeWorld>[1] = {},
): Promise<SharedWorld> {
  const world = await makeWorld(t, options);
  const base = dirname(world.repository);
  const home = join(base, 'home');
  const remote = join(base, 'remote.git');
  mkdirSync(remote);
  const gitRemote = gitIn(remote, home);
  gitRemote('init', '-q', '--bare', '-b', 'main', `--object-format=${options?.format ?? 'sha1'}`);
  world.git('remote', 'add', 'origin', remote);
  world.git('push', '-q', 'origin', 'main');
  await world.open('ep1');
  let n = 0;
  const work = async (calls: number): Promise<void> => {
    for (let i = 0; i < calls; i += 1) {
      n += 1;
      await world.call('ailang-write', { path: `note-${n}.txt`, content: `content number ${n}\n` });
    }
    await world.world.log.flush();
  };
  await work(2);
  await world.call('ailang-read', { path: 'note-1.txt' });
  await world.world.log.flush();
  return Object.assign(Object.create(world) as TestWorld, {
    ...{ remote, base, gitRemote, work },
    sharedRef: `refs/world/logs/${world.world.log.worldId}`,
    clone(name: string) {
      const directory = join(base, name);
      execFileSync('git', ['clone', '-q', remote, directory], { env: { PATH: process.env.PATH, HOME: home } });
      return { directory, git: gitIn(directory, home) };
    },
  });
}
