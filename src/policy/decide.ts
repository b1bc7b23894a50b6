import { judgeKeyFromCopy } from "./copied-own-keys.ts";
import { judgeDanger } from "./dangerous-commands.ts";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import { judgeFoundProcess } from "./found-processes.ts";
import { judgeHiddenCode } from "./hidden-code.ts";
import { type InspectedRequest, inspectRequest } from "./inspect-request.ts";
import { judgeCommandFiles, judgeGuessedInput, judgeNamedPaths, judgePassedFiles } from "./judge-files.ts";
import { judgeSearch } from "./judge-search.ts";
import { judgeToolActions } from "./judge-tool-actions.ts";
import { isPowerShellKill } from "./killed-processes.ts";
import { isInside, isInWorkspace, pathsOf } from "./locations.ts";
import { coversCommand, coversRequest, matchesRequest } from "./match-tool.ts";
import { expandBraces } from "./path-glob.ts";
import { appliesToProject } from "./project-glob.ts";
import { isReadOnly } from "./read-only/is-read-only.ts";
import type { PolicyRequest, Verdict, VerdictStep, World } from "./request.ts";
import { PERMISSION_MODES, type PermissionMode } from "./request.ts";
import { rewrite } from "./rewrite.ts";
import type { Policy, ToolRule } from "./rule.ts";
import { withScriptLinks } from "./script-links.ts";
import { judgeSecretInput } from "./secret-input.ts";
import { isReadableVariable } from "./shell/plain-variables.ts";
import { isTooLong, withoutLongTexts } from "./too-long.ts";
import { judgeToolDanger } from "./tool-danger.ts";
import { isWriterTool, mentionedPaths, namedPaths } from "./tools.ts";
import { giveUp, MAX_WORK, withinBudget } from "./work.ts";
import { firstWriteIn } from "./writing-commands.ts";

/**
 * The one policy: what happens to a tool call, by which rule, and why. Pure, never throws, and does a bounded amount of
 * work. The order is that of `VERDICT_STEPS`; the first step with a result decides.
 */
export function decide(policy: Policy, request: PolicyRequest, world: World): Verdict {
  return decideWithin(policy, request, world) ?? tooLongToJudge(policy, request);
}

/** Null when the verdict takes more work than the budget. */
export function decideWithin(
  policy: Policy,
  request: PolicyRequest,
  world: World,
  maxWork = MAX_WORK,
): Verdict | null {
  if (isTooLong(request)) return null;
  const verdict = withinBudget(() => decideInBudget(policy, request, world), maxWork);
  return verdict !== null && request.mode === "dontAsk" ? withoutAsking(verdict) : verdict;
}

function decideInBudget(policy: Policy, request: PolicyRequest, world: World): Verdict {
  const rules = policy.rules.filter((rule) => appliesToRequest(rule, request));
  const rewritten = rewrite(rules, request, world);
  if (isTooLong(rewritten.request)) giveUp();
  const subject = inspectRequest(rewritten.request, world, policy.own);
  const verdict = rewritten.problem ?? judge({ ...policy, rules }, subject);
  const { updatedInput } = rewritten;
  return updatedInput === undefined ? verdict : { ...verdict, updatedInput };
}

/** Asks in every mode. Rules that deny a tool regardless of its input still apply. */
export function tooLongToJudge(policy: Policy, request: PolicyRequest): Verdict {
  const byName = withinBudget(() => {
    const short = withoutLongTexts(request);
    const rules = policy.rules.filter((rule) => appliesToRequest(rule, short));
    return byRule("deny", "deny", rules, inspectRequest(short, NOWHERE, policy.own));
  });
  const verdict = byName ?? verdictOf("protected", ask("too-long", TOO_LONG));
  return request.mode === "dontAsk" ? withoutAsking(verdict) : verdict;
}

/** A world without a disk. */
const NOWHERE: World = { home: "/", realPath: (path) => path };

export const TOO_LONG_RULE = "builtin/too-long";
const TOO_LONG =
  "Too long to check: commands and paths are limited to 32 KB and checking to 50 ms. Split it into smaller calls.";

/**
 * The part of a verdict that a guard in a user's terminal may pass on: it denies, asks and rewrites, and never allows.
 * What this policy merely does not know is left to Claude Code's own mode.
 */
export function toTerminalVerdict(verdict: Verdict): Verdict | null {
  if (verdict.updatedInput !== undefined) return verdict;
  if (verdict.verdict === "deny") return verdict.step === "rest" ? null : verdict;
  const isEarly = verdict.step === "person" || verdict.step === "deny" || verdict.step === "protected";
  return verdict.verdict === "ask" && isEarly ? verdict : null;
}

function judge(policy: Policy, subject: InspectedRequest): Verdict {
  return (
    personStep(subject) ??
    denyStep(policy, subject) ??
    protectedStep(policy, subject) ??
    planStep(subject) ??
    bypassStep(subject) ??
    editsStep(subject) ??
    safeStep(subject) ??
    allowStep(policy, subject) ??
    defaultStep(subject)
  );
}

function personStep({ kind, request }: InspectedRequest): Verdict | null {
  return kind === "person"
    ? verdictOf("person", ask("needs-a-person", `${request.toolName} needs an answer from you.`))
    : null;
}

function denyStep(policy: Policy, subject: InspectedRequest): Verdict | null {
  const { reading, locations, commands, code, nested } = subject;
  const linked = withScriptLinks(locations, commands);
  const bomb = reading?.forkBomb;
  const danger =
    bomb != null
      ? deny("fork-bomb", `The function ${bomb} starts itself endlessly (a fork bomb).`)
      : mostSevere(
          [...commands, ...code]
            .map((command) => judgeDanger(command, linked(command)))
            .concat(
              judgeToolDanger(subject),
              judgeFoundProcess([...commands, ...code, ...nested], locations),
            ),
        );
  if (danger?.verdict === "deny") return verdictOf("deny", danger);
  return byRule("deny", "deny", policy.rules, subject);
}

function protectedStep(policy: Policy, subject: InspectedRequest): Verdict | null {
  const { locations, request, input, kind, form, commands, nested } = subject;
  const onlyReads = kind === "shell" && isEntirelyReadOnly(subject);
  const mayLeak = kind === "edit" || kind === "other" || (kind === "shell" && !onlyReads);
  const linked = withScriptLinks(locations, commands);
  const finding = mostSevere([
    judgeNamedPaths(namedPaths(request, input), subject, policy.protect),
    judgeNamedPaths(mentionedPaths(request, input), subject, []),
    judgeGuessedInput(subject, policy.protect),
    judgeToolActions(subject),
    judgeKeyFromCopy([...commands, ...nested], locations),
    form === "search" ? judgeSearch(request.toolName, input, locations) : null,
    ...commands.map((command) => judgeCommandFiles(command, linked(command), policy.protect)),
    ...commands.map((command) => judgeHiddenCode(command, locations)),
    ...commands.map((command) => judgeDanger(command, linked(command))),
    judgeFoundProcess(commands, locations),
    judgePassedFiles(commands, locations),
    ...nested.map((command) => judgeCommandFiles(command, linked(command), policy.protect)),
    ...nested.map((command) => judgeHiddenCode(command, locations)),
    unreadable(subject),
    mayLeak ? judgeSecretInput(request.toolName, input, kind === "edit") : null,
  ]);
  if (finding !== null) return verdictOf("protected", finding);
  return byRule("ask", "protected", policy.rules, subject);
}

function unreadable({ reading, kind, form, script, locations }: InspectedRequest): Finding | null {
  if (form === "powershell" && script !== null && isPowerShellKill(script, locations))
    return deny("own-daemon", "This would stop Hookline, which guards this session.");
  if (form === "powershell") return ask("unparsable", "PowerShell can't be checked here.");
  if (kind === "shell" && script === null) return ask("unparsable", "The command is missing.");
  const problem = reading?.problems[0];
  return problem === undefined || kind !== "shell"
    ? null
    : ask("unparsable", `The command can't be parsed: ${problem}.`);
}

function planStep(subject: InspectedRequest): Verdict | null {
  const { kind, request, input, locations, reading } = subject;
  if (request.mode !== "plan") return null;
  if (kind === "edit") {
    const paths = namedPaths(request, input).flatMap(({ path }) => pathsOf(path, locations));
    const plans = `${locations.home}/.claude/plans`;
    if (
      paths.length > 0 &&
      paths.every((path) => isInside(path, plans) || isInside(path, locations.world.realPath(plans)))
    )
      return { verdict: "allow", step: "plan", rule: "builtin/plan-file", reason: "This is the plan file." };
  }
  const isWriter = kind === "edit" || (kind === "other" && isWriterTool(request.toolName));
  if (isWriter)
    return verdictOf(
      "plan",
      deny("plan-mode", `${request.toolName} would make changes, which plan mode does not allow.`),
    );
  const writers = (reading?.commands ?? []).filter((command) => !isReadOnly(command, locations));
  const written = kind === "shell" ? firstWriteIn(writers) : null;
  return written === null
    ? null
    : verdictOf("plan", deny("plan-mode", `${written} would make changes, which plan mode does not allow.`));
}

function bypassStep({ request }: InspectedRequest): Verdict | null {
  return request.mode === "bypassPermissions"
    ? allow("bypass", "bypass-mode", "Bypass mode allows everything that is not dangerous or protected.")
    : null;
}

function editsStep({ kind, request, input, locations }: InspectedRequest): Verdict | null {
  if (request.mode !== "acceptEdits" || kind !== "edit") return null;
  const named = namedPaths(request, input);
  const isInside = named.length > 0 && named.every(({ path }) => isInWorkspace(path, locations));
  return isInside ? allow("edits", "accept-edits", "This mode accepts edits inside the workspace.") : null;
}

function safeStep(subject: InspectedRequest): Verdict | null {
  const { kind, form, request, input, locations } = subject;
  if (kind === "inert") return allow("safe", "inert-tool", `${request.toolName} makes no changes.`);
  if (kind === "read") {
    const named = namedPaths(request, input).map(({ path }) => path);
    const pattern = form === "glob" && typeof input["pattern"] === "string" ? [input["pattern"]] : [];
    const needsPath = form === "read";
    const isIn = [...named, ...pattern.flatMap(expandBraces), "."].every((path) =>
      isInWorkspace(path, locations),
    );
    return isIn && (named.length > 0 || !needsPath)
      ? allow("safe", "read-inside", "Reads only inside the workspace.")
      : null;
  }
  return isEntirelyReadOnly(subject)
    ? allow("safe", "read-only-command", "Read-only, inside the workspace.")
    : null;
}

function isEntirelyReadOnly({ form, reading, locations }: InspectedRequest): boolean {
  return (
    form === "shell" &&
    reading !== null &&
    reading.problems.length === 0 &&
    reading.commands.length > 0 &&
    reading.commands.every((command) => isReadOnly(command, locations)) &&
    reading.readVariables.every(isReadableVariable)
  );
}

function allowStep(policy: Policy, subject: InspectedRequest): Verdict | null {
  const { reading, request, locations } = subject;
  const rules = policy.rules.filter((rule) => rule.then === "allow");
  if (reading === null) {
    const rule = rules.find((each) => coversRequest(each.match, subject));
    return rule === undefined ? null : verdictOfRule("allow", rule, subject);
  }
  if (reading.problems.length > 0 || reading.commands.length === 0) return null;
  const covering = reading.commands.map((command) =>
    isReadOnly(command, locations) && reading.readVariables.every(isReadableVariable)
      ? null
      : (rules.find((each) => coversCommand(each.match, request.toolName, command)) ?? undefined),
  );
  const first = covering.find((rule) => rule != null);
  return first == null || covering.includes(undefined) ? null : verdictOfRule("allow", first, subject);
}

function defaultStep({ request, kind }: InspectedRequest): Verdict {
  const known = { shell: "This command", read: "Reading outside the workspace" };
  const what = kind === "shell" || kind === "read" ? known[kind] : request.toolName;
  return verdictOf("rest", ask("not-known", `${what} is not known to be safe, and no rule allows it.`));
}

function byRule(
  then: "deny" | "ask",
  step: VerdictStep,
  rules: readonly ToolRule[],
  subject: InspectedRequest,
): Verdict | null {
  const rule = rules.find((each) => each.then === then && matchesRequest(each.match, subject));
  return rule === undefined ? null : { ...verdictOfRule(then, rule, subject), step };
}

function verdictOfRule(
  verdict: "allow" | "deny" | "ask",
  rule: ToolRule,
  { request }: InspectedRequest,
): Verdict {
  const action = { allow: "allows", deny: "denies", ask: "asks about" }[verdict];
  const reason = rule.reason ?? `The rule ${rule.match} ${action} this ${request.toolName} call.`;
  return { verdict, step: "allow", rule: rule.id, reason };
}

function verdictOf(step: VerdictStep, { verdict, rule, reason }: Finding): Verdict {
  return { verdict, step, rule, reason };
}

function allow(step: VerdictStep, rule: string, reason: string): Verdict {
  return { verdict: "allow", step, rule: `builtin/${rule}`, reason };
}

function withoutAsking(verdict: Verdict): Verdict {
  if (verdict.verdict !== "ask") return verdict;
  return {
    ...verdict,
    verdict: "deny",
    reason: `${verdict.reason} This mode never asks, so the call is denied.`,
  };
}

function appliesToRequest(rule: ToolRule, request: PolicyRequest): boolean {
  const mode: PermissionMode = PERMISSION_MODES.find((each) => each === request.mode) ?? "default";
  return (
    (rule.modes === null || rule.modes.includes(mode)) &&
    (rule.agentType === null || rule.agentType === request.agentType) &&
    appliesToProject(rule.project, request.projectPath ?? request.cwd)
  );
}
