import { spend } from "./work.ts";

/** String syntax without quotation marks: `%x(ls)` in Ruby, `qx{ls}` in Perl, `[[ls]]` in Lua, `<<~E`. */

/** The texts inside such quotes. May return more than the code quotes, never less. */
export function quotedByOperator(code: string): readonly string[] {
  return [...betweenDelimiters(code), ...inBrackets(code), ...inHereDocuments(code)];
}

const OPERATOR = /(?<![\w$@&*])(?:%[xqQwWiIs]?|~[scSC]|q[qxwr]?|qqx|Q:x)\s{0,4}(?=[^\w\s'"`,;.)=])/g;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]", "<": ">" };

function betweenDelimiters(code: string): readonly string[] {
  const found: string[] = [];
  for (const { index, 0: operator } of code.matchAll(OPERATOR)) {
    const start = index + operator.length;
    const end = endOf(code, start);
    spend(20 + (end < 0 ? code.length : end) - start);
    if (end > start + 1) found.push(code.slice(start + 1, end));
  }
  return found;
}

function endOf(code: string, start: number): number {
  const opening = code[start]!;
  const closing = CLOSING[opening] ?? opening;
  let depth = 1;
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === closing && --depth === 0) return at;
    else if (code[at] === opening && closing !== opening) depth++;
  }
  return -1;
}

function inBrackets(code: string): readonly string[] {
  const found: string[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (const { index, 0: opening } of code.matchAll(/\[=*\[/g)) {
    if (index < from || unclosed.has(opening)) continue;
    const start = index + opening.length;
    const end = code.indexOf(opening.replaceAll("[", "]"), start);
    spend(20 + (end < 0 ? code.length - start : end - start));
    if (end < 0) {
      unclosed.add(opening);
      continue;
    }
    found.push(code.slice(start, end));
    from = end;
  }
  return found;
}

/** `<<~E`, `<<<E` in PHP: up to the line that contains only its name. */
function inHereDocuments(code: string): readonly string[] {
  if (!code.includes("<<")) return [];
  const lines = code.split("\n");
  return lines.flatMap((line, at) => {
    const [, name] = /<<<?[~-]?["'`]?([A-Za-z_]\w{0,40})["'`]?/.exec(line) ?? [];
    if (name === undefined) return [];
    const rest = lines.slice(at + 1);
    spend(20 + 4 * rest.length);
    const end = rest.findIndex((each) => /^\s*(\w*)[;,)\s]*$/.exec(each)?.[1] === name);
    return end < 1 ? [] : [rest.slice(0, end).join("\n")];
  });
}
