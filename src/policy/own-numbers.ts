/** Our own numbers, the daemon's pid and port, as shells and other languages write them. */

const cache = new Map<string, RegExp>();
const MAX_CACHED = 100;

/** A pattern with `N` for the number in each of its spellings: `37777`, `37_777`, `0x9391`. */
export function numberPattern(pattern: string, number: number): RegExp {
  const key = `${number} ${pattern}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const decimal = [...String(number)].join("_?");
  const spelled = `(?:0*${decimal}|0x0*${number.toString(16)}|0o0*${number.toString(8)}|0b0*${number.toString(2)})`;
  const regExp = new RegExp(pattern.replaceAll("N", spelled), "i");
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, regExp);
  return regExp;
}

/** Signals and counts are smaller: such a number alone means nothing. */
const MIN_DISTINCTIVE = 100;

/** Whether a number is distinctive on its own. */
export function isDistinctive(number: number): boolean {
  return number >= MIN_DISTINCTIVE;
}
