import { List } from '../../eval/list.js';
import { Bytes, type Int, type Value } from '../../eval/values.js';
import { type Natives, none, some } from './native.js';

const STANDARD = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const URL_SAFE = /^[A-Za-z0-9_-]*$/;

const lowByte = (value: Int): number => Number(BigInt.asUintN(8, BigInt(value)));

function slice({ content }: Bytes, start: Int, count: Int): Value {
  if (start < 0 || count < 0 || Number(start) + Number(count) > content.length) return none;
  return some(new Bytes(content.subarray(Number(start), Number(start) + Number(count))));
}

export const bytesNatives: Natives = {
  _bytes_fromString: (_depth, text: string) => new Bytes(Buffer.from(text, 'utf8')),
  _bytes_toString: (_depth, bytes: Bytes) => bytes.content.toString('utf8'),
  _bytes_fromBase64: (_depth, text: string) =>
    STANDARD.test(text) ? some(new Bytes(Buffer.from(text, 'base64'))) : none,
  _bytes_toBase64: (_depth, bytes: Bytes) => bytes.content.toString('base64'),
  _bytes_fromBase64URL: (_depth, text: string) =>
    URL_SAFE.test(text) && text.length % 4 !== 1 ? some(new Bytes(Buffer.from(text, 'base64url'))) : none,
  _bytes_toBase64URL: (_depth, bytes: Bytes) => bytes.content.toString('base64url'),
  _bytes_length: (_depth, bytes: Bytes) => bytes.content.length,
  _bytes_byteAt: (_depth, bytes: Bytes, index: Int) =>
    index >= 0 && index < bytes.content.length ? some(bytes.content[Number(index)]) : none,
  _bytes_slice: (_depth, bytes: Bytes, start: Int, count: Int) => slice(bytes, start, count),
  _bytes_concatList: (_depth, parts: List) =>
    new Bytes(Buffer.concat(parts.toArray().map((part) => (part as Bytes).content))),
  _bytes_fromInts: (_depth, numbers: List) =>
    new Bytes(Buffer.from(numbers.toArray().map((value) => lowByte(value as Int)))),
  _bytes_toInts: (_depth, bytes: Bytes) => List.of([...bytes.content]),
};
