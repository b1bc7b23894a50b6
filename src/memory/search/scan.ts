/**
 * Returns about `limit` documents whose codes differ least from the query's, unordered. `allowed` has a
 * byte per document (0: excluded). Scans all codes: a million of 384 bits take about 40 ms.
 */
export function scanCodes(
  codes: Uint32Array,
  count: number,
  allowed: Uint8Array,
  query: Uint32Array,
  limit: number,
): number[] {
  const words = query.length;
  const bits = words * 32;
  if (distances.length < count) distances = new Uint16Array(count);
  const histogram = new Uint32Array(bits + 1);
  for (let doc = 0; doc < count; doc++) {
    if (allowed[doc] === 0) continue;
    const distance = differingBits(codes, doc * words, query, words);
    distances[doc] = distance;
    histogram[distance]!++;
  }
  let furthest = 0;
  for (let seen = histogram[0]!; furthest < bits && seen < limit; ) seen += histogram[++furthest]!;
  const found: number[] = [];
  for (let doc = 0; doc < count; doc++) {
    if (allowed[doc] !== 0 && distances[doc]! <= furthest) found.push(doc);
  }
  return found;
}

/** Reused by the next scan: for a million documents it is 2 MB, and would be garbage each time. */
let distances = new Uint16Array(0);

/** Counts bits in nibbles for three words at once, the most a nibble can hold. */
function differingBits(codes: Uint32Array, from: number, query: Uint32Array, words: number): number {
  let halves = 0;
  for (let word = 0; word < words; word += 3) {
    let a = codes[from + word]! ^ query[word]!;
    let b = codes[from + word + 1]! ^ query[word + 1]!;
    let c = codes[from + word + 2]! ^ query[word + 2]!;
    a -= (a >>> 1) & 0x55555555;
    b -= (b >>> 1) & 0x55555555;
    c -= (c >>> 1) & 0x55555555;
    a = (a & 0x33333333) + ((a >>> 2) & 0x33333333);
    b = (b & 0x33333333) + ((b >>> 2) & 0x33333333);
    c = (c & 0x33333333) + ((c >>> 2) & 0x33333333);
    const sum = a + b + c;
    const bytes = (sum & 0x0f0f0f0f) + ((sum >>> 4) & 0x0f0f0f0f);
    halves += (bytes & 0x00ff00ff) + ((bytes >>> 8) & 0x00ff00ff);
  }
  return (halves & 0xffff) + (halves >>> 16);
}
