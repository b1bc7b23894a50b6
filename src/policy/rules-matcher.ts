import { z } from "zod";
import { patternProblem } from "./rules-pattern.ts";

/**
 * The tool matchers of a rules file: names separated by `|`, each exact, a pattern (`mcp__memory__.*`) or `*`, and for
 * a tool that runs or touches something a glob of that in parentheses: `Bash(npm test*)`, `Edit(docs/**)`.
 */

/** A valid matcher. */
export const Matcher = z
  .string()
  .min(1)
  .superRefine((match, context) => {
    const problem = match === "" ? null : matcherProblem(match);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });

/** What is wrong with a matcher, as the end of a sentence; null when it is valid. */
function matcherProblem(match: string): string | null {
  for (const part of splitMatcher(match)) {
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

/** Only the names, for a hook's matcher; null when it may match any tool. */
export function toHookMatcher(match: string): string | null {
  const names = splitMatcher(match).map((part) => part.replace(/\(.*$/su, "").trim());
  if (names.includes("*")) return null;
  // Claude Code accepts names and regular expressions.
  const patterns = names.map((name) => (isGlob(name) ? name.replaceAll("*", ".*") : name));
  return [...new Set(patterns)].join("|");
}

/** Splits at every `|` outside parentheses. */
export function splitMatcher(match: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < match.length; index++) {
    const char = match[index];
    if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === "|" && depth === 0) {
      parts.push(match.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, match.slice(start)].map((part) => part.trim());
}

/** A name, a name with stars, or a fast regular expression. */
function isPattern(name: string): boolean {
  return isGlob(name) || patternProblem(name) === null;
}

function isGlob(name: string): boolean {
  return /^[\w*-]+$/u.test(name);
}
