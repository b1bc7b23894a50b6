import { matchesTool } from "../../policy/match-tool.ts";
import { inProject } from "../../policy/project-glob.ts";
import type { RanCondition, ReactionConditions, ReactionRule } from "../../policy/reaction-rules.ts";
import type { World } from "../../policy/request.ts";
import { isTooCostly, toRegExp } from "../../policy/rules-pattern.ts";
import type { CallLedger } from "./call-ledger.ts";
import type { Occasion } from "./occasion.ts";

/** Whether a rule is about this, as far as the occasion itself tells. */
export function isAbout(rule: ReactionRule, occasion: Occasion, world: World): boolean {
  return (
    rule.on === occasion.on &&
    inProject(rule.project, occasion.projectPath) &&
    (rule.agentType === null || rule.agentType === occasion.agentType) &&
    saidAs(rule.when, occasion) &&
    (rule.match === null || fits(rule.match, occasion, occasion, world))
  );
}

/** Whether what ran before is as the rule wants it. */
export async function holds(
  { when }: ReactionRule,
  occasion: Occasion,
  ledger: CallLedger,
  world: World,
): Promise<boolean> {
  if (when.ran !== undefined && !(await hasRun(when.ran, occasion, ledger, world))) return false;
  return when.ranWithout === undefined || !(await hasRun(when.ranWithout, occasion, ledger, world));
}

function saidAs({ prompt, answer, source }: ReactionConditions, occasion: Occasion): boolean {
  return (
    (prompt === undefined || isFound(prompt, occasion.prompt)) &&
    (answer === undefined || isFound(answer, occasion.answer)) &&
    (source === undefined || source === occasion.source)
  );
}

const MOST_SEARCHED = 100_000;

function isFound(pattern: string, text: string | null): boolean {
  const end = text?.slice(-MOST_SEARCHED);
  return end !== undefined && !isTooCostly(pattern, end) && toRegExp(pattern).test(end);
}

async function hasRun(
  { tools, since }: RanCondition,
  occasion: Occasion,
  ledger: CallLedger,
  world: World,
): Promise<boolean> {
  const calls = await ledger.calls(occasion.sessionId, since);
  // One matcher of all of them: a command is read once. What ran last is what was most likely meant.
  return calls.toReversed().some((call) => fits(tools.join("|"), call, occasion, world));
}

type MatchedCall = Pick<Occasion, "toolName" | "toolForm" | "toolInput">;

function fits(
  match: string,
  { toolName, toolForm, toolInput }: MatchedCall,
  { cwd, projectPath }: Occasion,
  world: World,
): boolean {
  if (toolName === null) return false;
  const form = toolForm === undefined ? {} : { toolForm };
  const request = { toolName, ...form, toolInput, mode: "default", cwd: cwd ?? "/", projectPath };
  return matchesTool(match, request, world);
}
