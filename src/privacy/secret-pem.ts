/** Private keys in line-based files: PEM, also truncated at either end, and PuTTY's. */
import { matchEnd, type Scan, type Span } from "./secret-scan.ts";

const PEM_LABEL = /(?:\s{1,4}[A-Z0-9]{1,20}){0,4}\s{1,4}PRIVATE\s{1,4}KEY(?:\s{1,4}BLOCK)?-{0,5}/iy;
const MAX_PEM_CHARS = 65_536;

/** What tools add around a line: indent, line number, diff sign, quotes, plus signs of code. */
const BEFORE_LINE = "[ \\t>+|\"',-]{0,20}(?:\\d{1,6}[→\\t|:])?[ \\t\"'│|]{0,20}";
const AFTER_LINE = "[ \\t\"',+;│|]{0,20}(?:\\r?\\n|(?:\\\\{1,8}[nr]){1,2}[ \\t\"',+;]{0,20}\\r?\\n?)";
const EMPTY_LINE = new RegExp(BEFORE_LINE + AFTER_LINE, "y");
const HEADER_LINE = new RegExp(
  `${BEFORE_LINE}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset)[^\\n\\\\]{0,200}${AFTER_LINE}`,
  "y",
);
/** Long, or with a digit or symbol that an identifier on a line of its own rarely has. */
const KEY_LINE =
  "(?:[A-Za-z0-9+/=]{40,}|(?=[A-Za-z]{0,39}[0-9+/=])[A-Za-z0-9+/=]{16,39})(?![A-Za-z0-9+/=(.])";
/** The first line of a key is full; a shorter one must start like a key's bytes. */
const FIRST_LINE = new RegExp(
  `${BEFORE_LINE}(?=[A-Za-z0-9+/=]{40}|(?:MI|MH|MC|MG|b3Bl|lQ|xc)[A-Za-z0-9+/=]{14})`,
  "y",
);
const BODY_LINE = new RegExp(BEFORE_LINE + KEY_LINE + AFTER_LINE, "y");
const LAST_BODY_LINE = new RegExp(BEFORE_LINE + KEY_LINE, "y");
const SHORT_LAST_LINE = new RegExp(
  `${BEFORE_LINE}(?:[A-Za-z0-9+/]{1,39}={1,2}|=[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{1,15})(?=[ \\t"',+;]{0,8}(?:$|[\\r\\n\\\\]))`,
  "y",
);
const END_AHEAD = new RegExp(`${BEFORE_LINE}-----END(?=\\s)`, "iy");

/** `at` is on the blank after `-----BEGIN`. */
export function detectPem(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const start = at - 10;
  if (start < scan.floor || text.charCodeAt(start) !== 45 || !/^-----BEGIN$/i.test(text.slice(start, at)))
    return undefined;
  const bodyStart = matchEnd(PEM_LABEL, text, at);
  if (bodyStart < 0) return undefined;
  const linesEnd = endOfBody(text, bodyStart);
  const dashes = text.indexOf("-----", bodyStart);
  if (
    dashes >= 0 &&
    dashes - bodyStart < MAX_PEM_CHARS &&
    /^-----END\s/i.test(text.slice(dashes, dashes + 9))
  ) {
    const end = matchEnd(PEM_LABEL, text, dashes + 8);
    if (end >= 0 && isBody(text, bodyStart, linesEnd, dashes)) return { start, end, kind: "private-key" };
  }
  return { start, end: linesEnd, kind: "private-key" };
}

/** Whether a key is between BEGIN and END, however decorated, and not source code that names both. */
function isBody(text: string, bodyStart: number, linesEnd: number, dashes: number): boolean {
  const length = dashes - bodyStart;
  if (length <= 80 && !/[(){};]|\w[ =]+["'\w]/.test(text.slice(bodyStart, dashes))) return true;
  if (linesEnd > bodyStart && dashes - linesEnd < 80) return true;
  let base64Chars = 0;
  for (const run of text.slice(bodyStart, dashes).matchAll(/[A-Za-z0-9+/=]{40,}/g))
    base64Chars += run[0].length;
  return base64Chars * 2 > length;
}

/** The end of the base64 lines from here on; the start itself if there are none. */
function endOfBody(text: string, bodyStart: number): number {
  let at = bodyStart;
  for (let n = 0; n < 8; n++) {
    const next = Math.max(matchEnd(EMPTY_LINE, text, at), matchEnd(HEADER_LINE, text, at));
    if (next <= at) break;
    at = next;
  }
  if (matchEnd(FIRST_LINE, text, at) < 0) return bodyStart;
  let end = bodyStart;
  for (let next = matchEnd(BODY_LINE, text, at); next > at; next = matchEnd(BODY_LINE, text, at)) {
    end = matchEnd(LAST_BODY_LINE, text, at);
    at = next;
  }
  const last = matchEnd(LAST_BODY_LINE, text, at);
  if (last > at) return last;
  if (end === bodyStart || matchEnd(END_AHEAD, text, at) >= 0) return end;
  return Math.max(end, matchEnd(SHORT_LAST_LINE, text, at));
}

const LINE_BREAK_BACK =
  /[ \t"',+;│|]{0,8}(?:\r?\n|\\{1,8}[nr][ \t"',+;]{0,8}\r?\n?)[ \t>+|"',]{0,12}(?:\d{1,6}[→\t|:])?[ \t>+|"'│,]{0,12}$/;
const MIN_FULL_LINE_CHARS = 40;

/** `-----END … PRIVATE KEY-----` without its beginning: the base64 lines before it are the key. */
export function detectPemEnd(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const dashes = at - 8;
  if (dashes < scan.floor || text.charCodeAt(dashes) !== 45 || !/^-----END$/i.test(text.slice(dashes, at)))
    return undefined;
  const end = matchEnd(PEM_LABEL, text, at);
  if (end < 0) return undefined;
  const last = lineBefore(scan, dashes);
  if (last === undefined) return { start: dashes, end, kind: "private-key" };
  // A last line may be short if a full one precedes it.
  const beforeLast = lineBefore(scan, last.start);
  const isKey =
    last.length >= MIN_FULL_LINE_CHARS ||
    (beforeLast !== undefined && beforeLast.length >= MIN_FULL_LINE_CHARS);
  if (!isKey && (last.length < 16 || !/[\d+/=]/.test(text.slice(last.start, last.start + last.length))))
    return { start: dashes, end, kind: "private-key" };
  let start = last.start;
  for (let line = beforeLast; line !== undefined && line.length >= 16; line = lineBefore(scan, start))
    start = line.start;
  return { start, end, kind: "private-key" };
}

/** The run of base64 that ends the line before the one that `at` is on. */
function lineBefore(scan: Scan, at: number): { start: number; length: number } | undefined {
  const { text, floor } = scan;
  const gap = LINE_BREAK_BACK.exec(text.slice(Math.max(floor, at - 48), at))?.[0].length ?? 0;
  if (gap === 0) return undefined;
  const end = at - gap;
  let start = end;
  while (start > floor && IS_BASE64_CHAR[text.charCodeAt(start - 1)]) start--;
  if (text[start - 1] === "\\" && start < end) start++; // the n of "\n" is not base64
  return end > start ? { start, length: end - start } : undefined;
}

const PUTTY_LINES = /[ \t]{0,4}(\d{1,4})[ \t]{0,4}/y;
const PUTTY_LINE =
  /(?:\r?\n|\\{1,8}n|\\{1,8}r\\{1,8}n)[ \t>+|]{0,20}(?:\d{1,6}[→\t|:])?[ \t]{0,20}[A-Za-z0-9+/]{4,200}={0,2}/y;

/** `Private-Lines: 14` of a PuTTY key, and that many lines; `at` is on the colon. */
export function detectPuttyKey(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const nameStart = at - 13;
  if (nameStart < scan.floor || !text.startsWith("Private-Lines", nameStart)) return undefined;
  const from = matchEnd(PUTTY_LINES, text, at + 1);
  if (from < 0) return undefined;
  const count = Number.parseInt(text.slice(at + 1, from), 10);
  const first = matchEnd(
    /(?:\r?\n|\\{1,8}n|\\{1,8}r\\{1,8}n)[ \t>+|]{0,20}(?:\d{1,6}[→\t|:])?[ \t]{0,20}/y,
    text,
    from,
  );
  let end = from;
  for (let n = 0; n < count; n++) {
    const next = matchEnd(PUTTY_LINE, text, end);
    if (next < 0) break;
    end = next;
  }
  return end > from && first > 0 ? { start: first, end, kind: "private-key" } : undefined;
}

const IS_BASE64_CHAR = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
  IS_BASE64_CHAR[char.charCodeAt(0)] = 1;
