import { compareVersions } from "../compare-versions.ts";
import { findProgram } from "../files/find-program.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { versionOf } from "./programs.ts";

export const agentChecks: readonly Check[] = [
  { code: "agent_found", run: checkFound },
  { code: "agent_version", run: checkVersion },
];

function checkFound({ agent, env }: CheckContext): Outcome {
  const { name } = agent.installer.program;
  const path = findProgram([name], env["PATH"]);
  if (path !== null) return { status: "ok", found: `${agent.label} is ${path}.` };
  return {
    status: "warn",
    found: `${name} was not found on PATH.`,
    remedy: `Install ${agent.label}, or add its folder to PATH.`,
  };
}

async function checkVersion({ agent, env }: CheckContext): Promise<Outcome> {
  const { name, minVersion, updateCommand } = agent.installer.program;
  const path = findProgram([name], env["PATH"]);
  if (path === null) return { status: "skipped", found: `${name} was not found on PATH.` };
  const version = await versionOf(path, env);
  const remedy = `Update it with \`${updateCommand}\`.`;
  if (version === null)
    return { status: "warn", found: `${path} --version printed no version within 5 s.`, remedy };
  if (compareVersions(version, minVersion) >= 0)
    return { status: "ok", found: `${agent.label} is ${version}.` };
  return {
    status: "warn",
    found: `${agent.label} is ${version}; Hookline needs ${minVersion} or newer.`,
    remedy,
  };
}
