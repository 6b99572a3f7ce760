/**
 * A tool is a pure transition: `plan` decides from the arguments alone whether to ask for exactly one effect or to
 * refuse; `finish` reshapes the effect's result. Neither does any I/O. The modules beside this file may import only
 * one another, because each is bundled into one self-contained file that genesis records.
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonRecord = { [key: string]: Json };

export interface PlannedEffect {
  readonly id: 'e1';
  readonly effect: string;
  readonly scope: 'worktree';
  readonly cost: 1;
  readonly payload: JsonRecord;
}

/** `world/effect-plan/v1` (world-formats 5.2). Zero effects if and only if `result` is an object. */
export interface EffectPlan {
  readonly effects: readonly PlannedEffect[];
  readonly finish: boolean;
  readonly plan: 'world/effect-plan/v1';
  readonly result: JsonRecord | null;
}

/** What finish is given about the one effect (world-formats 5.1). */
export interface EffectOutcome {
  readonly id: string;
  readonly effect: string;
  readonly status: 'ok' | 'denied' | 'failed';
  readonly record: string | null;
  /** Handler output; null when denied or failed. */
  readonly output: JsonRecord | null;
}

/** What `tools/list` and genesis say about a tool. Schemas are JSON Schema objects. */
export interface ToolDescriptor {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonRecord;
  readonly outputSchema: JsonRecord;
  readonly access: readonly { readonly effect: string; readonly scope: 'worktree'; readonly cost: 0 }[];
  readonly declaredEffects: readonly { readonly effect: string; readonly scope: 'worktree'; readonly cost: 1 }[];
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** What each module in this folder named after a tool exports as `tool`. */
export interface Tool {
  readonly descriptor: ToolDescriptor;
  /** `args` is a JSON object with its keys in the caller's order. Never throws. */
  plan(args: JsonRecord): EffectPlan;
  /** Present only where the plan says `finish: true`. */
  finish?(args: JsonRecord, results: readonly EffectOutcome[]): JsonRecord;
}
