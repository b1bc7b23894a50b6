import { displayWidth } from "../display-width.ts";

const ASCII_SIGNS: Readonly<Record<string, string>> = {
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
  return line.replace(/[^\u0000-\u007f]/gu, (sign) => ASCII_SIGNS[sign] ?? "?".repeat(displayWidth(sign)));
}
