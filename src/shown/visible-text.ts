/**
 * Escapes every character in an agent's text that would hide or reorder something on a screen. The characters
 * are listed by code point, not by Unicode class: a browser and Node may use different Unicode versions, and
 * both must produce the same text (`hashShown`). Newlines, tabs and plain spaces stay.
 */
export function visibleText(text: string): string {
  return limitClusters(text.replace(HIDDEN, (run) => [...run].map(escaped).join("")));
}

/** Like `visibleText` for a single line: newlines and tabs are escaped, too. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, escaped);
}

/** For lists that are never answered from: newlines and tabs become symbols that read at a glance. */
export function visibleInList(text: string): string {
  return visibleText(text).replace(/[↵⇥]/g, escaped).replaceAll("\n", "↵").replaceAll("\t", "⇥");
}

/** Escapes the backslash of text that looks like one of our escapes, so no two texts look the same. */
export function visibleEscapes(text: string): string {
  return text.replace(/\\(?=u(?:[0-9a-f]{4}|\{[0-9a-f]{5,6}\}))/g, escaped);
}

/**
 * Escapes blanks at line ends: a backslash before one does not join lines, and an edit may add only blanks.
 */
export function visibleTrailingBlanks(text: string): string {
  return text.replace(/(?<![ \t])[ \t]+$/gm, (run) => [...run].map(escaped).join(""));
}

/** Terminal control characters. */
const CONTROL = "\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f";
/** Characters that change the text direction, join or split letters, or have zero width. */
const INVISIBLE =
  "\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f" +
  "\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffc\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}";
/** Signs that enclose the characters after them. */
const ENCLOSING =
  "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}\\u{13430}-\\u{1343f}";
/** Blanks that a shell does not treat as a space, and letters that a font may draw as nothing. */
const BLANK =
  "\\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2d7f\\u3000\\ufb37\\ufb3d\\ufb3f\\ufb42\\ufb45" +
  "\\u{1107f}\\u{13440}-\\u{1345f}\\u{16fe4}\\u{1d159}";
const PRIVATE = "\\ue000-\\uf8ff\\u{f0000}-\\u{10ffff}\\ufffe\\uffff\\ufdd0-\\ufdef";
const LONE_SURROGATE = "\\ud800-\\udfff";
const COMBINING_MARK =
  "[\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u0610-\\u061a\\u064b-\\u065f\\u0e31\\u0e34-\\u0e3a\\u0e47-\\u0e4e" +
  "\\u0eb1\\u0eb4-\\u0ebc\\u0ec8-\\u0ece\\u0f71-\\u0f84\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\u302a-\\u302f" +
  "\\u3099\\u309a\\ufe20-\\ufe2f]";
/** Emoji, and characters that are emoji only with a variation selector. */
const EMOJI =
  "\\xa9\\xae\\u203c\\u2049\\u2122\\u2139\\u2194-\\u2199\\u21a9\\u21aa\\u231a\\u231b\\u2328\\u23cf\\u23e9-\\u23f3\\u23f8-\\u23fa" +
  "\\u24c2\\u25aa\\u25ab\\u25b6\\u25c0\\u25fb-\\u25fe\\u2600-\\u27bf\\u2934\\u2935\\u2b05-\\u2b07\\u2b1b\\u2b1c\\u2b50\\u2b55" +
  "\\u3030\\u303d\\u3297\\u3299\\u{1f000}-\\u{1faff}";
/** Allowed after an emoji, or between a digit and its keycap; invisible anywhere else. */
const STRAY_SELECTOR = `[\\ufe00-\\ufe0e]|(?<![${EMOJI}]|[#*0-9](?=\\ufe0f\\u20e3))\\ufe0f`;
const SKIN_TONE = "[\\u{1f3fb}-\\u{1f3ff}]";

/**
 * Up to two marks on a letter are ordinary language; more can cover neighbouring lines. Some scripts need up
 * to four; where browser and Node disagree about marks beyond that, the pending request is not answered.
 */
const HIDDEN = new RegExp(
  `[${CONTROL}${INVISIBLE}${ENCLOSING}${BLANK}${PRIVATE}${LONE_SURROGATE}]|${STRAY_SELECTOR}|(?<=${SKIN_TONE})${SKIN_TONE}|(?<=${COMBINING_MARK}{2})${COMBINING_MARK}|\\p{M}(?<=\\p{M}{6})`,
  "gu",
);

/**
 * A screen never breaks a grapheme cluster, so an unlimited one would push other text out of sight. Hangul
 * jamo, letters after a joining sign, and Thai and Lao AM form clusters.
 */
const MAX_CLUSTER_CHARS = 12;
const MAY_CLUSTER =
  /[\p{M}\u0d4e\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\uff9e\uff9f\u{111c2}\u{111c3}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]/u;
const EXTENDS_CLUSTER = /^[\p{M}\u0e33\u0eb3\uff9e\uff9f]$/u;
const JOINS_NEXT =
  /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0d4e\u0dca\u1039\u17d2\u1a60\u1b44\u1bab\ua9c0\uaaf6\u{10a3f}\u{11046}-\u{11f42}]$/u;

function limitClusters(text: string): string {
  if (!MAY_CLUSTER.test(text)) return text;
  let shown = "";
  let length = 0;
  let previous = "";
  /** Whether a joining sign precedes, followed only by marks. */
  let isLinked = false;
  for (const char of text) {
    length = joins(previous, char, isLinked) ? length + 1 : 1;
    isLinked = JOINS_NEXT.test(char) || (isLinked && EXTENDS_CLUSTER.test(char));
    previous = char;
    if (length <= MAX_CLUSTER_CHARS) shown += char;
    else {
      shown += escaped(char);
      [length, previous, isLinked] = [1, "}", false];
    }
  }
  return shown;
}

function joins(previous: string, char: string, isLinked: boolean): boolean {
  if (char <= "\u007f") return false;
  return isLinked || EXTENDS_CLUSTER.test(char) || joinsHangul(previous, char);
}

function joinsHangul(previous: string, char: string): boolean {
  const [first, second] = [hangulPart(previous), hangulPart(char)];
  return first !== null && second !== null && (first === second || HANGUL_NEXT[first] === second);
}

const HANGUL_NEXT = { lead: "vowel", vowel: "tail", tail: null } as const;

function hangulPart(char: string): keyof typeof HANGUL_NEXT | null {
  if (/^[\u1100-\u115f\ua960-\ua97c]$/.test(char)) return "lead";
  if (/^[\u1160-\u11a7\ud7b0-\ud7c6]$/.test(char)) return "vowel";
  return /^[\u11a8-\u11ff\ud7cb-\ud7fb]$/.test(char) ? "tail" : null;
}

function escaped(char: string): string {
  const code = char.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
