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
  if (files.length === 0) return { status: "skipped", found: "No custom rules." };
  const errors: string[] = [];
  let rules = 0;
  for (const file of new Set(files)) {
    const reading = readRulesFile(file, home);
    if (reading?.type === "invalid") errors.push(ruleProblemText(file, reading.problems[0]!));
    if (reading?.type !== "rules") continue;
    const { tools, protect, prompts, reactions } = reading.rules;
    rules += tools.length + protect.length + prompts.length + reactions.length;
  }
  if (errors.length === 0)
    return { status: "ok", found: `${countText(rules, "rule")} in ${files.join(", ")}.` };
  return {
    status: "fail",
    found: `Rules files with errors are ignored: ${errors.join("; ")}.`,
    remedy: "Fix it; `hookline policy check` lists every error.",
  };
}

function checkTrust({ home }: CheckContext): Outcome {
  if (isTrustReadable(home.trust)) {
    const found = existsSync(home.trust)
      ? "The list of approved projects is readable."
      : "No project is approved yet.";
    return { status: "ok", found };
  }
  return {
    status: "fail",
    found: `${home.trust} is damaged: no project is trusted.`,
    remedy: "Delete it, then approve your projects again with `hookline trust`.",
  };
}

async function checkSdk(context: CheckContext): Promise<Outcome> {
  const { sdk } = await reportOf(context);
  if (sdk.message === null) return { status: "ok", found: `The Agent SDK is ${sdk.version}.` };
  const { model = null, modelVia = "sdk" } = context.config()?.memory ?? {};
  const isWanted = model !== null && modelVia === "sdk";
  // Not needed for recording only.
  if (!sdk.found && !isWanted) return { status: "skipped", found: sdk.message };
  const needs = isWanted ? "`memory.model` and `hookline run` need it" : "`hookline run` needs it";
  return { status: "warn", found: sdk.message, remedy: `Install it as shown; ${needs}.` };
}

async function checkClaude(context: CheckContext): Promise<Outcome> {
  const { sdk, claude } = await reportOf(context);
  if (sdk.message !== null) return noSdk;
  if (claude.message === null)
    return { status: "ok", found: `Driven sessions run ${claude.path} (${claude.version ?? "?"}).` };
  return { status: "warn", found: claude.message, remedy: "`hookline run` needs it." };
}

async function checkLogin(context: CheckContext): Promise<Outcome> {
  const { sdk, claude, usable, billing } = await reportOf(context);
  if (sdk.message !== null) return noSdk;
  if (claude.message !== null) return { status: "skipped", found: "Claude Code was not found." };
  // Not sharing a login with other programs is a choice, not a problem.
  if (!usable) return { status: "skipped", found: billing };
  const daemonOwn = await daemonReport(context, {});
  if (daemonOwn === null || daemonOwn.usable) return { status: "ok", found: billing };
  return {
    status: "warn",
    found: `${billing} Only in this terminal: ${daemonOwn.billing}`,
    remedy: "Run `hookline up --restart` to pass this terminal's login to the daemon.",
  };
}

const noSdk: Outcome = { status: "skipped", found: "The Agent SDK is not installed." };

/** As `hookline run` would report it from here: by a running daemon if any, because its PATH counts. */
async function reportOf(context: CheckContext): Promise<ClaudeReport> {
  const { agent, env, home, config } = context;
  const credentials = pickCredentials(env);
  const fromDaemon = await daemonReport(context, { credentials });
  if (fromDaemon !== null) return fromDaemon;
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
  const options = { method: "POST", body, timeoutMs: 12_000 };
  return askDaemon(home, ClaudeReport, "/api/control/claude", options).catch(() => null);
}

function checkProcesses({ env, platform }: CheckContext): Outcome {
  const watchdogText = "If the daemon dies, a watchdog stops driven agents and their child processes";
  if (platform !== "linux")
    return { status: "ok", found: `${watchdogText}; except processes that had already detached.` };
  const signalText =
    parentDeathPrefix(env).length > 0 ? "the kernel signals them, too (setpriv)" : "setpriv is not available";
  return { status: "ok", found: `${watchdogText}; ${signalText}.` };
}
