import { z } from 'zod';
import { type EffectSummary, effectSummary, summaryLine } from '../../provenance/entry-summary.js';
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

  /** As `summaryLine` has it. */
  async line({ header, entryHash, transitionRef }: WireEntry): Promise<string> {
    const start = { index: header.entryIndex, entryHash, writtenBy: header.writtenBy };
    const record = await this.#payload(transitionRef);
    const invocation = invocationSchema.safeParse(record);
    if (invocation.success) {
      const { episodeId: episode, skillId: what } = invocation.data;
      const effects = await Promise.all(invocation.data.effects.map((ref) => this.#effect(ref)));
      return summaryLine({ ...start, episode, what, call: true, effects });
    }
    const operator = operatorSchema.safeParse(record).data;
    return summaryLine({
      ...start,
      episode: operator?.episode ?? null,
      what: operator?.act ?? '',
      call: false,
      effects: [],
    });
  }

  async #effect(ref: string): Promise<EffectSummary> {
    return effectSummary(effectSchema.parse(await this.#payload(ref)));
  }

  async #payload(ref: string): Promise<unknown> {
    const body = await get(this.#addr, `/v1/objects/${ref}?payload=true`, this.#token);
    const { payload } = JSON.parse(body) as { payload: string };
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
  }
}
