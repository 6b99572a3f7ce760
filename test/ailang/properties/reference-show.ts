import type { RefValue } from './reference-value.js';

/** `show` written again from the table of ailang-language section 4. */
export function refShow(value: RefValue, level = 0): string {
  if (level > 3) return '...';
  const parts = (values: readonly RefValue[]): string => values.map((part) => refShow(part, level + 1)).join(', ');
  switch (value.k) {
    case 'int':
      return value.v.toString(10);
    case 'float':
      return refFloat(value.v);
    case 'string':
      return value.v;
    case 'bool':
      return value.v ? 'true' : 'false';
    case 'unit':
      return '()';
    case 'list':
      return shortened(`[${parts(value.items)}]`);
    case 'tuple':
      return shortened(`(${parts(value.items)})`);
    case 'array':
      return shortened(`#[${parts(value.items)}]`);
    case 'record': {
      const names = [...value.fields.keys()].sort();
      const fields = names.map((name) => `${name}: ${refShow(value.fields.get(name) as RefValue, level + 1)}`);
      return shortened(`{${fields.join(', ')}}`);
    }
    case 'data':
      return value.args.length === 0 ? value.name : `${value.name}(${parts(value.args)})`;
    case 'function':
      return '<function>';
  }
}

/** More than 80 bytes: the first 20 and the last 20, a character cut in two left out. */
function shortened(text: string): string {
  const points = [...text];
  const size = (point: string): number => Buffer.byteLength(point);
  if (points.reduce((sum, point) => sum + size(point), 0) <= 80) return text;
  const upTo20 = (from: readonly string[]): string[] => {
    const kept: string[] = [];
    let bytes = 0;
    for (const point of from) {
      bytes += size(point);
      if (bytes > 20) break;
      kept.push(point);
    }
    return kept;
  };
  return `${upTo20(points).join('')}...${upTo20(points.reverse()).reverse().join('')}`;
}

/** The shortest digits that read back, without an exponent, with a point. */
export function refFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return 'Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const whole = Math.max(point, 1);
  return `${sign}${padded.slice(0, whole)}.${padded.slice(whole) || '0'}`;
}
