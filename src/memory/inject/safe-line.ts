import { stripPrivateTags } from "../../privacy/private-tags.ts";

/**
 * Makes recorded text safe to inject: one line that cannot open or close a tag, impersonate a speaker, pose
 * as a heading, or hide anything from a reader.
 */
export function toSafeLine(text: string, limit: number): string {
  // The text only shrinks, so anything far beyond the limit cannot show.
  const visible = stripPrivateTags(text.slice(0, limit * 8 + 1_000)).text.toWellFormed();
  const lines = visible
    .replace(TERMINAL_CODES, "")
    .replace(INVISIBLE, "")
    .split(LINE_END)
    .map((line) => line.replace(CONTROL, " ").trim().replace(HEADING, "").replace(SPEAKER, '"$1"$2'))
    .filter((line) => line !== "");
  return clip(
    withoutTags(lines.join(" ")).replace(FENCE, "`").replace(/\s+/gu, " ").trim().replace(SPEAKER, '"$1"$2'),
    limit,
  );
}

/** Without this character no tag can be parsed. */
export function withoutTags(text: string): string {
  return text.replace(ANGLE_BRACKET, "‹");
}

/** Clips to a length, never within a surrogate pair. */
function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, Math.max(0, limit - 1));
  const complete = /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head;
  return `${complete.trimEnd()}…`;
}

const ANGLE_BRACKET = /[<\uff1c\ufe64]|&(?:lt|#0*60|#x0*3c);?/gi;
const TERMINAL_CODES =
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c\n]{0,500}(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]{0,8}[0-~]?/g;
const LINE_END = /[\n\r\u000b\u000c\u0085\u2028\u2029]+/u;
const CONTROL = /\p{Cc}/gu;
/** Format characters reverse or hide text; the two joiners are part of some scripts. */
const INVISIBLE =
  /(?![\u200c\u200d])\p{Cf}|[\u115f\u1160\u3164\uffa0]|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/gu;
const HEADING = /^(?:(?:#{1,6}(?=\s|$)|[>*+-](?=\s)|[=_*-]{3,})\s*)+/u;
const SPEAKER = /^[*_`"'[(]*(human|user|assistant|system|developer|tool|claude)[*_`"'\])]*(\s*[:：])/iu;
const FENCE = /`{3,}|~{3,}/g;
