/** Sentences that several descriptions share, to the letter of the tool reference. */
export const PATH_RULE =
  "The path is relative to the worktree root, non-empty, with no `..` segment and no leading `-`; anything that resolves outside the worktree (absolute, `..`, or a symlink leading out) is refused by AILANG's policy layer, and `.git/` plus the operator's deny list stay read-only.";

export const STRICT = 'Unknown argument keys are refused, never ignored.';

export const COMMITTED =
  "Every call commits one World log entry; the result carries `world` (the effect plan and the brokered effect's record ref).";

export const costs = (what: string): string => `Costs one ${what} from the session's budget.`;

export const description = (...sentences: readonly string[]): string => sentences.join(' ');
