import { UNKNOWN } from "./shell-reading.ts";

/** From `A` to `z`, so that every letter is covered. */
const MAX_SEQUENCE_SPAN = 64;

/** `1..5`, `a..e`; a longer sequence is unknown. */
export function expandSequence(inside: string): readonly string[] | undefined {
  const found = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.-?\d{1,9})?$/.exec(inside);
  if (found === null) return undefined;
  const [from, to] = [found[1]!, found[2]!];
  const isNumber = /\d/.test(from);
  const ends = [from, to].map((end) => (isNumber ? Number(end) : end.charCodeAt(0))) as [number, number];
  const [low, high] = ends[0] <= ends[1] ? ends : [ends[1], ends[0]];
  const isPadded = isNumber && [from, to].some((end) => /^-?0\d/.test(end));
  if (!(high - low <= MAX_SEQUENCE_SPAN) || isPadded) return [UNKNOWN];
  return Array.from({ length: high - low + 1 }, (_, n) =>
    isNumber ? String(low + n) : String.fromCharCode(low + n),
  );
}

/** `a,b{c,d}`: splits at commas outside inner braces and quotes. */
export function splitAtCommas(inside: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  for (let at = 0; at < inside.length; at++) {
    const char = inside[at]!;
    if (char === "\\") at++;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "{" || char === "(") depth++;
    else if (char === "}" || char === ")") depth--;
    else if (char === "," && depth === 0) {
      parts.push(inside.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, inside.slice(start)];
}
