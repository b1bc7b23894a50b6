/** Makes text fit for an item: no control characters, no machine-injected blocks, bounded length. */

/** Maximum length read of any text. Longer texts lose their middle: errors are at the ends. */
const MAX_READ_CHARS = 16_000;

/** Strips terminal codes, invisible characters and blocks that neither a user nor an agent wrote. */
export function cleanText(value: unknown, limit = MAX_READ_CHARS): string {
  if (typeof value !== "string" || value === "") return "";
  const ends = keepEnds(value, limit).toWellFormed();
  const plain = INVISIBLE.test(ends)
    ? ends.replace(TERMINAL_CODES, "").replace(LINE_ENDS, "\n").replace(INVISIBLE_GLOBAL, "")
    : ends;
  return stripInjected(plain);
}

const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udfff]/;
const INVISIBLE_GLOBAL = new RegExp(INVISIBLE.source, "g");
const LINE_ENDS = /\r\n?|\u2028|\u2029/g;
const TERMINAL_CODES =
  /\u001b(?:\[[0-9;:?]{0,40}[ -/]?[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

function keepEnds(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}\n${text.slice(text.length - half)}`;
}

/** An unclosed block hides the rest: its end may have been cut off. */
function stripInjected(text: string): string {
  if (!text.includes("<")) return text;
  let kept = "";
  let at = 0;
  INJECTED_TAG.lastIndex = 0;
  for (let tag = INJECTED_TAG.exec(text); tag !== null; tag = INJECTED_TAG.exec(text)) {
    kept += text.slice(at, tag.index);
    const closing = `</${tag[2]}>`;
    const end = tag[1] === "/" ? tag.index : text.indexOf(closing, tag.index);
    if (end < 0) return kept;
    at = tag[1] === "/" ? skipTag(text, tag.index) : end + closing.length;
    INJECTED_TAG.lastIndex = at;
  }
  return kept + text.slice(at);
}

const INJECTED_TAG =
  /<(\/?)(system-reminder|hookline-context|claude-mem-context|private|local-command-stdout|local-command-stderr|local-command-caveat|ide_opened_file|ide_selection|ide_diagnostics|task-notification|agent-notification|tools-used-before-summary)(?=[\s/>])/g;

function skipTag(text: string, start: number): number {
  const end = text.indexOf(">", start);
  return end < 0 ? text.length : end + 1;
}

/** An agent's prose, without code blocks and Markdown markup that means nothing in a single line. */
export function proseOf(value: unknown, limit = 8_000): string {
  return withoutFences(cleanText(value, limit)).trim();
}

function withoutFences(text: string): string {
  if (!text.includes("```") && !text.includes("~~~")) return text;
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const start = line.trimStart().slice(0, 3);
    const isFence = start === "```" || start === "~~~";
    if (isFence) fence = fence === undefined ? start : fence === start ? undefined : fence;
    else if (fence === undefined) kept.push(line);
  }
  return kept.join("\n");
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Clips to a length, at a word boundary if one is near, never within a surrogate pair. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit - 1);
  const space = head.lastIndexOf(" ");
  const cut = space > limit * 0.7 ? head.slice(0, space) : head;
  return `${cut
    .toWellFormed()
    .replace(/\ufffd$/, "")
    .trimEnd()}…`;
}

export function clipLine(text: string, limit: number): string {
  // Whitespace collapses, so text beyond a few times the limit cannot show.
  return clip(oneLine(text.length > limit * 8 ? text.slice(0, limit * 8) : text), limit);
}

/** Lists as many distinct values as fit, and the number of the rest. */
export function formatList(values: readonly string[], limit: number, separator = ", "): string {
  const distinct = [...new Set(values)].filter((value) => value !== "");
  let text = "";
  for (const [index, value] of distinct.entries()) {
    const next = text === "" ? value : `${text}${separator}${value}`;
    if (index > 0 && next.length > limit - 12) return `${text} (+${distinct.length - index} more)`;
    text = next;
  }
  return clip(text, limit);
}
