import { matchesTool } from "../../policy/match-tool.ts";
import { appliesToProject } from "../../policy/project-glob.ts";
import type { RanCondition, ReactionConditions, ReactionRule } from "../../policy/reaction-rules.ts";
import type { World } from "../../policy/request.ts";
import { isTooCostly, toRegExp } from "../../policy/rules-pattern.ts";
import type { CallLedger } from "./call-ledger.ts";
import type { ReactionTrigger } from "./reaction-trigger.ts";

/** Whether a rule matches, judging by the trigger alone. */
export function matchesTrigger(rule: ReactionRule, occasion: ReactionTrigger, world: World): boolean {
  return (
    rule.on === occasion.on &&
    appliesToProject(rule.project, occasion.projectPath) &&
    (rule.agentType === null || rule.agentType === occasion.agentType) &&
    textsMatch(rule.when, occasion) &&
    (rule.match === null || matchesCall(rule.match, occasion, occasion, world))
  );
}

/** Whether earlier calls meet the rule's conditions. */
export async function conditionsHold(
  { when }: ReactionRule,
  occasion: ReactionTrigger,
  ledger: CallLedger,
  world: World,
): Promise<boolean> {
  if (when.ran !== undefined && !(await hasRun(when.ran, occasion, ledger, world))) return false;
  return when.ranWithout === undefined || !(await hasRun(when.ranWithout, occasion, ledger, world));
}

function textsMatch({ prompt, answer, source }: ReactionConditions, occasion: ReactionTrigger): boolean {
  return (
    (prompt === undefined || isFound(prompt, occasion.prompt)) &&
    (answer === undefined || isFound(answer, occasion.answer)) &&
    (source === undefined || source === occasion.source)
  );
}

const MAX_SEARCHED_CHARS = 100_000;

function isFound(pattern: string, text: string | null): boolean {
  const end = text?.slice(-MAX_SEARCHED_CHARS);
  return end !== undefined && !isTooCostly(pattern, end) && toRegExp(pattern).test(end);
}

async function hasRun(
  { tools, since }: RanCondition,
  occasion: ReactionTrigger,
  ledger: CallLedger,
  world: World,
): Promise<boolean> {
  const calls = await ledger.calls(occasion.sessionId, since);
  // Joined into one matcher, so that a command is parsed once. Newest first: it is the most likely match.
  return calls.toReversed().some((call) => matchesCall(tools.join("|"), call, occasion, world));
}

type MatchedCall = Pick<ReactionTrigger, "toolName" | "toolForm" | "toolInput">;

function matchesCall(
  match: string,
  { toolName, toolForm, toolInput }: MatchedCall,
  { cwd, projectPath }: ReactionTrigger,
  world: World,
): boolean {
  if (toolName === null) return false;
  const form = toolForm === undefined ? {} : { toolForm };
  const request = { toolName, ...form, toolInput, mode: "default", cwd: cwd ?? "/", projectPath };
  return matchesTool(match, request, world);
}
