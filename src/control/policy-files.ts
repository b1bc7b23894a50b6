import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { AppError } from "../app-error.ts";
import { loadConfig } from "../config.ts";
import { namedPid } from "../files/pid-file.ts";
import type { Home } from "../home.ts";
import { joinLayers } from "../policy/layers.ts";
import type { OwnHome, Policy, RuleSource } from "../policy/rule.ts";
import {
  NO_RULES,
  type RuleProblem,
  type Rules,
  type RulesReading,
  readRules,
} from "../policy/rules-file.ts";
import { projectRulesFile } from "./follow-rules.ts";
import type { Trust } from "./trust/trust.ts";

/** The policy in a project, or in none. */
export type PolicyFor = (projectPath: string | null) => Promise<Policy>;

/** Whether what a project says counts. */
type IsTrusted = Pick<Trust, "report">;

/** By the user's rules, or by another file in their place; and by a project's own where that is trusted. */
export function policyOf(home: Home, trust: IsTrusted, file: string | null): PolicyFor {
  const path = file === null ? home.rules : resolve(file);
  const reading = readRulesFile(path, home);
  return policyBy(home, trust, reading === null && file === null ? NO_RULES : rulesOf(path, reading));
}

/** By these rules in the place of the user's. */
export function policyBy(home: Home, trust: IsTrusted, user: Rules): PolicyFor {
  const known = new Map<string | null, Promise<Policy>>();
  const join = async (root: string | null): Promise<Policy> => {
    const own = root === null ? null : await projectRules(home, trust, root);
    const project = root === null || own?.rules == null || !own.trusted ? null : { root, rules: own.rules };
    const { policy } = joinLayers({ user, project, session: [] }, root);
    return { ...policy, own: ownHome(home) };
  };
  return (projectPath) => {
    const policy = known.get(projectPath) ?? join(projectPath);
    known.set(projectPath, policy);
    return policy;
  };
}

/** As the daemon has it: our own home, wherever it lies, and the port that is configured or served. */
function ownHome(home: Home): OwnHome {
  return {
    dir: home.dir,
    port: servedPort(home) ?? loadConfig(home).config.port,
    pid: namedPid(home),
  };
}

function servedPort(home: Home): number | null {
  try {
    const { port } = JSON.parse(readFileSync(home.daemonJson, "utf8")) as { port?: unknown };
    return typeof port === "number" ? port : null;
  } catch {
    return null;
  }
}

/** What a project says itself, and whether that counts; null when it says nothing. */
export async function projectRules(
  home: Home,
  trust: IsTrusted,
  root: string,
): Promise<{ file: string; rules: Rules; trusted: boolean } | null> {
  const file = projectRulesFile(root);
  if (resolve(file) === resolve(home.rules)) return null;
  const reading = readRulesFile(file, home);
  if (reading === null) return null;
  const { trusted } = await trust.report(root);
  // Nobody asked for what is not trusted: it may be wrong.
  if (!trusted) return { file, rules: reading.type === "rules" ? reading.rules : NO_RULES, trusted };
  return { file, rules: rulesOf(file, reading), trusted };
}

/** A file of rules as it is now; null when there is none. */
export function readRulesFile(file: string, home: Home): RulesReading | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new AppError("rules_unreadable", `${file} cannot be read: ${message}`);
  }
  return readRules(text, sourceOf(file, home));
}

/** The rules of a file that is there and right, or the sentence that says what is not. */
export function rulesOf(file: string, reading: RulesReading | null): Rules {
  if (reading === null) throw new AppError("rules_unreadable", `there is no file ${file}`);
  if (reading.type === "rules") return reading.rules;
  const lines = reading.problems.map((problem) => problemLine(file, problem));
  throw new AppError(
    "rules_invalid",
    `the rules are not right, and none of them holds:\n${lines.join("\n")}`,
  );
}

export function problemLine(file: string, { line, column, message }: RuleProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** By where it lies: the `.hookline` of a project, unless that is the home itself. */
export function sourceOf(file: string, home: Home): RuleSource {
  const path = resolve(file);
  const isProject =
    path !== resolve(home.rules) &&
    basename(path) === "rules.json" &&
    basename(dirname(path)) === ".hookline";
  return isProject ? "project" : "user";
}
