import type { EntryIndex, InvocationDraft, OperatorAct, Sha256Ref } from './types.js';

/** Messages are for people: never hashed, never parsed for evidence (log format section 3). */

const subjectColumns = 72;

export function invocationMessage(draft: InvocationDraft, index: EntryIndex, entryHash: Sha256Ref): string {
  return message(`${draft.skillId} ${draft.status} ${draft.detail}`, [
    ['World-Index', String(index)],
    ['World-Episode', draft.episodeId],
    ['World-Entry', entryHash],
    ...draft.effects.map(({ record }): [string, string] => {
      const outcome = record.allowed ? (record.failed ? 'failed' : 'ok') : record.denial;
      return ['World-Effect', `${record.effect} ${outcome} ${record.budgetAfter}/${record.budgetBefore}`];
    }),
    ['World-Surface', draft.surface],
  ]);
}

export function operatorMessage(act: OperatorAct, index: EntryIndex, entryHash: Sha256Ref): string {
  const episode = 'episode' in act && act.episode !== null ? [['World-Episode', act.episode] as [string, string]] : [];
  return message(`${act.act} ${actDetail(act)}`, [
    ['World-Index', String(index)],
    ...episode,
    ['World-Entry', entryHash],
    ['World-Act', act.act],
  ]);
}

function actDetail(act: OperatorAct): string {
  switch (act.act) {
    case 'genesis':
    case 'tools':
      return `${act.toolchain.name} ${act.toolchain.version}, ${Object.keys(act.tools).length} tools`;
    case 'episode-open':
      return `${act.episode} at ${act.baseCommit.slice(0, 12)}`;
    case 'session-mint':
      return `${act.episode} session ${act.credentialId.slice(0, 12)}, ${act.grants.length} grants`;
    case 'session-revoke':
      return act.episode ?? `${act.credentialIds.length} sessions`;
    case 'recovery':
      return `${act.intents.length} effects with unknown outcome`;
    case 'redact':
      return `${act.redactions.length} payloads: ${act.reason}`;
    case 'drift':
    case 'episode-close':
      return act.episode;
  }
}

function message(subject: string, trailers: readonly (readonly [string, string])[]): string {
  const lines = trailers.map(([key, value]) => `${key}: ${oneLine(value)}`);
  return `${shorten(oneLine(subject))}\n\n${lines.join('\n')}\n`;
}

/** Control, format and line-separating characters become one blank: a file name must not add lines or reorder text. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

function shorten(text: string): string {
  const letters = [...text];
  return letters.length <= subjectColumns ? text : `${letters.slice(0, subjectColumns - 1).join('')}…`;
}
