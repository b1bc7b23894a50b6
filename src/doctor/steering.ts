import { existsSync } from "node:fs";
import { askDaemon } from "../client/ask-daemon.ts";
import { pickCredentials } from "../control/caller-credentials.ts";
import { ClaudeReport } from "../control/control-contract.ts";
import { createClaudeFinder } from "../control/find-claude.ts";
import { projectRulesFile } from "../control/follow-rules.ts";
import { readRulesFile, ruleProblemText } from "../control/policy-files.ts";
import { parentDeathPrefix } from "../control/process/claude-processes.ts";
import { buildSessionEnv } from "../control/session-env.ts";
import { isTrustReadable } from "../control/trust/trust.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { countText } from "./wording.ts";

/** What steering needs. Steering is optional: what was never requested is not a problem. */
export const steeringChecks: readonly Check[] = [
  { code: "rules_valid", run: checkRules },
  { code: "trust_readable", run: checkTrust },
  { code: "sdk_found", run: checkSdk },
  { code: "driven_claude", run: checkClaude, limitMs: 15_000 },
  { code: "driven_login", run: checkLogin, limitMs: 15_000 },
  { code: "driven_processes", run: checkProcesses },
];

function checkRules({ home, projectDir }: CheckContext): Outcome {
  const files = [home.rules, projectRulesFile(projectDir)].filter((file) => existsSync(file));
  if (files.length === 0) return { status: "skipped", found: "There are no rules of yours." };
  const wrong: string[] = [];
  let rules = 0;
  for (const file of new Set(files)) {
    const reading = readRulesFile(file, home);
    if (reading?.type === "invalid") wrong.push(ruleProblemText(file, reading.problems[0]!));
    if (reading?.type !== "rules") continue;
    const { tools, protect, prompts, reactions } = reading.rules;
    rules += tools.length + protect.length + prompts.length + reactions.length;
  }
  if (wrong.length === 0)
    return { status: "ok", found: `${countText(rules, "rule")} in ${files.join(", ")}.` };
  return {
    status: "fail",
    found: `Nothing of a file of rules is taken: ${wrong.join("; ")}.`,
    remedy: "Correct it; `hookline policy check` names every mistake.",
  };
}

function checkTrust({ home }: CheckContext): Outcome {
  if (isTrustReadable(home.trust)) {
    const found = existsSync(home.trust) ? "What you approved can be read." : "No project was approved yet.";
    return { status: "ok", found };
  }
  return {
    status: "fail",
    found: `${home.trust} is damaged: no project is trusted.`,
    remedy: "Remove it, and approve your projects again with `hookline trust`.",
  };
}

async function checkSdk(situation: CheckContext): Promise<Outcome> {
  const { sdk } = await reportOf(situation);
  if (sdk.message === null) return { status: "ok", found: `The Agent SDK is ${sdk.version}.` };
  const { model = null, modelVia = "sdk" } = situation.config()?.memory ?? {};
  const isWanted = model !== null && modelVia === "sdk";
  // Not needed for recording only.
  if (!sdk.found && !isWanted) return { status: "skipped", found: sdk.message };
  const needs = isWanted ? "`memory.model` and `hookline run` need it" : "`hookline run` needs it";
  return { status: "warn", found: sdk.message, remedy: `Install it as said: ${needs}.` };
}

async function checkClaude(situation: CheckContext): Promise<Outcome> {
  const { sdk, claude } = await reportOf(situation);
  if (sdk.message !== null) return noSdk;
  if (claude.message === null)
    return { status: "ok", found: `Driven sessions run ${claude.path} (${claude.version ?? "?"}).` };
  return { status: "warn", found: claude.message, remedy: "`hookline run` needs it." };
}

async function checkLogin(situation: CheckContext): Promise<Outcome> {
  const { sdk, claude, usable, billing } = await reportOf(situation);
  if (sdk.message !== null) return noSdk;
  if (claude.message !== null) return { status: "skipped", found: "There is no claude to run." };
  // Not letting other programs use a login is a choice, not a problem.
  if (!usable) return { status: "skipped", found: billing };
  const own = await daemonReport(situation, {});
  if (own === null || own.usable) return { status: "ok", found: billing };
  return {
    status: "warn",
    found: `${billing} Only in this terminal: ${own.billing}`,
    remedy: "`hookline up --restart` passes the login of this terminal on to the daemon.",
  };
}

const noSdk: Outcome = { status: "skipped", found: "Without the Agent SDK no session is driven." };

/** As `hookline run` would report it from here: by a running daemon if any, because its PATH counts. */
async function reportOf(situation: CheckContext): Promise<ClaudeReport> {
  const { agent, env, home, config } = situation;
  const credentials = pickCredentials(env);
  const told = await daemonReport(situation, { credentials });
  if (told !== null) return told;
  const driving = agent.driving ?? { findLogin: () => ({ type: "none", billingText: "" }) };
  const { claude = null, billing = "api" } = config()?.control ?? {};
  return createClaudeFinder({ config: { claude }, driving }).report({
    billing,
    env: buildSessionEnv({ env, home, credentials }),
  });
}

/** Null if no daemon answers. */
async function daemonReport({ home, daemon }: CheckContext, body: object): Promise<ClaudeReport | null> {
  if ((await daemon()).type !== "answers") return null;
  const ask = { method: "POST", body, timeoutMs: 12_000 };
  return askDaemon(home, ClaudeReport, "/api/control/claude", ask).catch(() => null);
}

function checkProcesses({ env, platform }: CheckContext): Outcome {
  const ends = "A watchdog ends driven agents, with what they started, when the daemon dies";
  if (platform !== "linux")
    return { status: "ok", found: `${ends}; not what had left its group and lost its parent before.` };
  const more =
    parentDeathPrefix(env).length > 0 ? "the kernel tells them too (setpriv)" : "there is no setpriv";
  return { status: "ok", found: `${ends}; ${more}.` };
}
