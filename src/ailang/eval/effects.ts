import type { EffectBudget } from '../core/types.js';
import type { EffectHost } from '../interfaces.js';
import { RuntimeFailure } from './failure.js';

/** `Debug` needs no grant. */
interface Parts {
  IO: EffectHost['io'];
  FS: EffectHost['fs'];
  Env: EffectHost['env'];
  Net: EffectHost['net'];
  Clock: EffectHost['clock'];
  Rand: EffectHost['rand'];
}
export type Effect = keyof Parts;

interface Count {
  readonly budget: EffectBudget;
  readonly owner: string;
  used: number;
}

/** The only way from a program to the world: grant, source budgets, operator budget, then the operation. */
export class Effects {
  private readonly parts: Parts;
  private counts: Count[] = [];
  /** JSON lines of the ghost effect Debug, printed after the run. */
  readonly debugLines: string[] = [];

  constructor(private readonly host: EffectHost) {
    const { io, fs, env, net, clock, rand } = host;
    this.parts = { IO: io, FS: fs, Env: env, Net: net, Clock: clock, Rand: rand };
  }

  /** The host's part of an effect, charged for one operation. @throws RuntimeFailure */
  use<E extends Effect>(effect: E, operation: string): NonNullable<Parts[E]> {
    const part = this.parts[effect];
    if (part === undefined) throw missing(effect, operation);
    for (const count of this.counts) {
      if (count.budget.effect === effect) spend(count);
    }
    try {
      this.host.charge(effect, operation);
    } catch (cause) {
      throw hostFailure(cause, '');
    }
    return part;
  }

  /** Begins the budgets of one call. */
  enter(budgets: readonly EffectBudget[], owner: string): readonly Count[] {
    const outer = this.counts;
    this.counts = [...outer, ...budgets.map((budget) => ({ budget, owner, used: 0 }))];
    return outer;
  }

  leave(outer: readonly Count[]): void {
    this.counts = [...outer];
  }

  /** Checks the minima of the innermost call, which returned normally. */
  settle(outer: readonly Count[]): void {
    for (const { budget, owner, used } of this.counts.slice(outer.length)) {
      if (budget.min === null || used >= budget.min) continue;
      throw new RuntimeFailure(
        'BUDGET_UNDERRUN',
        `budget underrun: effect '${budget.effect}' of ${owner} was used ${used} times, min=${budget.min}\nHint: use the effect as often as the declaration says, or lower @min`,
      );
    }
  }
}

function spend(count: Count): void {
  const { budget, owner } = count;
  if (budget.limit !== null && count.used >= budget.limit) {
    throw new RuntimeFailure(
      'BUDGET_EXHAUSTED',
      `budget exhausted: effect '${budget.effect}' of ${owner}: limit=${budget.limit}, used=${count.used}\nHint: raise @limit in the declaration of ${owner}, or use the effect less often`,
    );
  }
  count.used += 1;
}

/** The failure of a program that uses an effect it was not granted. */
export function missing(effect: string, operation: string): RuntimeFailure {
  return new RuntimeFailure(
    'EVA004',
    effect === 'Env'
      ? `${operation}: Env capability required. Use --caps Env flag`
      : `effect '${effect}' requires capability, but none provided\nHint: Run with --caps ${effect}`,
  );
}

/** The reason a host gave, as text for the program. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Texts that carry a code of their own are not prefixed. */
export function hostFailure(cause: unknown, operation: string): RuntimeFailure {
  const reason = reasonOf(cause);
  const code = /^(E_[A-Z_]+)\b/.exec(reason)?.[1];
  if (code !== undefined) return new RuntimeFailure(code, reason);
  return new RuntimeFailure('EFFECT_FAILED', operation === '' ? reason : `${operation}: ${reason}`);
}
