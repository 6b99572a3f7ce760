import type { JsonRecord, ToolDescriptor } from './types.js';

const READS: ToolDescriptor['annotations'] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/**
 * Behaviour hints. Every tool stays inside one recorded worktree whose earlier states the log keeps, so none is
 * destructive or open-world; clients that run unattended rely on that.
 */
export const ANNOTATIONS = {
  reads: READS,
  replaces: { ...READS, readOnlyHint: false },
  changes: { ...READS, readOnlyHint: false, idempotentHint: false },
} as const;

export interface DescriptorParts {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly effects: readonly string[];
  readonly input: JsonRecord;
  readonly output: JsonRecord;
  readonly annotations: ToolDescriptor['annotations'];
}

/** Access costs nothing (visibility), the effect one unit. */
export function describeTool(parts: DescriptorParts): ToolDescriptor {
  return {
    id: parts.id,
    title: parts.title,
    description: parts.description,
    inputSchema: parts.input,
    outputSchema: parts.output,
    access: parts.effects.map((effect) => ({ effect, scope: 'worktree', cost: 0 })),
    declaredEffects: parts.effects.map((effect) => ({ effect, scope: 'worktree', cost: 1 })),
    annotations: parts.annotations,
  };
}
