import type { Value } from '../../eval/values.js';
import { parseJson } from '../json-text.js';
import { parseYaml } from '../yaml/parse.js';
import { YamlError } from '../yaml/source.js';
import { writeYaml } from '../yaml/write.js';
import { encodeJson, jsonValue } from './json.js';
import { err, type Natives, ok } from './native.js';

function encode(json: Value): Value {
  // Through JSON text, so that numbers read the same in both formats.
  const parsed = parseJson(encodeJson(json));
  if ('error' in parsed) return err(parsed.error);
  try {
    return ok(writeYaml(parsed.value));
  } catch (error) {
    if (error instanceof YamlError) return err(error.message);
    throw error;
  }
}

export const yamlNatives: Natives = {
  _yaml_decode: (_depth, text: string) => {
    const parsed = parseYaml(text);
    return 'error' in parsed ? err(parsed.error) : ok(jsonValue(parsed.value));
  },
  _yaml_encode: (_depth, json: Value) => encode(json),
};
