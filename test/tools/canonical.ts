import { createHash } from 'node:crypto';

/** An independent, minimal canonical encoder for ASCII-keyed values: enough to recompute published refs. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

export const digest = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex');
