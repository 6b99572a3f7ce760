import { z } from 'zod';
import type { EntryIndex, Sha256Ref } from '../log/types.js';

const DEFAULT_PAGE = 100;
const LARGEST_PAGE = 500;

export const sha256Ref = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .transform((text) => text as Sha256Ref);

export const entryIndex = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform((text) => Number(text) as EntryIndex);

/** A limit below 1 means the default, one above the largest page the largest page. */
const pageLimit = z
  .string()
  .regex(/^[+-]?\d{1,15}$/)
  .transform((text) => (Number(text) < 1 ? DEFAULT_PAGE : Math.min(Number(text), LARGEST_PAGE)));

export const logPage = z.object({
  from: entryIndex.default(0 as EntryIndex),
  limit: pageLimit.default(DEFAULT_PAGE),
});

export const objectQuery = z.object({ payload: z.enum(['true', 'false', '1', '0']).default('false') });
