import { matchesSubject } from "./match-tool.ts";
import type { PolicyRequest, Verdict, World } from "./request.ts";
import type { ToolRule } from "./rule.ts";
import { isTooCostly, patternTrouble, patternWork, toRegExp } from "./rules-pattern.ts";
import { lookAt, type Subject } from "./subject.ts";
import { spend } from "./work.ts";

interface Rewritten {
  readonly request: PolicyRequest;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly trouble?: Verdict;
}

/** All rewriting rules that are for a request, one after the other. */
export function rewrite(rules: readonly ToolRule[], request: PolicyRequest, world: World): Rewritten {
  let now = request;
  let updatedInput: Readonly<Record<string, unknown>> | undefined;
  let subject: Subject | null = null;
  for (const rule of rules) {
    if (rule.then !== "rewrite") continue;
    subject ??= lookAt(now, world);
    if (!matchesSubject(rule.match, subject)) continue;
    const input = rewriteInput(rule, subject.input);
    if (input === null) {
      const reason = "A rule that rewrites this could not be tried on so long a text.";
      return { request: now, trouble: { verdict: "ask", step: "protected", rule: rule.id, reason } };
    }
    if (input === subject.input) continue;
    updatedInput = input;
    now = { ...now, toolInput: input };
    subject = null;
  }
  return { request: now, updatedInput };
}

type Input = Readonly<Record<string, unknown>>;

/** The input as a rewriting rule leaves it; the same object when it changes nothing, null when it cannot be tried. */
function rewriteInput(rule: ToolRule, input: Input): Input | null {
  let changed: Record<string, unknown> = { ...input, ...rule.set };
  for (const { field, find, with: replacement } of rule.replace) {
    const text = changed[field];
    if (typeof text !== "string") continue;
    if (patternTrouble(find) !== null || isTooCostly(find, text)) return null;
    spend(patternWork(find, text));
    changed = { ...changed, [field]: text.replace(toRegExp(find, "giu"), replacement) };
  }
  const isSame = JSON.stringify(changed) === JSON.stringify(input);
  return isSame ? input : changed;
}
