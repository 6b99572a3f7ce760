import type { Effects } from '../../eval/effects.js';
import { hostFailure } from '../../eval/effects.js';
import { RuntimeFailure } from '../../eval/failure.js';
import { toNumber, wrap } from '../../eval/integers.js';
import { List } from '../../eval/list.js';
import { Float, type Int, type Value } from '../../eval/values.js';
import { type Natives, none, some } from './native.js';

function envNatives(effects: Effects): Natives {
  const get = (operation: string, name: string): string | null => effects.use('Env', operation).get(name);
  return {
    _env_getArgs: () => List.of([...effects.use('Env', 'getArgs').args()]),
    _env_getEnv: (_depth, name: string) => {
      const value = get('getEnv', name);
      return value === null ? none : some(value);
    },
    _env_getEnvOr: (_depth, name: string, otherwise: string) => get('getEnvOr', name) ?? otherwise,
    _env_hasEnv: (_depth, name: string) => get('hasEnv', name) !== null,
    _env_getPid: () => effects.use('Env', 'getPid').pid(),
  };
}

function clockNatives(effects: Effects): Natives {
  return {
    _clock_now: () => Math.floor(effects.use('Clock', 'now').now() / 1000),
    _clock_sleep: (_depth, milliseconds: Int) => {
      const clock = effects.use('Clock', 'sleep');
      try {
        clock.sleep(Math.max(0, toNumber(milliseconds)));
      } catch (cause) {
        throw hostFailure(cause, 'sleep');
      }
    },
  };
}

const MASK = (1n << 64n) - 1n;

/** 64 random bits at a time: the host's, or after `rand_seed` those of a SplitMix64 sequence. */
class Bits {
  private state: bigint | null = null;

  seed(value: Int): void {
    this.state = BigInt.asUintN(64, BigInt(value));
  }

  next(bytes: (count: number) => Buffer): bigint {
    if (this.state === null) return bytes(8).readBigUInt64LE();
    this.state = (this.state + 0x9e3779b97f4a7c15n) & MASK;
    let mixed = this.state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return mixed ^ (mixed >> 31n);
  }
}

function randNatives(effects: Effects): Natives {
  const bits = new Bits();
  const draw = (operation: string): bigint => {
    const rand = effects.use('Rand', operation);
    return bits.next((count) => rand.bytes(count));
  };
  return {
    _rand_int: (_depth, low: Int, high: Int): Value => {
      const drawn = draw('rand_int');
      if (high < low) throw new RuntimeFailure('RT003', `RT003: rand_int: empty range ${low} to ${high}`);
      const span = BigInt(high) - BigInt(low) + 1n;
      return wrap(BigInt(low) + (drawn * span) / (MASK + 1n));
    },
    _rand_float: (_depth, low: Float, high: Float) =>
      new Float(low.v + (Number(draw('rand_float') >> 11n) / 2 ** 53) * (high.v - low.v)),
    _rand_bool: () => (draw('rand_bool') & 1n) === 1n,
    _rand_seed: (_depth, seed: Int) => {
      effects.use('Rand', 'rand_seed');
      bits.seed(seed);
    },
    _rand_uuid4: () => {
      const rand = effects.use('Rand', 'uuid4');
      const high = bits.next((count) => rand.bytes(count));
      const low = bits.next((count) => rand.bytes(count));
      const versioned = (high & ~0xf000n) | 0x4000n;
      const variant = (low & 0x3fffffffffffffffn) | 0x8000000000000000n;
      const hex = (versioned * (MASK + 1n) + variant).toString(16).padStart(32, '0');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
}

/** Environment, clock and randomness. */
export const surroundingNatives = (effects: Effects): Natives => ({
  ...envNatives(effects),
  ...clockNatives(effects),
  ...randNatives(effects),
});
