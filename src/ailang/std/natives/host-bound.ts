import { type Effects, missing } from '../../eval/effects.js';
import { type Callable, constructorValue } from '../../eval/values.js';
import { hostBoundBuiltins } from '../table/host-bound.js';
import { err, type Natives } from './native.js';

/** No host of this evaluator has these effects, so using one is always a missing capability. */
export const hostBoundNatives: Natives = Object.fromEntries(
  hostBoundBuiltins.map(({ name, effect }): [string, Callable] => [
    name,
    () => {
      throw missing(effect ?? name, name);
    },
  ]),
);

const unsupported = constructorValue('Unsupported', 1) as Callable;
const transport = constructorValue('Transport', 1) as Callable;
const refuse = (operation: string) => err(unsupported(0, `${operation}: programs run here without a terminal`));

/** A program has IO streams but never a terminal of its own, and nothing to search the web with. */
export const refusedNatives = (effects: Effects): Natives => ({
  _terminal_info: () => {
    effects.use('IO', 'terminal.info');
    return refuse('info');
  },
  _terminal_withTerminal: () => {
    effects.use('IO', 'terminal.withTerminal');
    return refuse('withTerminal');
  },
  _terminal_readEvent: () => {
    effects.use('IO', 'terminal.readEvent');
    return refuse('readEvent');
  },
  _web_search: () => {
    effects.use('Net', 'webSearch');
    return err(transport(0, 'no search service is configured'));
  },
});
