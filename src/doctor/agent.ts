import type { Check, Outcome } from "./check.ts";
import { findProgram, isBefore, versionOf } from "./programs.ts";
import type { Situation } from "./situation.ts";

export const agentChecks: readonly Check[] = [
  { code: "agent_found", look: lookFound },
  { code: "agent_version", look: lookVersion },
];

function lookFound({ agent, env }: Situation): Outcome {
  const { name } = agent.installer.program;
  const path = findProgram(name, env);
  if (path !== null) return { status: "ok", found: `${agent.label} is ${path}.` };
  return {
    status: "warn",
    found: `No program ${name} was found on PATH.`,
    remedy: `Install ${agent.label}, or put its folder on PATH, if you use it on this machine.`,
  };
}

async function lookVersion({ agent, env }: Situation): Promise<Outcome> {
  const { name, oldest, update } = agent.installer.program;
  const path = findProgram(name, env);
  if (path === null) return { status: "skipped", found: `No program ${name} was found on PATH.` };
  const version = await versionOf(path, env);
  const remedy = `Update it with \`${update}\`.`;
  if (version === null)
    return { status: "warn", found: `${path} --version told no version within 5 s.`, remedy };
  if (!isBefore(version, oldest)) return { status: "ok", found: `${agent.label} is ${version}.` };
  return {
    status: "warn",
    found: `${agent.label} is ${version}; the oldest one known to work is ${oldest}.`,
    remedy,
  };
}
