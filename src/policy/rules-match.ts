import { z } from "zod";
import { patternTrouble } from "./rules-pattern.ts";

/**
 * The tool matchers of a rules file: names with `|` between them, each exact, a pattern (`mcp__memory__.*`) or `*`,
 * and for one that runs or touches something a glob of that in brackets: `Bash(npm test*)`, `Edit(docs/**)`.
 */

/** A matcher that can be understood. */
export const Matcher = z
  .string()
  .min(1)
  .superRefine((match, context) => {
    const trouble = match === "" ? null : matchTrouble(match);
    if (trouble !== null) context.addIssue({ code: "custom", message: trouble });
  });

/** What is wrong with a matcher, as a sentence's end; null when it can be understood. */
function matchTrouble(match: string): string | null {
  for (const part of splitMatch(match)) {
    const found = /^([^()]*)(?:\((.*)\))?$/su.exec(part);
    const [, name = "", inside] = found ?? [];
    if (found === null || (part.endsWith(")") && inside === undefined))
      return `"${part}" has a bracket too many or too few; Bash(npm test*) is how it is written`;
    if (inside !== undefined && inside.trim() === "")
      return `nothing stands between the brackets of "${part}"`;
    if (name.trim() === "") return `a tool's name is missing in "${match}"`;
    if (!/^[A-Za-z0-9_.*+?^$-]+$/u.test(name) || !isPattern(name))
      return `"${name}" is not a tool's name: Bash, Edit|Write, mcp__memory__.*, *`;
  }
  return null;
}

/** The names alone, for the matcher of a hook; null when any tool may be meant. */
export function hookMatcher(match: string): string | null {
  const names = splitMatch(match).map((part) => part.replace(/\(.*$/su, "").trim());
  if (names.includes("*")) return null;
  // Claude Code takes names and regular expressions.
  const patterns = names.map((name) => (isGlob(name) ? name.replaceAll("*", ".*") : name));
  return [...new Set(patterns)].join("|");
}

/** At every `|` outside brackets. */
export function splitMatch(match: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < match.length; at++) {
    const char = match[at];
    if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === "|" && depth === 0) {
      parts.push(match.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, match.slice(start)].map((part) => part.trim());
}

/** A name, one with stars in it, or a regular expression that is quick. */
function isPattern(name: string): boolean {
  return isGlob(name) || patternTrouble(name) === null;
}

function isGlob(name: string): boolean {
  return /^[\w*-]+$/u.test(name);
}
