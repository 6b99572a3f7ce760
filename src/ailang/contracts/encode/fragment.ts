import type { CorePattern } from '../../core/types.js';
import type { Type } from '../../types/type.js';
import { resolve } from '../../types/type.js';
import type { Rejection, RejectionCode } from '../types.js';
import type { ProgramFunction } from './program.js';
import { shapes, sortOf } from './sort.js';
import { Unsupported } from './unsupported.js';

/** Patterns nested deeper than this are refused: their encoding grows with every level. */
const maxPatternDepth = 3;

/** What keeps a function out of the provable fragment, as far as its declaration shows it. */
export function rejections(fn: ProgramFunction): readonly Rejection[] {
  const { declaration, core, type } = fn;
  const found: Rejection[] = [];
  const reject = (code: RejectionCode, message: string, hint: string): void => {
    found.push({ code, message, position: core.position, hint });
  };
  if (!core.clauses.some(({ kind }) => kind === 'ensures'))
    reject('NO_CONTRACTS', 'no ensures clause (nothing to verify)', 'Add ensures { … } to state what the result is.');
  const { effects } = declaration;
  if (!declaration.pure && effects === null)
    reject('NOT_PURE', `${core.name} is not declared pure`, 'Write pure func, or ! {} after the result type.');
  if (effects !== null && effects.effects.length + effects.variables.length > 0)
    reject('NOT_PURE', `${core.name} has effects`, 'Move the logic into a pure function.');
  for (const part of [...type.parameters, type.result]) {
    if (resolve(part).k === 'function') {
      reject('HIGHER_ORDER', 'a parameter or the result is a function', 'Prove a function that takes and gives data.');
      continue;
    }
    const problem = unencodablePart(part);
    if (problem !== null) reject(problem.code, problem.message, problem.hint);
  }
  if (deepest(core.body) > maxPatternDepth)
    reject(
      'DEEP_PATTERNS',
      `a pattern is nested more than ${maxPatternDepth} levels deep`,
      'Match the outer part first, and the inner parts in a match of their own.',
    );
  return found;
}

function unencodablePart(type: Type): Unsupported | null {
  try {
    const pending = [sortOf(type, null)];
    const seen = new Set<string>();
    for (let sort = pending.pop(); sort !== undefined; sort = pending.pop()) {
      if (sort.k === 'list') pending.push(sort.item);
      if (sort.k === 'adt') {
        const name = `${sort.constructor.module}.${sort.constructor.name}`;
        if (seen.has(name)) continue;
        seen.add(name);
      }
      for (const { fields } of shapes(sort) ?? []) pending.push(...fields);
    }
    return null;
  } catch (error) {
    if (error instanceof Unsupported) return error;
    throw error;
  }
}

function deepest(root: unknown): number {
  let most = 0;
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    if ('pattern' in node && 'guard' in node) most = Math.max(most, patternDepth(node.pattern as CorePattern));
    pending.push(...Object.values(node));
  }
  return most;
}

function patternDepth(pattern: CorePattern): number {
  if (pattern.k !== 'constructor' && pattern.k !== 'tuple') return 0;
  const parts = pattern.k === 'constructor' ? pattern.args : pattern.items;
  return 1 + Math.max(0, ...parts.map(patternDepth));
}
