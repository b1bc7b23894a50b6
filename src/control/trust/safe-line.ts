import { redactText } from "../../privacy/redact.ts";

const MAX_CHARS = 2_000;

/**
 * Makes text of a repository safe to show: a single line without escapes, direction changes, zero-width
 * characters or secrets, with truncation marked.
 */
export function toSafeLine(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const shown = redactText(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, escapeCharacter);
  if (shown.length <= MAX_CHARS) return shown;
  return `${shown.slice(0, MAX_CHARS)} … and ${shown.length - MAX_CHARS} more characters`;
}

function escapeCharacter(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
