/**
 * Text from an agent with everything made visible that would hide or reorder something on a screen. The characters
 * are listed by number, not by Unicode class: a browser and Node may know different versions of Unicode, and both must
 * come to the same text (`hashShown`). Newlines, tabs and plain spaces stay.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (run) => [...run].map(escaped).join(""));
}

/** The same for one line of a list: newlines and tabs become visible, too. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, escaped);
}

/** What is only written like one of our escapes: its backslash becomes one, so that no two texts look the same. */
export function visibleEscapes(text: string): string {
  return text.replace(/\\(?=u(?:[0-9a-f]{4}|\{[0-9a-f]{5,6}\}))/g, escaped);
}

/** Blanks at the end of a line made visible: a backslash before one joins no lines, and an edit may add nothing else. */
export function visibleEnds(text: string): string {
  return text.replace(/(?<![ \t])[ \t]+$/gm, (run) => [...run].map(escaped).join(""));
}

/** Controls of a terminal. */
const CONTROL = "\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f";
/** Change the direction of what follows, join or part letters, or take no room. */
const INVISIBLE =
  "\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f" +
  "\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffc\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}";
/** Signs of scripts that wrap around what follows them. */
const ENCLOSING =
  "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}\\u{13430}-\\u{1343f}";
/** Blanks that are no space to a shell, and letters that a font may draw as nothing. */
const BLANK =
  "\\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2d7f\\u3000\\u{1107f}\\u{13440}-\\u{1345f}\\u{16fe4}\\u{1d159}";
const PRIVATE = "\\ue000-\\uf8ff\\u{f0000}-\\u{10ffff}\\ufffe\\uffff\\ufdd0-\\ufdef";
const LONE = "\\ud800-\\udfff";
const MARK =
  "[\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u0610-\\u061a\\u064b-\\u065f\\u0e31\\u0e34-\\u0e3a\\u0e47-\\u0e4e" +
  "\\u0eb1\\u0eb4-\\u0ebc\\u0ec8-\\u0ece\\u0f71-\\u0f84\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\u302a-\\u302f" +
  "\\u3099\\u309a\\ufe20-\\ufe2f]";
/** Chooses the picture of the sign before it; anywhere else it hides data. */
const SELECTOR =
  "[\\ufe00-\\ufe0d]|(?<![#*0-9\\xa9\\xae\\u203c-\\u3299\\u{1f000}-\\u{1faff}])[\\ufe0e\\ufe0f]";

/**
 * Two marks on a letter are a language, more are a curtain over the lines beside it. Some scripts need up to four; where
 * two sides know different marks beyond that, the one that waits is not answered.
 */
const HIDDEN = new RegExp(
  `[${CONTROL}${INVISIBLE}${ENCLOSING}${BLANK}${PRIVATE}${LONE}]|${SELECTOR}|(?<=${MARK}{2})${MARK}|\\p{M}(?<=\\p{M}{6})`,
  "gu",
);

function escaped(char: string): string {
  const code = char.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
