import { effectIgnoringCase, effectParameters, knownEffects } from '../effects/known.js';
import type { EffectItem, EffectRow, Name } from './ast.js';
import { type Cursor, quote } from './cursor.js';
import { nearest } from './edit-distance.js';

/** `! { IO, FS @limit=5 | e }`. */
export function parseEffects(c: Cursor): EffectRow {
  const start = c.advance().start;
  if (!c.is('{'))
    c.unexpected(
      `expected ${quote('{')} after ${quote('!')} in an effect row`,
      'PAR001',
      'Effects are written in braces: ! {IO}.',
    );
  const opener = c.advance().start;
  const effects: EffectItem[] = [];
  const variables: Name[] = [];
  while (!c.is('}')) {
    if (c.accept('|')) {
      variables.push(c.name('an effect variable'));
      break;
    }
    effect(c, effects, variables);
    if (c.is('|')) continue;
    if (!c.accept(',')) break;
  }
  if (c.is('+') || c.is('&') || c.token.kind === 'name')
    c.unexpected('expected `,` between two effects', 'PAR001', 'Effects are separated by commas: ! {IO, FS}.');
  c.close('}', opener);
  return { effects, variables, ...c.span(start) };
}

function effect(c: Cursor, effects: EffectItem[], variables: Name[]): void {
  const name = c.name('an effect name');
  const known = effectIgnoringCase(name.text);
  if (known === null && /^[a-z]/.test(name.text)) {
    variables.push(name);
    return;
  }
  if (known !== name.text) {
    const guess = known ?? nearest(name.text, knownEffects);
    const hint = guess === null ? `The effects are ${knownEffects.join(', ')}.` : `Did you mean ${quote(guess)}?`;
    c.report('PAR_EFF002_UNKNOWN', name, `unknown effect ${quote(name.text)}`, hint);
  }
  if (effects.some((item) => item.name === name.text)) {
    c.report('PAR_EFF001_DUP', name, `the effect ${quote(name.text)} is listed twice`, 'List each effect once.');
  }
  const parameters = c.is('[') ? effectArguments(c, name.text) : [];
  const budgets = { limit: null as number | null, min: null as number | null };
  while (c.is('@')) budget(c, budgets);
  effects.push({ name: known ?? name.text, parameters, ...budgets, ...c.span(name.start) });
}

function effectArguments(c: Cursor, effectName: string): EffectItem['parameters'] {
  const opener = c.advance().start;
  const found: { key: Name; value: Name }[] = [];
  const allowed = effectParameters[effectName];
  const example = parameterExample(effectName);
  while (!c.is(']')) {
    const key = c.name('a parameter name', 'PAR_EFF010', example);
    c.expect('=', 'between a parameter and its value', 'PAR_EFF011', example);
    const value = parameterValue(c, example);
    found.push({ key, value });
    const values = allowed?.[key.text];
    if (allowed === undefined) {
      c.report(
        'EFF_PARAMS_NOT_SUPPORTED',
        key,
        `the effect ${quote(effectName)} takes no parameters`,
        `Write ${effectName}.`,
      );
    } else if (values === undefined) {
      c.report(
        'EFF_UNKNOWN_PARAM_KEY',
        key,
        `${quote(effectName)} has no parameter ${quote(key.text)}`,
        `Its parameters: ${Object.keys(allowed).join(', ')}.`,
      );
    } else if (!values.includes(value.text)) {
      c.report(
        'EFF_UNKNOWN_MODE',
        value,
        `${quote(value.text)} is no value of ${effectName}[${key.text}]`,
        `Its values: ${values.join(', ')}.`,
      );
    }
    if (!c.accept(',')) break;
  }
  c.close(']', opener);
  return found;
}

function parameterExample(effectName: string): string {
  const [key, values] = Object.entries(effectParameters[effectName] ?? {})[0] ?? [];
  return key === undefined ? `Write ${effectName}.` : `Write ${effectName}[${key}=${values?.[0] ?? ''}].`;
}

/** A name, or names joined by hyphens: `replay-only`. */
function parameterValue(c: Cursor, example: string): Name {
  const first = c.name('a parameter value', 'PAR_EFF012', example);
  let text = first.text;
  while (c.is('-') && c.peek(1).kind === 'name') {
    c.advance();
    text += `-${c.advance().text}`;
  }
  return { text, start: first.start, end: c.previousEnd };
}

function budget(c: Cursor, budgets: { limit: number | null; min: number | null }): void {
  c.advance();
  const key = c.token;
  const hint = 'A budget is @limit=N or @min=N, with N a whole number that is not negative.';
  if (key.kind !== 'name' || (key.text !== 'limit' && key.text !== 'min'))
    c.unexpected('expected limit or min', 'PAR_EFF003', hint);
  c.advance();
  c.expect('=', `after @${key.text}`, 'PAR_EFF004', hint);
  if (c.is('-')) c.fail('PAR_EFF006_NEGATIVE', c.token, `the budget @${key.text} is negative`, hint);
  const value = c.token;
  if (value.kind !== 'int' || value.int === undefined)
    c.unexpected(`expected a whole number after @${key.text}=`, 'PAR_EFF005', hint);
  c.advance();
  if (key.text === 'limit') budgets.limit = Number(value.int);
  else budgets.min = Number(value.int);
}
