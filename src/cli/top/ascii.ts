import { displayWidth } from "../display-width.ts";

const SIGNS: Readonly<Record<string, string>> = {
  "◆": "!",
  "▤": "=",
  "⏳": "~~",
  "●": "*",
  "◐": "o",
  "○": "-",
  "✓": "+",
  "✕": "x",
  "▸": ">",
  "›": ">",
  "█": "#",
  "▌": "#",
  "░": ".",
  "─": "-",
  "│": "|",
  "↳": ">",
  "×": "x",
  "├": "|",
  "└": "`",
  "·": "|",
  "…": "~",
  "—": "-",
  "↵": "^",
};

/** The same cells in ASCII only; colour escapes are preserved. */
export function toAscii(line: string): string {
  return line.replace(/[^\u0000-\u007f]/gu, (sign) => SIGNS[sign] ?? "?".repeat(displayWidth(sign)));
}
