import { type InspectedRequest, inspectRequest } from "./inspect-request.ts";
import { matchesRequest } from "./match-tool.ts";
import type { PolicyRequest, Verdict, World } from "./request.ts";
import type { ToolRule } from "./rule.ts";
import { isTooCostly, patternProblem, patternWork, toRegExp } from "./rules-pattern.ts";
import { spend } from "./work.ts";

interface RewriteResult {
  readonly request: PolicyRequest;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly problem?: Verdict;
}

/** Applies all rewriting rules that match a request, in order. */
export function rewrite(rules: readonly ToolRule[], request: PolicyRequest, world: World): RewriteResult {
  let current = request;
  let updatedInput: Readonly<Record<string, unknown>> | undefined;
  let subject: InspectedRequest | null = null;
  for (const rule of rules) {
    if (rule.then !== "rewrite") continue;
    subject ??= inspectRequest(current, world);
    if (!matchesRequest(rule.match, subject)) continue;
    const input = rewriteInput(rule, subject.input);
    if (input === null) {
      const reason = "The text is too long for the rule that rewrites it.";
      return { request: current, problem: { verdict: "ask", step: "protected", rule: rule.id, reason } };
    }
    if (input === subject.input) continue;
    updatedInput = input;
    current = { ...current, toolInput: input };
    subject = null;
  }
  return { request: current, updatedInput };
}

type Input = Readonly<Record<string, unknown>>;

/** The input after a rewriting rule; the same object when nothing changes, null when it cannot be applied. */
function rewriteInput(rule: ToolRule, input: Input): Input | null {
  let changed: Record<string, unknown> = { ...input, ...rule.set };
  for (const { field, find, with: replacement } of rule.replace) {
    const text = changed[field];
    if (typeof text !== "string") continue;
    if (patternProblem(find) !== null || isTooCostly(find, text)) return null;
    spend(patternWork(find, text));
    changed = { ...changed, [field]: text.replace(toRegExp(find, "giu"), replacement) };
  }
  const isUnchanged = JSON.stringify(changed) === JSON.stringify(input);
  return isUnchanged ? input : changed;
}
