/** Quotes of languages that are no quotation marks: `%x(ls)` of Ruby, `qx{ls}` of Perl, `[[ls]]` of Lua, `<<~E`. */

const LONGEST_TEXT = 2_000;
const MAX_TEXTS = 200;

/** The texts inside such quotes. It can only find more than there is. */
export function quotedByOperator(code: string): readonly string[] {
  return [...betweenDelimiters(code), ...inBrackets(code), ...inHereDocuments(code)].slice(0, MAX_TEXTS);
}

const OPERATOR = /(?<![\w$@&*])(?:%[xqQwWiIs]?|~[scSC]|q[qxwr]?|qqx|Q:x)\s{0,4}(?=[^\w\s'"`,;.)=])/g;
const CLOSES: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]", "<": ">" };

function betweenDelimiters(code: string): readonly string[] {
  const found: string[] = [];
  for (const { index, 0: operator } of code.matchAll(OPERATOR)) {
    if (found.length >= MAX_TEXTS) break;
    const start = index + operator.length;
    const end = endOf(code, start);
    if (end > start + 1) found.push(code.slice(start + 1, end));
  }
  return found;
}

function endOf(code: string, start: number): number {
  const opens = code[start]!;
  const closes = CLOSES[opens] ?? opens;
  const last = Math.min(code.length, start + LONGEST_TEXT);
  let depth = 1;
  for (let at = start + 1; at < last; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === closes && --depth === 0) return at;
    else if (code[at] === opens && closes !== opens) depth++;
  }
  return -1;
}

function inBrackets(code: string): readonly string[] {
  if (!/\[=*\[/.test(code)) return [];
  return [...code.matchAll(/\[(=*)\[([^\]]{1,2000})\]\1\]/g)].map(([, , text = ""]) => text);
}

/** `<<~E`, `<<<E` of PHP: up to the line that is only its name. */
function inHereDocuments(code: string): readonly string[] {
  if (!code.includes("<<")) return [];
  const lines = code.split("\n");
  return lines.slice(0, MAX_TEXTS).flatMap((line, at) => {
    const [, name] = /<<<?[~-]?["'`]?([A-Za-z_]\w{0,40})["'`]?/.exec(line) ?? [];
    if (name === undefined) return [];
    const rest = lines.slice(at + 1, at + 1 + MAX_TEXTS);
    const end = rest.findIndex((each) => each.trim().replace(/[;,)]+$/, "") === name);
    return end < 1 ? [] : [rest.slice(0, end).join("\n")];
  });
}
