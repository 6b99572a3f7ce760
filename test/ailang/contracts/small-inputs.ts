import { found, type Sort, shapes, sortOf } from '../../../src/ailang/contracts/encode/sort.js';
import { run } from '../../../src/ailang/eval/run.js';
import { resolve } from '../../../src/ailang/types/type.js';
import { checkFiles } from '../checking.js';

/** Few values of a type as a program writes them; null when there is no such list. */
function valuesOf(sort: Sort, depth: number): readonly string[] | null {
  const at = found(sort);
  switch (at.k) {
    case 'int':
      return ['-2', '-1', '0', '1', '2', '3', '7'];
    case 'bool':
      return ['true', 'false'];
    case 'string':
      return ['""', '"a"', '"ab"', '"😀a"'];
    case 'float':
      return ['-1.5', '-0.0', '0.0', '2.0', '0.0 / 0.0', '1.0 / 0.0'];
    case 'unit':
      return ['()'];
    case 'list': {
      const items = valuesOf(at.item, depth - 1);
      return items === null
        ? null
        : ['[]', ...items.slice(0, 4).flatMap((item) => [`[${item}]`, `[${item}, ${items[1]}]`])];
    }
    default:
  }
  const made = (shapes(at) ?? []).flatMap((shape) => {
    const parts = shape.fields.map((field) => (depth === 0 ? null : valuesOf(field, depth - 1)));
    if (parts.some((part) => part === null)) return [];
    return tuples(parts.map((part) => (part ?? []).slice(0, 4))).map((values) => written(at, shape.name, values));
  });
  return made.length === 0 ? null : made.slice(0, 24);
}

function written(sort: Sort, name: string, values: readonly string[]): string {
  if (sort.k === 'tuple') return `(${values.join(', ')})`;
  if (sort.k === 'record') return `{ ${sort.fields.map(([field], index) => `${field}: ${values[index]}`).join(', ')} }`;
  return values.length === 0 ? name : `${name}(${values.join(', ')})`;
}

const tuples = (parts: readonly (readonly string[])[]): string[][] =>
  parts.reduce<string[][]>((done, part) => done.flatMap((head) => part.map((value) => [...head, value])), [[]]);

/** The calls of a function on small values, at most 150, that fail though its requires hold. */
export function failingCalls(file: string, text: string, name: string): readonly string[] {
  const plain = checkFiles({ [file]: text }, { relaxModules: true });
  const type = resolve(plain.modules.at(-1)?.scope.values.get(name)?.scheme.type ?? { k: 'tuple', items: [] });
  if (type.k !== 'function') return [];
  const parameters = type.parameters.map((parameter) => valuesOf(sortOf(parameter, new Map()), 3));
  if (parameters.some((values) => values === null)) return [];
  const calls = tuples(parameters.map((values) => values ?? []))
    .slice(0, 150)
    .map((args) => `${name}(${args.join(', ')})`);
  const entries = calls.map((call, index) => `export func call${index}__() -> int {\n  let found = ${call};\n  0\n}\n`);
  const { program } = checkFiles({ [file]: `${text}\n${entries.join('')}` }, { relaxModules: true });
  if (program === null) throw new Error(`the calls of ${name} do not check`);
  return calls.filter((_, index) => {
    const outcome = run({
      program,
      entry: `call${index}__`,
      argsJson: 'null',
      host: { charge: () => {} },
      maxDepth: 10_000,
      verifyContracts: true,
      printResult: false,
    });
    return outcome.kind === 'failed' && !outcome.message.includes(`requires of ${name} `);
  });
}
