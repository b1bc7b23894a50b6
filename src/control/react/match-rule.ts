import { matchesTool } from "../../policy/match-tool.ts";
import { appliesToProject } from "../../policy/project-glob.ts";
import type { RanCondition, ReactionConditions, ReactionRule } from "../../policy/reaction-rules.ts";
import type { World } from "../../policy/request.ts";
import { isTooCostly, toRegExp } from "../../policy/rules-pattern.ts";
import type { CallLedger } from "./call-ledger.ts";
import type { ReactionTrigger } from "./reaction-trigger.ts";

/** Whether a rule matches, judging by the trigger alone. */
export function matchesTrigger(rule: ReactionRule, trigger: ReactionTrigger, world: World): boolean {
  return (
    rule.on === trigger.on &&
    appliesToProject(rule.project, trigger.projectPath) &&
    (rule.agentType === null || rule.agentType === trigger.agentType) &&
    textsMatch(rule.when, trigger) &&
    (rule.match === null || matchesCall(rule.match, trigger, trigger, world))
  );
}

/** Whether earlier calls meet the rule's conditions. */
export async function conditionsHold(
  { when }: ReactionRule,
  trigger: ReactionTrigger,
  ledger: CallLedger,
  world: World,
): Promise<boolean> {
  if (when.ran !== undefined && !(await hasRun(when.ran, trigger, ledger, world))) return false;
  return when.ranWithout === undefined || !(await hasRun(when.ranWithout, trigger, ledger, world));
}

function textsMatch({ prompt, answer, source }: ReactionConditions, trigger: ReactionTrigger): boolean {
  return (
    (prompt === undefined || isFound(prompt, trigger.prompt)) &&
    (answer === undefined || isFound(answer, trigger.answer)) &&
    (source === undefined || source === trigger.source)
  );
}

const MAX_SEARCHED_CHARS = 100_000;

function isFound(pattern: string, text: string | null): boolean {
  const searched = text?.slice(-MAX_SEARCHED_CHARS);
  return searched !== undefined && !isTooCostly(pattern, searched) && toRegExp(pattern).test(searched);
}

async function hasRun(
  { tools, since }: RanCondition,
  trigger: ReactionTrigger,
  ledger: CallLedger,
  world: World,
): Promise<boolean> {
  const calls = await ledger.calls(trigger.sessionId, since);
  // Joined into one matcher, so that a command is parsed once. Newest first: it is the most likely match.
  return calls.toReversed().some((call) => matchesCall(tools.join("|"), call, trigger, world));
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
