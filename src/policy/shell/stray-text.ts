import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { spend } from "../work.ts";

/**
 * Whether the parser skipped something that a shell does not: a bracket among the words of a command or after them,
 * which starts a glob in zsh, and a `#` directly after something, which starts no comment there.
 */
export function hasStrayText(script: ParsedScript, text: string): boolean {
  let isFound = false;
  const visit = (node: SyntaxNode): void => {
    if (isFound) return;
    spend(8);
    if (node.type === "CommandExpansion" && node.text.startsWith("`") && node.text.includes("\\")) {
      // Positions inside it refer to another text.
      isFound ||= /[(#]/.test(node.text);
      return;
    }
    if (node.type === "Command") {
      const items = [...(node.name === undefined ? [] : [node.name]), ...node.prefix, ...node.suffix];
      items.sort((a, b) => a.pos - b.pos);
      isFound ||= items.some(({ end }) => STRAY_TEXT.test(text.slice(end, end + MAX_SCANNED_LENGTH)));
    } else if (node.type === "Subshell" || node.type === "BraceGroup") isFound ||= text[node.end] === "#";
    forEachChild(node, visit);
  };
  for (const statement of script.commands) visit(statement);
  return isFound;
}

/** Longer whitespace is treated as what it may hide. */
const MAX_SCANNED_LENGTH = 1_000;
const STRAY_TEXT = /^(?:#|(?:[ \t\r]|\\\r?\n){0,1000}\(|(?:[ \t\r]|\\\r?\n){500})/;
