import { z } from "zod";
import { appliesToProject, ProjectGlob } from "./project-glob.ts";
import type { RuleSource } from "./rule.ts";
import { isTooCostly, Pattern, toRegExp } from "./rules-pattern.ts";

/** One entry of `prompts` in a rules file. */
export const PromptEntry = z.strictObject({
  id: z.string().optional(),
  recipe: z.string().optional(),
  find: Pattern,
  // biome-ignore lint/suspicious/noThenProperty: the word that a person writes
  then: z.enum(["block", "filter", "context"]),
  reason: z.string().min(1).optional(),
  /** For `filter` the replacement ($1 names a group), for `context` the text for the model. */
  with: z.string().max(10_000).optional(),
  project: ProjectGlob.optional(),
});
export type PromptEntry = z.infer<typeof PromptEntry>;

export interface PromptRule {
  readonly id: string;
  readonly source: RuleSource;
  readonly recipe: string | null;
  readonly find: string;
  readonly then: "block" | "filter" | "context";
  readonly reason: string | null;
  readonly with: string | null;
  readonly project: string | null;
}

export type PromptVerdict =
  | { readonly type: "block"; readonly rule: string; readonly reason: string }
  /** `prompt` is the whole text as it may be sent. */
  | { readonly type: "filter"; readonly rule: string; readonly reason: string; readonly prompt: string }
  | { readonly type: "context"; readonly rule: string; readonly text: string };

/**
 * The first that blocks; else all filters, in order; else all that add context. A filtered prompt is not filtered
 * again, so it can be sent exactly as it was returned.
 */
export function judgePrompt(
  rules: readonly PromptRule[],
  { prompt, projectPath }: { readonly prompt: string; readonly projectPath: string | null },
): PromptVerdict | null {
  const applicable = rules.filter((rule) => appliesToProject(rule.project, projectPath));
  const tooCostly = applicable.find(({ then, find }) => then !== "context" && isTooCostly(find, prompt));
  if (tooCostly !== undefined) return { type: "block", rule: tooCostly.id, reason: TOO_LONG };
  const found = applicable.filter(({ find }) => !isTooCostly(find, prompt) && toRegExp(find).test(prompt));
  const blocking = found.find(({ then }) => then === "block");
  if (blocking !== undefined)
    return {
      type: "block",
      rule: blocking.id,
      reason: blocking.reason ?? "A rule blocks prompts like this.",
    };
  return applyFilters(found, prompt) ?? withContext(found);
}

const TOO_LONG = "The prompt is too long for this rule to check. Send it in parts.";

function applyFilters(found: readonly PromptRule[], prompt: string): PromptVerdict | null {
  let text = prompt;
  const applied: PromptRule[] = [];
  for (const rule of found.filter(({ then }) => then === "filter")) {
    const next = text.replace(toRegExp(rule.find, "giu"), rule.with ?? "");
    if (next !== text) applied.push(rule);
    text = next;
  }
  const [first] = applied;
  if (first === undefined) return null;
  const reasons = applied.map(({ reason }) => reason).filter((reason) => reason !== null);
  const reason = reasons.length === 0 ? "A rule removes part of this prompt." : reasons.join(" ");
  return { type: "filter", rule: first.id, reason, prompt: text };
}

function withContext(found: readonly PromptRule[]): PromptVerdict | null {
  const contextRules = found.filter(({ then }) => then === "context");
  const [first] = contextRules;
  if (first === undefined) return null;
  return { type: "context", rule: first.id, text: contextRules.map((rule) => rule.with ?? "").join("\n") };
}
