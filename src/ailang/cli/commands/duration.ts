import { UsageError } from './context.js';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration such as `5s`, `1m30s` or `500ms`, in milliseconds. @throws UsageError naming the flag */
export function durationMs(flag: string, text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ''] ?? 0), 0);
  if (parts.map(([part]) => part).join('') !== text || total <= 0)
    throw new UsageError(`--${flag} takes a duration such as 5s, not ${JSON.stringify(text)}`);
  return total;
}
