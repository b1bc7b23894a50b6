import type { ToolForm } from "../agents/tool-table.ts";

/**
 * Limits the stored output of a tool to 10,000 characters, keeping the most informative part for each
 * tool. Idempotent.
 */
const MAX_OUTPUT_CHARS = 10_000;
const MAX_LINES = 100;
export const TRUNCATION_MARKER = "\n...[TRUNCATED]...\n";
const MAX_WEB_CHARS = 500;

export function truncateOutput(form: ToolForm, text: string): string {
  switch (form) {
    case "shell":
      return keepEnds(text, Number.POSITIVE_INFINITY);
    case "search":
    case "glob":
      return listPaths(text) ?? keepEnds(text, MAX_LINES);
    case "fetch":
      return headOf(text, MAX_WEB_CHARS);
    default:
      return keepEnds(text, MAX_LINES);
  }
}

/** Head and tail within both limits. The marker's own lines come on top, so that a second run is a no-op. */
function keepEnds(text: string, maxLines: number): string {
  const lines = countLines(text);
  const allowed = text.includes(TRUNCATION_MARKER) ? maxLines + 2 : maxLines;
  if (text.length <= MAX_OUTPUT_CHARS && lines <= allowed) return text;
  const cutLines = lines > maxLines;
  const head = cutLines ? firstLines(text, maxLines / 2) : text;
  const tail = cutLines ? lastLines(text, maxLines / 2) : text;
  const room = MAX_OUTPUT_CHARS - TRUNCATION_MARKER.length;
  const half = Math.floor(room / 2);
  // Room that one side does not need goes to the other; a text without cut lines is longer than both halves.
  const headRoom = cutLines ? Math.max(half, room - tail.length) : half;
  const tailRoom = cutLines ? Math.max(half, room - head.length) : half;
  return headOf(head, headRoom) + TRUNCATION_MARKER + tailOf(tail, tailRoom);
}

/** The files a search found, each once, in order; undefined if no line has one. */
function listPaths(text: string): string | undefined {
  if (text.includes(TRUNCATION_MARKER) && text.length <= MAX_OUTPUT_CHARS) return text; // already truncated
  const paths = new Set<string>();
  for (const line of text.split("\n")) {
    const path = pathOf(line);
    if (path !== undefined) paths.add(path);
  }
  if (paths.size === 0) return undefined;
  const list = [...paths].join("\n");
  if (list.length <= MAX_OUTPUT_CHARS) return list;
  const room = Math.floor((MAX_OUTPUT_CHARS - TRUNCATION_MARKER.length) / 2);
  const all = [...paths];
  const head = takeWhile(all, room);
  const tail = takeWhile(all.slice(head.length).reverse(), room).reverse();
  return head.join("\n") + TRUNCATION_MARKER + tail.join("\n");
}

const MAX_PATH_CHARS = 1_024;
const MATCH_LINE = /^([^:\n]{1,1024}):/;
const CONTEXT_LINE = /^([^:\n]{0,1000}?\.\w{1,8})-\d{1,7}-/;

/** The path in `path:12:content`, `path:content`, `path:3`, `path-12-context` or a line that is a path. */
function pathOf(line: string): string | undefined {
  const start = line.slice(0, MAX_PATH_CHARS * 2);
  const prefix = MATCH_LINE.exec(start)?.[1] ?? start.trimEnd();
  const path = CONTEXT_LINE.exec(prefix)?.[1] ?? prefix;
  return isPath(path) ? path : undefined;
}

function isPath(text: string): boolean {
  if (text.length === 0 || text.length > MAX_PATH_CHARS || /^\s|\s$|["'`<>|(){};=,*]|\.\.\.| {2}/.test(text))
    return false;
  if (/^(?:\.{0,2}|~)\/\S/.test(text)) return true;
  const words = text.split(" ").length;
  return (text.includes("/") || /\w\.\w{1,10}$/.test(text)) && words <= 3 && !/^\d+$/.test(text);
}

function takeWhile(lines: readonly string[], room: number): string[] {
  let used = -1;
  const fitting: string[] = [];
  for (const line of lines) {
    used += line.length + 1;
    if (used > room) break;
    fitting.push(line);
  }
  return fitting;
}

/** At most `length` characters, without half of a surrogate pair or of a mask at the end. */
function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const mask = maskAcross(text, length);
  if (mask !== undefined) return text.slice(0, mask.start);
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

function tailOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.length - length;
  const mask = maskAcross(text, start);
  if (mask !== undefined) return text.slice(mask.end);
  const splitsPair = isHighSurrogate(text.charCodeAt(start - 1)) && isLowSurrogate(text.charCodeAt(start));
  return text.slice(splitsPair ? start + 1 : start);
}

/** The `[REDACTED:kind]` that a cut at `at` would split. */
function maskAcross(text: string, at: number): { start: number; end: number } | undefined {
  const start = text.lastIndexOf("[", at - 1);
  if (start < 0 || start < at - 60) return undefined;
  const mask = /^\[REDACTED:[a-z0-9-]{1,40}\]/.exec(text.slice(start, start + 60));
  return mask === null || start + mask[0].length <= at ? undefined : { start, end: start + mask[0].length };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function firstLines(text: string, count: number): string {
  let at = -1;
  for (let n = 0; n < count; n++) at = text.indexOf("\n", at + 1);
  return text.slice(0, at);
}

function lastLines(text: string, count: number): string {
  let at = text.length;
  for (let n = 0; n < count; n++) at = text.lastIndexOf("\n", at - 1);
  return text.slice(at + 1);
}
