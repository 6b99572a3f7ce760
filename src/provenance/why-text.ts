import type { Link, WhyChain } from './chain.js';

const GREEN = '\u001b[32m';
const RED = '\u001b[31m';
const PLAIN = '\u001b[0m';

/** The walk for a person: a header, one line per link, a verdict (world-behaviour 7). */
export function whyText(chain: WhyChain, colour: boolean): string {
  const lines = [`why: entry ${chain.entry} (matched by ${chain.matchedBy})`];
  if (chain.note !== undefined) lines.push(`  note: ${chain.note}`);
  lines.push(...chain.links.map((link) => linkLine(link, colour)));
  const broken = chain.links.filter((link) => !link.ok);
  lines.push(
    broken.length === 0
      ? verified(chain)
      : `${broken.length} of ${chain.links.length} link(s) BROKEN: ${broken.map((link) => link.name).join(', ')}`,
  );
  return `${lines.join('\n')}\n`;
}

function verified({ links }: WhyChain): string {
  const redacted = links.filter((link) => link.redacted).length;
  return redacted === 0
    ? `all ${links.length} link(s) verified`
    : `${links.length - redacted} of ${links.length} link(s) verified, ${redacted} redacted: their bytes cannot be shown`;
}

function linkLine(link: Link, colour: boolean): string {
  const mark = link.redacted ? '∅' : link.ok ? '✓' : '✗';
  const shown = colour ? `${link.ok ? GREEN : RED}${mark}${PLAIN}` : mark;
  return `${shown} ${link.name.padEnd(8)} ${link.ref ?? '-'}  ${link.detail}`;
}
