import { z } from 'zod';
import { WorldError } from '../../errors.js';
import type { PolicyToolResponse } from '../types.js';

const response = z.object({
  ok: z.boolean(),
  refused: z.string().optional(),
  content: z.string().optional(),
  argv: z.array(z.string()).optional(),
  exit_code: z.int().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  summary: z.record(z.string(), z.json()).optional(),
});

/** What `policy-tool` printed, with the members it leaves out when they are empty. @throws WorldError */
export function parseReply(op: string, text: string): PolicyToolResponse {
  let reply: z.infer<typeof response>;
  try {
    reply = response.parse(JSON.parse(text));
  } catch (cause) {
    throw new WorldError('toolchain-failed', 'policy-tool answered something else than its protocol', { cause });
  }
  const given = Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== undefined));
  const filled = given as unknown as PolicyToolResponse;
  if (op === 'read' && reply.ok) return { ...filled, content: reply.content ?? '' };
  if (reply.argv === undefined || reply.refused !== undefined) return filled;
  return { ...filled, exit_code: reply.exit_code ?? 0, stdout: reply.stdout ?? '', stderr: reply.stderr ?? '' };
}
