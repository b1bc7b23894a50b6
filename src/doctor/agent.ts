import type { Check, Outcome } from "./check.ts";
import { findProgram, isBefore, versionOf } from "./programs.ts";
import type { Situation } from "./situation.ts";

/** The oldest Claude Code that was seen to work. */
const KNOWN_TO_WORK = "2.1.197";

export const agentChecks: readonly Check[] = [
  { code: "agent_found", look: lookFound },
  { code: "agent_version", look: lookVersion },
];

function lookFound({ env }: Situation): Outcome {
  const path = findProgram("claude", env);
  if (path !== null) return { status: "ok", found: `Claude Code is ${path}.` };
  return {
    status: "warn",
    found: "No program claude was found on PATH.",
    remedy: "Install Claude Code, or put its folder on PATH, if you use it on this machine.",
  };
}

async function lookVersion({ env }: Situation): Promise<Outcome> {
  const path = findProgram("claude", env);
  if (path === null) return { status: "skipped", found: "No program claude was found on PATH." };
  const version = await versionOf(path, env);
  const remedy = "Update it with `claude update`.";
  if (version === null)
    return { status: "warn", found: `${path} --version told no version within 5 s.`, remedy };
  if (!isBefore(version, KNOWN_TO_WORK)) return { status: "ok", found: `Claude Code is ${version}.` };
  return {
    status: "warn",
    found: `Claude Code is ${version}; the oldest one known to work is ${KNOWN_TO_WORK}.`,
    remedy,
  };
}
