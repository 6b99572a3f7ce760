import type { FileGuard } from './fileguard/fileguard.js';
import { GuardError, ProtectedError, TooLargeError } from './fileguard/guard-error.js';
import { goString, quoted } from './go-text.js';
import type { Policy } from './policy.js';
import type { Protected } from './protect.js';
import { type PolicyToolReply, Refusal } from './reply.js';
import type { PolicyToolCall } from './request.js';

export type FileOperation = 'read' | 'write' | 'edit';

export const isFileOperation = (op: string): op is FileOperation => op === 'read' || op === 'write' || op === 'edit';

/** Under trusted_host a policy may set no cap; a transfer through JSON has one all the same. */
const unboundedCap = 64 * 1024 * 1024;

/** `read`, `write` and `edit` (ailang-cli 1.5–1.7), synchronous and in this process. @throws Refusal */
export function fileOperation(policy: Policy, guard: FileGuard, call: PolicyToolCall): PolicyToolReply {
  const op = call.op as FileOperation;
  const { path } = call.fields;
  const cap = policy.limits.max_fs_transfer_bytes || unboundedCap;
  if (path === '') throw new Refusal(`${op}: path is required`);
  if (op === 'read') {
    const content = goString(readFile(guard, path, cap));
    return content === '' ? { ok: true } : { ok: true, content };
  }
  if (op === 'write') {
    writeFile('write', guard, path, Buffer.from(call.fields.content), cap);
    return { ok: true };
  }
  editFile(guard, path, call, cap);
  return { ok: true };
}

function editFile(guard: FileGuard, path: string, call: PolicyToolCall, cap: number): void {
  if (call.fields.old_text === '') throw new Refusal(`edit ${path}: old_text is required (use write to create a file)`);
  explained('edit', path, () => guard.checkWritable(path));
  const before = readFile(guard, path, cap);
  const old = Buffer.from(call.fields.old_text);
  const places = occurrences(before, old);
  const [at] = places;
  if (at === undefined)
    throw new Refusal(`edit ${path}: old_text not found — the file may have changed; read it again`);
  if (places.length > 1)
    throw new Refusal(`edit ${path}: old_text occurs ${places.length} times; include more context so it is unique`);
  // On bytes, not text: whatever surrounds the place stays as it is, in any encoding.
  const after = Buffer.concat([
    before.subarray(0, at),
    Buffer.from(call.fields.new_text),
    before.subarray(at + old.length),
  ]);
  writeFile('edit', guard, path, after, cap);
}

/** Places where the text begins, without overlap. */
function occurrences(bytes: Buffer, text: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) places.push(at);
  return places;
}

function readFile(guard: FileGuard, path: string, cap: number): Buffer {
  return explained('read', path, () => guard.readFile(path, cap));
}

function writeFile(op: 'write' | 'edit', guard: FileGuard, path: string, content: Buffer, cap: number): void {
  explained(op, path, () => guard.checkWritable(path));
  if (content.length > cap) throw new Refusal(`write ${path}: content exceeds the ${cap}-byte transfer cap`);
  try {
    guard.writeFile(path, content);
  } catch (error) {
    // Found protected behind a link: the operation's own name; any other failure is one of writing.
    throw refusalOf(error instanceof ProtectedError ? op : 'write', path, error);
  }
}

function explained<T>(op: FileOperation, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusalOf(op, path, error);
  }
}

function refusalOf(op: string, path: string, error: unknown): unknown {
  if (error instanceof ProtectedError) return new Refusal(protectedText(op, path, error.reason));
  if (error instanceof TooLargeError)
    return new Refusal(`${op} ${path}: file exceeds the ${error.cap}-byte transfer cap`);
  return error instanceof GuardError ? new Refusal(`${op} ${path}: ${error.message}`) : error;
}

/** Why a tool may not write a path. */
export function protectedText(op: string, path: string, reason: Protected): string {
  return reason.by === 'git'
    ? `${op} ${path}: .git/ is read-only to the lane's tools`
    : `${op} ${path}: matches fs_deny_write ${quoted(reason.pattern)} — read-only under this policy`;
}
