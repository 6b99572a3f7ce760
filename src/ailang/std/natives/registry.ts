import type { Effects } from '../../eval/effects.js';
import type { Callable } from '../../eval/values.js';
import { archiveNatives, compressionNatives } from './archives.js';
import { arrayNatives } from './arrays.js';
import { bytesNatives } from './bytes.js';
import { consoleNatives } from './console.js';
import { cryptoNatives } from './crypto.js';
import { datetimeNatives } from './datetime.js';
import { fileNatives } from './files.js';
import { fingerprintNatives } from './fingerprints.js';
import { hostBoundNatives, refusedNatives } from './host-bound.js';
import { jsonNatives } from './json.js';
import { listNatives } from './lists.js';
import { mapNatives } from './maps.js';
import { markupNatives } from './markup.js';
import { mathNatives } from './math.js';
import type { Natives } from './native.js';
import { networkNatives } from './network.js';
import { operatorNatives } from './operators.js';
import { regexNatives } from './regex.js';
import { stringNatives } from './strings.js';
import { surroundingNatives } from './surroundings.js';
import { yamlNatives } from './yaml.js';

const pure: readonly Natives[] = [
  operatorNatives,
  listNatives,
  arrayNatives,
  mapNatives,
  stringNatives,
  regexNatives,
  jsonNatives,
  bytesNatives,
  cryptoNatives,
  mathNatives,
  datetimeNatives,
  markupNatives,
  yamlNatives,
  fingerprintNatives,
  compressionNatives,
  hostBoundNatives,
];

/** The implementation of every primitive in the table, for one run, in families: one table of all would be made anew for each run. */
export const createNatives = (effects: Effects): readonly Natives[] => [
  ...pure,
  consoleNatives(effects),
  fileNatives(effects),
  surroundingNatives(effects),
  networkNatives(effects),
  archiveNatives(effects),
  refusedNatives(effects),
];

export function findNative(families: readonly Natives[], name: string): Callable | undefined {
  return families.find((natives) => Object.hasOwn(natives, name))?.[name];
}
