const MASK = (1n << 64n) - 1n;

/** FNV-1a over the UTF-8 bytes, with a final mix so that short words differ in all bits. */
function hashWord(word: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(word, 'utf8')) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK;
  hash = ((hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn) & MASK;
  hash = ((hash ^ (hash >> 33n)) * 0xc4ceb9fe1a85ec53n) & MASK;
  return hash ^ (hash >> 33n);
}

/** 64 bits in which texts with many words in common differ little; words count without case and punctuation. */
export function simhash(text: string): bigint {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weights = new Array<number>(64).fill(0);
  for (const [word, count] of counts) {
    const hash = hashWord(word);
    for (let bit = 0; bit < 64; bit += 1) {
      weights[bit] = (weights[bit] ?? 0) + ((hash >> BigInt(bit)) & 1n ? count : -count);
    }
  }
  return weights.reduce((bits, weight, bit) => (weight > 0 ? bits | (1n << BigInt(bit)) : bits), 0n);
}

/** How many of 64 bits differ. */
export function hammingDistance(a: bigint, b: bigint): number {
  let difference = BigInt.asUintN(64, a ^ b);
  let count = 0;
  for (; difference !== 0n; difference &= difference - 1n) count += 1;
  return count;
}
