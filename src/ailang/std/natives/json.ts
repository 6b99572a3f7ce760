import { List } from '../../eval/list.js';
import { ArrayValue, type Callable, constructorValue, Data, Float, type Value } from '../../eval/values.js';
import { repairJson } from '../json-repair.js';
import { type JsonNode, jsonNumber, parseJson } from '../json-text.js';
import { err, field, type Natives, ok, record } from './native.js';

const jnull = constructorValue('JNull', 0);
const make = (name: string, value: Value): Value => (constructorValue(name, 1) as Callable)(0, value);

export function jsonValue(node: JsonNode): Value {
  switch (node.k) {
    case 'null':
      return jnull;
    case 'bool':
      return make('JBool', node.value);
    case 'number':
      return make('JNumber', new Float(Number(node.text)));
    case 'string':
      return make('JString', node.value);
    case 'array':
      return make('JArray', List.of(node.items.map(jsonValue)));
    case 'object':
      return make('JObject', List.of(node.members.map(({ key, value }) => record({ key, value: jsonValue(value) }))));
  }
}

export function encodeJson(json: Value): string {
  if (!(json instanceof Data)) return 'null';
  const [content] = json.args();
  switch (json.c.name) {
    case 'JBool':
      return String(content);
    case 'JNumber':
      return jsonNumber((content as Float).v);
    case 'JString':
      return JSON.stringify(content);
    case 'JArray':
      return `[${(content as List).toArray().map(encodeJson).join(',')}]`;
    case 'JObject': {
      const members = (content as List).toArray();
      return `{${members.map((member) => `${JSON.stringify(field(member, 'key'))}:${encodeJson(field(member, 'value'))}`).join(',')}}`;
    }
    default:
      return 'null';
  }
}

function decodeFloatArray(text: string): Value {
  const parsed = parseJson(text);
  if ('error' in parsed) return err(parsed.error);
  if (parsed.value.k !== 'array') return err('expected a JSON array of numbers');
  const numbers: Value[] = [];
  for (const [index, item] of parsed.value.items.entries()) {
    if (item.k !== 'number') return err(`expected a number at index ${index}, got ${item.k}`);
    numbers.push(new Float(Number(item.text)));
  }
  return ok(new ArrayValue(numbers));
}

export const jsonNatives: Natives = {
  _json_encode: (_depth, json: Value) => encodeJson(json),
  _json_decode: (_depth, text: string) => {
    const parsed = parseJson(text);
    return 'error' in parsed ? err(parsed.error) : ok(jsonValue(parsed.value));
  },
  _json_repair: (_depth, text: string) => {
    const repaired = repairJson(text);
    return repaired === null ? err('the text cannot be mended into JSON') : ok(repaired);
  },
  _json_decodeFloatArray: (_depth, text: string) => decodeFloatArray(text),
};
