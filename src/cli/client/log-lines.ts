import { z } from 'zod';
import { get } from './http.js';

export const entrySchema = z.looseObject({
  header: z.looseObject({ entryIndex: z.number().int(), writtenBy: z.string() }),
  entryHash: z.string(),
  transitionRef: z.string(),
});
export type WireEntry = z.infer<typeof entrySchema>;
const pageSchema = z.looseObject({ items: z.array(entrySchema) });

const invocationSchema = z.looseObject({ episodeId: z.string(), skillId: z.string(), effects: z.array(z.string()) });
const operatorSchema = z.looseObject({ act: z.string(), episode: z.string().nullish() });
const effectSchema = z.looseObject({
  effect: z.string(),
  allowed: z.boolean(),
  failed: z.boolean(),
  denial: z.string(),
});

/** Reads the daemon's log over HTTP. */
export class LogClient {
  readonly #addr: string;
  readonly #token: string | undefined;

  constructor(addr: string, token: string | undefined) {
    this.#addr = addr;
    this.#token = token;
  }

  /** Index of the newest entry. */
  async headIndex(): Promise<number> {
    const head = (await get(this.#addr, '/v1/head', this.#token)).trim();
    const world = JSON.parse(await get(this.#addr, `/v1/worlds/${head}`, this.#token)) as { revision: number };
    return world.revision;
  }

  async entry(index: number): Promise<string> {
    return get(this.#addr, `/v1/log/${index}`, this.#token);
  }

  async range(from: number, limit: number): Promise<string> {
    return get(this.#addr, `/v1/log?from=${from}&limit=${limit}`, this.#token);
  }

  async entries(from: number, limit: number): Promise<readonly WireEntry[]> {
    return pageSchema.parse(JSON.parse(await this.range(from, limit))).items;
  }

  /** `#<index> <8 hex> <writtenBy> <episode> <skill> [<Effect> <status>]` (world-behaviour 1.9). */
  async line(entry: WireEntry): Promise<string> {
    const start = `#${entry.header.entryIndex} ${entry.entryHash.slice('sha256:'.length, 15)} ${entry.header.writtenBy}`;
    const record = await this.#payload(entry.transitionRef);
    const invocation = invocationSchema.safeParse(record);
    if (invocation.success) {
      const effects = await Promise.all(invocation.data.effects.map((ref) => this.#effect(ref)));
      const { episodeId, skillId } = invocation.data;
      return `${start} ${episodeId} ${skillId} [${effects.length === 0 ? 'no effects' : effects.join(', ')}]`;
    }
    const operator = operatorSchema.safeParse(record);
    return operator.success && operator.data.episode ? `${start} ${operator.data.episode}` : start;
  }

  async #effect(ref: string): Promise<string> {
    const record = effectSchema.parse(await this.#payload(ref));
    const status = record.allowed ? (record.failed ? 'failed' : 'ok') : record.denial;
    return `${record.effect} ${status}`;
  }

  async #payload(ref: string): Promise<unknown> {
    const body = await get(this.#addr, `/v1/objects/${ref}?payload=true`, this.#token);
    const { payload } = JSON.parse(body) as { payload: string };
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
  }
}
