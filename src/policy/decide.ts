import { dangerOf } from "./dangerous-commands.ts";
import { isPowerShellEnd } from "./ending-processes.ts";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import { reachesFoundProcess } from "./found-processes.ts";
import { hiddenCodeOf } from "./hidden-code.ts";
import { judgeCommandFiles, judgeGuessed, judgeHandedOn, judgeNamed } from "./judge-files.ts";
import { judgeSearch } from "./judge-search.ts";
import { judgeToolActs } from "./judge-tools.ts";
import { coversCommand, coversSubject, matchesSubject } from "./match-tool.ts";
import { takesKeyFromCopy } from "./own-archives.ts";
import { withoutBraces } from "./path-glob.ts";
import { isInside, isInWorkspace, pathsOf } from "./places.ts";
import { inProject } from "./project-glob.ts";
import { isReadOnly } from "./read-only/is-read-only.ts";
import type { PolicyRequest, Verdict, VerdictStep, World } from "./request.ts";
import { PERMISSION_MODES, type PermissionMode } from "./request.ts";
import { rewrite } from "./rewrite.ts";
import type { Policy, ToolRule } from "./rule.ts";
import { followLinks } from "./script-links.ts";
import { secretInInput } from "./secret-input.ts";
import { mayBeRead } from "./shell/plain-variables.ts";
import { lookAt, type Subject } from "./subject.ts";
import { isTooLong, shortened } from "./too-long.ts";
import { dangerByTool } from "./tool-danger.ts";
import { isWriterByName, mentionedPaths, namedPaths } from "./tools.ts";
import { giveUp, MAX_WORK, withinBudget } from "./work.ts";
import { writesOf } from "./writing-commands.ts";

/**
 * The one policy: what happens to a tool call, by which rule, and why. Pure, never throws, and does a bounded amount
 * of work. The order is that of `VERDICT_STEPS`; the first step that has something to say decides.
 */
export function decide(policy: Policy, request: PolicyRequest, world: World): Verdict {
  return tryToDecide(policy, request, world) ?? tooLongToJudge(policy, request);
}

/** Null when a verdict takes more work than that. */
export function tryToDecide(
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
  const rules = policy.rules.filter((rule) => isMeant(rule, request));
  const rewritten = rewrite(rules, request, world);
  if (isTooLong(rewritten.request)) giveUp();
  const subject = lookAt(rewritten.request, world, policy.own);
  const verdict = rewritten.trouble ?? judge({ ...policy, rules }, subject);
  const { updatedInput } = rewritten;
  return updatedInput === undefined ? verdict : { ...verdict, updatedInput };
}

/** Asked in every mode. Rules that deny a tool whatever it is given still do. */
export function tooLongToJudge(policy: Policy, request: PolicyRequest): Verdict {
  const byName = withinBudget(() => {
    const short = shortened(request);
    const rules = policy.rules.filter((rule) => isMeant(rule, short));
    return byRule("deny", "deny", rules, lookAt(short, NOWHERE, policy.own));
  });
  const verdict = byName ?? verdictOf("protected", ask("too-long", TOO_LONG));
  return request.mode === "dontAsk" ? withoutAsking(verdict) : verdict;
}

/** No disk is looked at any more. */
const NOWHERE: World = { home: "/", realPath: (path) => path };

export const TOO_LONG_RULE = "builtin/too-long";
const TOO_LONG =
  "This is too long to judge: a command or path has at most 32 KB, and what it does must be clear within 50 ms of work. Split it into smaller calls.";

/**
 * What of a verdict a guard in somebody's terminal may pass on: it denies, asks and rewrites, and never allows. What
 * this policy merely does not know is left to Claude Code's own mode.
 */
export function forTerminal(verdict: Verdict): Verdict | null {
  if (verdict.updatedInput !== undefined) return verdict;
  if (verdict.verdict === "deny") return verdict.step === "rest" ? null : verdict;
  const isEarly = verdict.step === "person" || verdict.step === "deny" || verdict.step === "protected";
  return verdict.verdict === "ask" && isEarly ? verdict : null;
}

function judge(policy: Policy, subject: Subject): Verdict {
  return (
    personStep(subject) ??
    denyStep(policy, subject) ??
    protectedStep(policy, subject) ??
    planStep(subject) ??
    bypassStep(subject) ??
    editsStep(subject) ??
    safeStep(subject) ??
    allowStep(policy, subject) ??
    restStep(subject)
  );
}

function personStep({ kind, request }: Subject): Verdict | null {
  return kind === "person"
    ? verdictOf("person", ask("needs-a-person", `${request.toolName} is for a person to answer.`))
    : null;
}

function denyStep(policy: Policy, subject: Subject): Verdict | null {
  const { reading, places, commands, code, carried } = subject;
  const linked = followLinks(places, commands);
  const bomb = reading?.forkBomb;
  const danger =
    bomb != null
      ? deny("fork-bomb", `The function ${bomb} starts itself over and over.`)
      : gravest(
          [...commands, ...code]
            .map((command) => dangerOf(command, linked(command)))
            .concat(dangerByTool(subject), reachesFoundProcess([...commands, ...code, ...carried], places)),
        );
  if (danger?.verdict === "deny") return verdictOf("deny", danger);
  return byRule("deny", "deny", policy.rules, subject);
}

function protectedStep(policy: Policy, subject: Subject): Verdict | null {
  const { places, request, input, kind, form, commands, carried } = subject;
  const looksOnly = kind === "shell" && isWhollyReadOnly(subject);
  const sends = kind === "edit" || kind === "other" || (kind === "shell" && !looksOnly);
  const linked = followLinks(places, commands);
  const finding = gravest([
    judgeNamed(namedPaths(request, input), subject, policy.protect),
    judgeNamed(mentionedPaths(request, input), subject, []),
    judgeGuessed(subject, policy.protect),
    judgeToolActs(subject),
    takesKeyFromCopy([...commands, ...carried], places),
    form === "search" ? judgeSearch(request.toolName, input, places) : null,
    ...commands.map((command) => judgeCommandFiles(command, linked(command), policy.protect)),
    ...commands.map((command) => hiddenCodeOf(command, places)),
    ...commands.map((command) => dangerOf(command, linked(command))),
    reachesFoundProcess(commands, places),
    judgeHandedOn(commands, subject.reading?.leftOut ?? [], places),
    ...carried.map((command) => judgeCommandFiles(command, linked(command), policy.protect)),
    ...carried.map((command) => hiddenCodeOf(command, places)),
    unreadable(subject),
    sends ? secretInInput(request.toolName, input, kind === "edit") : null,
  ]);
  if (finding !== null) return verdictOf("protected", finding);
  return byRule("ask", "protected", policy.rules, subject);
}

function unreadable({ reading, kind, form, script, places }: Subject): Finding | null {
  if (form === "powershell" && script !== null && isPowerShellEnd(script, places))
    return deny("own-daemon", "This ends Hookline, which guards this session.");
  if (form === "powershell") return ask("unparsable", "This is PowerShell, which is not read here.");
  if (kind === "shell" && script === null) return ask("unparsable", "The command is missing.");
  const problem = reading?.problems[0];
  return problem === undefined || kind !== "shell"
    ? null
    : ask("unparsable", `The command cannot be understood: ${problem}.`);
}

function planStep(subject: Subject): Verdict | null {
  const { kind, request, input, places, reading } = subject;
  if (request.mode !== "plan") return null;
  if (kind === "edit") {
    const paths = namedPaths(request, input).flatMap(({ path }) => pathsOf(path, places));
    const plans = `${places.home}/.claude/plans`;
    if (
      paths.length > 0 &&
      paths.every((path) => isInside(path, plans) || isInside(path, places.world.realPath(plans)))
    )
      return { verdict: "allow", step: "plan", rule: "builtin/plan-file", reason: "It is the plan itself." };
  }
  const isWriter = kind === "edit" || (kind === "other" && isWriterByName(request.toolName));
  if (isWriter)
    return verdictOf(
      "plan",
      deny("plan-mode", `Nothing is changed while planning; ${request.toolName} would.`),
    );
  const doing = (reading?.commands ?? []).filter((command) => !isReadOnly(command, places));
  const written = kind === "shell" ? writesOf(doing) : null;
  return written === null
    ? null
    : verdictOf("plan", deny("plan-mode", `Nothing is changed while planning; ${written} would.`));
}

function bypassStep({ request }: Subject): Verdict | null {
  return request.mode === "bypassPermissions"
    ? allow(
        "bypass",
        "bypass-mode",
        "The session's mode lets through what is neither dangerous nor protected.",
      )
    : null;
}

function editsStep({ kind, request, input, places }: Subject): Verdict | null {
  if (request.mode !== "acceptEdits" || kind !== "edit") return null;
  const named = namedPaths(request, input);
  const isIn = named.length > 0 && named.every(({ path }) => isInWorkspace(path, places));
  return isIn ? allow("edits", "accept-edits", "Edits inside the workspace are accepted.") : null;
}

function safeStep(subject: Subject): Verdict | null {
  const { kind, form, request, input, places } = subject;
  if (kind === "inert") return allow("safe", "inert-tool", `${request.toolName} changes nothing.`);
  if (kind === "read") {
    const named = namedPaths(request, input).map(({ path }) => path);
    const pattern = form === "glob" && typeof input["pattern"] === "string" ? [input["pattern"]] : [];
    const needsOne = form === "read";
    const isIn = [...named, ...pattern.flatMap(withoutBraces), "."].every((path) =>
      isInWorkspace(path, places),
    );
    return isIn && (named.length > 0 || !needsOne)
      ? allow("safe", "read-inside", "It reads inside the workspace.")
      : null;
  }
  return isWhollyReadOnly(subject)
    ? allow("safe", "read-only-command", "It only looks, inside the workspace.")
    : null;
}

function isWhollyReadOnly({ form, reading, places }: Subject): boolean {
  return (
    form === "shell" &&
    reading !== null &&
    reading.problems.length === 0 &&
    reading.commands.length > 0 &&
    reading.commands.every((command) => isReadOnly(command, places)) &&
    reading.reads.every(mayBeRead)
  );
}

function allowStep(policy: Policy, subject: Subject): Verdict | null {
  const { reading, request, places } = subject;
  const rules = policy.rules.filter((rule) => rule.then === "allow");
  if (reading === null) {
    const rule = rules.find((each) => coversSubject(each.match, subject));
    return rule === undefined ? null : ofRule("allow", rule, subject);
  }
  if (reading.problems.length > 0 || reading.commands.length === 0) return null;
  const covering = reading.commands.map((command) =>
    isReadOnly(command, places) && reading.reads.every(mayBeRead)
      ? null
      : (rules.find((each) => coversCommand(each.match, request.toolName, command)) ?? undefined),
  );
  const first = covering.find((rule) => rule != null);
  return first == null || covering.includes(undefined) ? null : ofRule("allow", first, subject);
}

function restStep({ request, kind }: Subject): Verdict {
  const known = { shell: "This command", read: "Reading outside the workspace" };
  const what = kind === "shell" || kind === "read" ? known[kind] : request.toolName;
  return verdictOf(
    "rest",
    ask("not-known", `${what} is neither known to be harmless nor allowed by a rule.`),
  );
}

function byRule(
  then: "deny" | "ask",
  step: VerdictStep,
  rules: readonly ToolRule[],
  subject: Subject,
): Verdict | null {
  const rule = rules.find((each) => each.then === then && matchesSubject(each.match, subject));
  return rule === undefined ? null : { ...ofRule(then, rule, subject), step };
}

function ofRule(verdict: "allow" | "deny" | "ask", rule: ToolRule, { request }: Subject): Verdict {
  const does = { allow: "allows", deny: "denies", ask: "asks about" }[verdict];
  const reason = rule.reason ?? `A rule (${rule.match}) ${does} this use of ${request.toolName}.`;
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
    reason: `${verdict.reason} Nobody is asked in this mode, so it is denied.`,
  };
}

function isMeant(rule: ToolRule, request: PolicyRequest): boolean {
  const mode: PermissionMode = PERMISSION_MODES.find((each) => each === request.mode) ?? "default";
  return (
    (rule.modes === null || rule.modes.includes(mode)) &&
    (rule.agentType === null || rule.agentType === request.agentType) &&
    inProject(rule.project, request.projectPath ?? request.cwd)
  );
}
