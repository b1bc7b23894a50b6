/** A vector in two coarser forms: a bit per dimension to scan all, a byte per dimension to rank the best. */

/** Rounded up to groups of three words, as the scan reads them. */
export function codeWords(dimensions: number): number {
  return Math.ceil(dimensions / 96) * 3;
}

export function toCode(vector: Float32Array): Uint32Array {
  const code = new Uint32Array(codeWords(vector.length));
  for (let index = 0; index < vector.length; index++) {
    if (vector[index]! > 0) code[index >>> 5]! |= 1 << (index & 31);
  }
  return code;
}

export function toBytes(vector: Float32Array): Int8Array {
  let maxAbs = 0;
  for (const value of vector) maxAbs = Math.max(maxAbs, Math.abs(value));
  const scale = maxAbs === 0 ? 0 : 127 / maxAbs;
  return Int8Array.from(vector, (value) => Math.round(value * scale));
}

/** The scale of a byte vector cancels out in the cosine, so it is not stored. */
export function cosine(query: Float32Array, bytes: Int8Array): number {
  if (bytes.length !== query.length) return 0;
  let product = 0;
  let squares = 0;
  for (let index = 0; index < bytes.length; index++) {
    const value = bytes[index]!;
    product += value * query[index]!;
    squares += value * value;
  }
  return squares === 0 ? 0 : product / Math.sqrt(squares);
}
