/** Scales to length one in place, so that a dot product is a cosine. A zero vector stays zero. */
export function l2Normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  for (let index = 0; index < vector.length; index += 1) vector[index]! *= scale;
  return vector;
}
