/** A script of sed's that only prints: parsed, since anything may be a delimiter. All texts are known here. */

const OPTIONS =
  /^(?:-[nErsuz]+|--quiet|--silent|--regexp-extended|--separate|--unbuffered|-e|-n?E?e|--expression)$/;
const LONGEST = 2_000;

export function isReadOnlySed(texts: readonly string[]): boolean {
  if (!texts.every((text) => !/^-./.test(text) || OPTIONS.test(text))) return false;
  const given = texts.flatMap((text, at) =>
    /^-n?E?e$|^--expression$/.test(text) ? [texts[at + 1] ?? ""] : [],
  );
  const scripts = given.length > 0 ? given : [texts.find((text) => !/^-./.test(text)) ?? ""];
  return scripts.every((script) => script.length > 0 && script.length < LONGEST && onlyPrints(script));
}

/** Each command takes its part of the script away; what is left over is not known. */
function onlyPrints(script: string): boolean {
  let rest = script;
  while (rest !== "") {
    const before = rest.length;
    rest = rest.replace(/^[\s;}]+/, "");
    if (rest === "") return true;
    rest = withoutAddress(rest).replace(/^\s*!?\s*/, "");
    const after = withoutCommand(rest);
    if (after === undefined || after.length >= before) return false;
    rest = after;
  }
  return true;
}

function withoutAddress(text: string): string {
  let rest = text;
  for (let n = 0; n < 2; n++) {
    const number = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/.exec(rest);
    if (number !== null) rest = rest.slice(number[0].length);
    else if (rest.startsWith("/") || /^\\[^\\\n]/.test(rest)) {
      const from = rest.startsWith("/") ? 0 : 1;
      const end = endOfPart(rest, from + 1, rest[from]!);
      if (end < 0) return "";
      rest = rest.slice(end).replace(/^[IM]*/, "");
    } else return rest;
    const comma = /^\s*,\s*/.exec(rest);
    if (n === 1 || comma === null) return rest;
    rest = rest.slice(comma[0].length);
  }
  return rest;
}

/** What follows a command that only prints; undefined for any other. */
function withoutCommand(text: string): string | undefined {
  if (text.startsWith("{")) return text.slice(1);
  const plain = /^[pPdDqQ=lnNgGhHxFz]\s*(?:\d+\s*)?(?=[;}\n]|$)/.exec(text);
  if (plain !== null) return text.slice(plain[0].length);
  const delimiter = text[1];
  if (!/^[sy]/.test(text) || delimiter === undefined || /[\\\n\w\s]/.test(delimiter)) return undefined;
  const middle = endOfPart(text, 2, delimiter);
  const end = middle < 0 ? -1 : endOfPart(text, middle, delimiter);
  if (end < 0) return undefined;
  const flags = /^[gpiIM\d]*\s*(?=[;}\n]|$)/.exec(text.slice(end));
  return flags === null ? undefined : text.slice(end + flags[0].length);
}

/** After the next delimiter that is not escaped; -1 where there is none. */
function endOfPart(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    // In brackets sed takes a delimiter for a character, other readers do not: then it is not known.
    else if (text[at] === "[" && delimiter !== "[") {
      const end = text.indexOf("]", at + 2);
      if (end > 0 && text.slice(at, end).includes(delimiter)) return -1;
    } else if (text[at] === delimiter) return at + 1;
  }
  return -1;
}
