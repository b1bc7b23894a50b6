import { spend } from "./work.ts";

/** The texts between quotes in code of any language; one that is not closed ends with its line. */
export function literalsIn(code: string): readonly string[] {
  spend(4 * code.length);
  const literals: string[] = [];
  for (let at = 0; at < code.length; at++) {
    const quote = code[at]!;
    if (quote !== '"' && quote !== "'" && quote !== "`") continue;
    const end = endOfLiteral(code, at + 1, quote);
    if (end > at + 1) literals.push(code.slice(at + 1, end));
    // An apostrophe may be no quote: what follows on the line is read again.
    at = code[end] === quote ? end : at;
    if (code[end] !== quote) spend(end - at);
  }
  return literals;
}

function endOfLiteral(code: string, from: number, quote: string): number {
  let at = from;
  while (at < code.length && code[at] !== quote && code[at] !== "\n") at += code[at] === "\\" ? 2 : 1;
  return Math.min(at, code.length);
}
