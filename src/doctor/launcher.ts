import { existsSync, readFileSync } from "node:fs";
import { compareVersions } from "../compare-versions.ts";
import { isProgram } from "../files/find-program.ts";
import type { Home } from "../home.ts";
import { type LaunchTarget, writeLauncher } from "../hook/launcher.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { hasHooks } from "./hooks.ts";
import { versionOf } from "./programs.ts";
import { MIN_NODE } from "./runtime.ts";

export const launcherChecks: readonly Check[] = [
  { code: "launcher_target", run: checkTarget },
  { code: "launcher_node", run: checkNode },
];

async function checkTarget(context: CheckContext): Promise<Outcome> {
  const { home } = context;
  if (!(await hasHooks(context))) return { status: "skipped", found: "No hooks are installed." };
  const target = readLauncher(home);
  const problem = (found: string): Outcome => ({
    status: "fail",
    found: `Hooks cannot start the daemon: ${found}.`,
    remedy: "Run `hookline up` to rewrite it.",
    fix: () => rewrite(context),
  });
  if (target === "absent") return problem(`${home.launcher} is missing`);
  if (target === null) return problem(`${home.launcher} was not written by Hookline`);
  if (!isProgram(home.launcher)) return problem(`${home.launcher} cannot be executed`);
  const missing = [target.nodePath, target.entry].find((path) => !existsSync(path));
  if (missing !== undefined) return problem(`${home.launcher} points to ${missing}, which no longer exists`);
  return { status: "ok", found: `Hooks start ${target.entry}.` };
}

async function rewrite({ home, launch }: CheckContext): Promise<string> {
  const isNew = await writeLauncher(home, launch);
  return isNew ? `Wrote ${home.launcher}.` : `Made ${home.launcher} executable.`;
}

async function checkNode(context: CheckContext): Promise<Outcome> {
  const { home, env } = context;
  const target = readLauncher(home);
  if (target === "absent" || target === null || !existsSync(target.nodePath))
    return { status: "skipped", found: "The launcher does not name a Node." };
  const isCurrentNode = target.nodePath === process.execPath;
  const version = isCurrentNode ? process.versions.node : await versionOf(target.nodePath, env);
  if (version !== null && compareVersions(version, MIN_NODE) >= 0)
    return { status: "ok", found: `Hooks start the daemon with ${target.nodePath} (${version}).` };
  return {
    status: "fail",
    found: `Hooks would start the daemon with ${target.nodePath}, which is ${version === null ? "not a working Node" : `Node ${version}`}; ${MIN_NODE} is needed.`,
    remedy: "Run `hookline up` with a newer Node to rewrite the launcher.",
    fix: () => rewrite(context),
  };
}

/** What the launcher starts; null if we did not write it. */
export function readLauncher(home: Home): LaunchTarget | null | "absent" {
  let text: string;
  try {
    text = readFileSync(home.launcher, "utf8");
  } catch {
    return "absent";
  }
  const words = /^exec ('(?:[^']|'\\'')*') ('(?:[^']|'\\'')*') /m.exec(text);
  if (words === null) return null;
  const [nodePath, entry] = [words[1]!, words[2]!].map((word) => word.slice(1, -1).replaceAll(`'\\''`, "'"));
  return { nodePath: nodePath!, entry: entry! };
}
