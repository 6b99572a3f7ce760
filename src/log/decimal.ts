import { WorldError } from '../errors.js';

const grammar = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
const maxTokenBytes = 16_384;
const maxDigits = 1024;
const maxExponent = 10_000;

/**
 * Rewrites a JSON number as plain decimal: no exponent, no superfluous zeros, no negative zero (world-formats 9.1).
 * @throws WorldError `json-number` when it is no JSON number or beyond 1024 digits, exponent ±10000 or 16384 bytes
 */
export function normaliseDecimal(token: string): string {
  if (token.length > maxTokenBytes) throw refusal(token, `is longer than ${maxTokenBytes} bytes`);
  const match = grammar.exec(token);
  if (match === null) throw refusal(token, 'is not a JSON number');
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  if (exponentText.length > 8) throw refusal(token, `has an exponent beyond ${maxExponent}`);
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > maxExponent) throw refusal(token, `has an exponent beyond ${maxExponent}`);
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits.length > maxDigits) throw refusal(token, `has more than ${maxDigits} digits`);
  if (digits === '') return '0';
  return sign + placePoint(digits, digits.length - fraction.length + exponent);
}

/** `digits` with the decimal point after the first `point` digits, which may lie outside of them. */
function placePoint(digits: string, point: number): string {
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length);
  const whole = point > 0 ? digits.slice(0, point) : '0';
  const fraction = (point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function refusal(token: string, why: string): WorldError {
  return new WorldError('json-number', `the number ${token.slice(0, 40)} ${why}`);
}
