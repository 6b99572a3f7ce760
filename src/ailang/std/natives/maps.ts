import { List } from '../../eval/list.js';
import { compareKeys } from '../../eval/order.js';
import { emptyMap, type SortedMap } from '../../eval/sorted-map.js';
import { Tuple, type Value } from '../../eval/values.js';
import { type Natives, none, some } from './native.js';

export const mapNatives: Natives = {
  _map_empty: () => emptyMap,
  _map_insert: (_depth, map: SortedMap, key: Value, value: Value) => map.insert(key, value, compareKeys),
  _map_lookup: (_depth, map: SortedMap, key: Value) => {
    const found = map.find(key, compareKeys);
    return found === null ? none : some(found.value);
  },
  _map_member: (_depth, map: SortedMap, key: Value) => map.find(key, compareKeys) !== null,
  _map_remove: (_depth, map: SortedMap, key: Value) => map.remove(key, compareKeys),
  _map_size: (_depth, map: SortedMap) => map.size,
  _map_keys: (_depth, map: SortedMap) => List.of(map.entries().map(([key]) => key)),
  _map_values: (_depth, map: SortedMap) => List.of(map.entries().map(([, value]) => value)),
  _map_fromList: (_depth, pairs: List) =>
    pairs.toArray().reduce((map: SortedMap, pair) => {
      const [key, value] = (pair as Tuple).items;
      return map.insert(key, value, compareKeys);
    }, emptyMap),
  _map_toList: (_depth, map: SortedMap) => List.of(map.entries().map(([key, value]) => new Tuple([key, value]))),
};
