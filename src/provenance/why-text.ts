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
      ? `all ${chain.links.length} link(s) verified`
      : `${broken.length} of ${chain.links.length} link(s) BROKEN: ${broken.map((link) => link.name).join(', ')}`,
  );
  return `${lines.join('\n')}\n`;
}

function linkLine(link: Link, colour: boolean): string {
  const mark = link.ok ? '✓' : '✗';
  const shown = colour ? `${link.ok ? GREEN : RED}${mark}${PLAIN}` : mark;
  return `${shown} ${link.name.padEnd(8)} ${link.ref ?? '-'}  ${link.detail}`;
}
