/** Text as it may stand in an item: no control characters, nothing that was put in by a machine, never too long. */

/** How much of any one text is looked at. More is cut in the middle: errors stand at the ends. */
const MAX_LOOKED_AT = 16_000;

/** The text without terminal codes, invisible characters and blocks that no person and no agent wrote. */
export function cleanText(value: unknown, limit = MAX_LOOKED_AT): string {
  if (typeof value !== "string" || value === "") return "";
  const ends = keepEnds(value, limit).toWellFormed();
  const plain = UNSEEN.test(ends)
    ? ends.replace(TERMINAL, "").replace(LINE_ENDS, "\n").replace(UNSEEN_ALL, "")
    : ends;
  return stripInjected(plain);
}

const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udfff]/;
const UNSEEN_ALL = new RegExp(UNSEEN.source, "g");
const LINE_ENDS = /\r\n?|\u2028|\u2029/g;
const TERMINAL = /\u001b(?:\[[0-9;:?]{0,40}[ -/]?[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

function keepEnds(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}\n${text.slice(text.length - half)}`;
}

/** A block that is never closed hides the rest: it may have been cut off. */
function stripInjected(text: string): string {
  if (!text.includes("<")) return text;
  let kept = "";
  let at = 0;
  INJECTED.lastIndex = 0;
  for (let tag = INJECTED.exec(text); tag !== null; tag = INJECTED.exec(text)) {
    kept += text.slice(at, tag.index);
    const closing = `</${tag[2]}>`;
    const end = tag[1] === "/" ? tag.index : text.indexOf(closing, tag.index);
    if (end < 0) return kept;
    at = tag[1] === "/" ? skipTag(text, tag.index) : end + closing.length;
    INJECTED.lastIndex = at;
  }
  return kept + text.slice(at);
}

const INJECTED =
  /<(\/?)(system-reminder|hookline-context|claude-mem-context|private|local-command-stdout|local-command-stderr|local-command-caveat|ide_opened_file|ide_selection|ide_diagnostics|task-notification|agent-notification|tools-used-before-summary)(?=[\s/>])/g;

function skipTag(text: string, start: number): number {
  const end = text.indexOf(">", start);
  return end < 0 ? text.length : end + 1;
}

/** Prose of an agent: without code blocks and the marks of Markdown that say nothing in a line. */
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

/** At most so many characters, cut at a word where one ends near, never within a pair of surrogates. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = text.slice(0, limit - 1);
  const space = room.lastIndexOf(" ");
  const cut = space > limit * 0.7 ? room.slice(0, space) : room;
  return `${cut
    .toWellFormed()
    .replace(/\ufffd$/, "")
    .trimEnd()}…`;
}

export function clipLine(text: string, limit: number): string {
  // White space shrinks: what is beyond a few times the limit cannot be seen.
  return clip(oneLine(text.length > limit * 8 ? text.slice(0, limit * 8) : text), limit);
}

/** The first of some strings, each once, as many as fit; the rest as a number. */
export function listed(values: readonly string[], limit: number, separator = ", "): string {
  const once = [...new Set(values)].filter((value) => value !== "");
  let text = "";
  for (const [index, value] of once.entries()) {
    const next = text === "" ? value : `${text}${separator}${value}`;
    if (index > 0 && next.length > limit - 12) return `${text} (+${once.length - index} more)`;
    text = next;
  }
  return clip(text, limit);
}
