import { redactText } from "../../privacy/redact.ts";

const LONGEST = 2_000;

/**
 * Text of a repository for a person's eyes: one line, in which nothing can hide or draw (no escape, no change of the
 * direction, no character without width), without secrets, and what was cut is said.
 */
export function oneLine(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const shown = redactText(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, escaped);
  if (shown.length <= LONGEST) return shown;
  return `${shown.slice(0, LONGEST)} … and ${shown.length - LONGEST} more characters`;
}

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
