import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { AppError } from "../app-error.ts";
import { loadConfig } from "../config.ts";
import { readPidFile } from "../files/pid-file.ts";
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

/** The policy in a project, or outside any. */
export type PolicyFor = (projectPath: string | null) => Promise<Policy>;

/** Whether a project's own rules count. */
type IsTrusted = Pick<Trust, "report">;

/** Uses the user's rules, or another file instead, plus a project's own rules if trusted. */
export function policyFromFile(home: Home, trust: IsTrusted, file: string | null): PolicyFor {
  const path = file === null ? home.rules : resolve(file);
  const reading = readRulesFile(path, home);
  return policyFromRules(
    home,
    trust,
    reading === null && file === null ? NO_RULES : requireRules(path, reading),
  );
}

/** Uses these rules instead of the user's. */
export function policyFromRules(home: Home, trust: IsTrusted, user: Rules): PolicyFor {
  const policies = new Map<string | null, Promise<Policy>>();
  const join = async (root: string | null): Promise<Policy> => {
    const projectRules = root === null ? null : await readProjectRules(home, trust, root);
    const project =
      root === null || projectRules?.rules == null || !projectRules.trusted
        ? null
        : { root, rules: projectRules.rules };
    const { policy } = joinLayers({ user, project, session: [] }, root);
    return { ...policy, own: ownHome(home) };
  };
  return (projectPath) => {
    const policy = policies.get(projectPath) ?? join(projectPath);
    policies.set(projectPath, policy);
    return policy;
  };
}

/** Same as in the daemon: our own home, wherever it is, and the configured or served port. */
function ownHome(home: Home): OwnHome {
  return {
    dir: home.dir,
    port: servedPort(home) ?? loadConfig(home).config.port,
    pid: readPidFile(home),
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

/** A project's own rules and whether they count; null if it has none. */
export async function readProjectRules(
  home: Home,
  trust: IsTrusted,
  root: string,
): Promise<{ file: string; rules: Rules; trusted: boolean } | null> {
  const file = projectRulesFile(root);
  if (resolve(file) === resolve(home.rules)) return null;
  const reading = readRulesFile(file, home);
  if (reading === null) return null;
  const { trusted } = await trust.report(root);
  // Errors in untrusted rules are ignored: they don't apply anyway.
  if (!trusted) return { file, rules: reading.type === "rules" ? reading.rules : NO_RULES, trusted };
  return { file, rules: requireRules(file, reading), trusted };
}

/** Reads a rules file in its current state; null if there is none. */
export function readRulesFile(file: string, home: Home): RulesReading | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new AppError("rules_unreadable", `${file} cannot be read: ${message}`);
  }
  return readRules(text, ruleSourceOf(file, home));
}

/** Returns the rules of a valid file, or throws what is wrong. */
export function requireRules(file: string, reading: RulesReading | null): Rules {
  if (reading === null) throw new AppError("rules_unreadable", `there is no file ${file}`);
  if (reading.type === "rules") return reading.rules;
  const lines = reading.problems.map((problem) => ruleProblemText(file, problem));
  throw new AppError("rules_invalid", `the rules are invalid, so none of them applies:\n${lines.join("\n")}`);
}

export function ruleProblemText(file: string, { line, column, message }: RuleProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** Derived from its path: a project's `.hookline`, unless that is the home itself. */
export function ruleSourceOf(file: string, home: Home): RuleSource {
  const path = resolve(file);
  const isProject =
    path !== resolve(home.rules) &&
    basename(path) === "rules.json" &&
    basename(dirname(path)) === ".hookline";
  return isProject ? "project" : "user";
}
