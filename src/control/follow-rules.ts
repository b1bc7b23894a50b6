import { lstatSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type JoinedRules, joinLayers } from "../policy/layers.ts";
import type { RuleSource, ToolRule } from "../policy/rule.ts";
import { NO_RULES, type RuleProblem, type Rules, readRules } from "../policy/rules-file.ts";
import { createRulesTrust } from "./rules-trust.ts";

/** A rules file that cannot be applied. */
export interface RulesError {
  readonly file: string;
  readonly problems: readonly RuleProblem[];
  /** True if its previous content stays in force; false if none of it was ever in force here. */
  readonly previousInForce: boolean;
}

export interface FollowedRules {
  /** The rules in force in a project, or outside any; nearest first: session, project, user. */
  joined(projectPath: string | null, session?: readonly ToolRule[]): JoinedRules;
  /** Waits until trust in that project's rules is known. Without it, they don't apply at first. */
  prepare(projectPath: string | null): Promise<void>;
  errors(): readonly RulesError[];
}

export interface FollowRulesOptions {
  /** `~/.hookline/rules.json`. */
  readonly userFile: string;
  /** Where approvals are stored. */
  readonly trustFile: string;
  /** Whether a person approved that project in its current state. */
  readonly isTrusted: (root: string) => Promise<boolean>;
  /** Called once for each version of a file that cannot be applied. */
  readonly onError: (currentError: RulesError) => void;
}

const MAX_PROJECTS = 1_000;
const MAX_BYTES = 1024 * 1024;

export function projectRulesFile(root: string): string {
  return join(root, ".hookline", "rules.json");
}

/** Follows the rules files without a restart: each is read again when it changes. */
export function followRules({ userFile, trustFile, isTrusted, onError }: FollowRulesOptions): FollowedRules {
  const user = followFile(userFile, "user", onError);
  const trust = createRulesTrust({
    checkProject: isTrusted,
    read: (root) => readOrNull(projectRulesFile(root)),
    version: () => fileStamp(trustFile),
  });
  const projects = new Map<string, FollowedFile>();
  const projectLayer = (root: string): { root: string; rules: Rules } | null => {
    const file = projectRulesFile(root);
    // In the home folder, both are the same file.
    if (resolve(file) === resolve(userFile)) return null;
    const known =
      projects.get(root) ?? followFile(file, "project", onError, (text) => trust.isTrusted(root, text));
    if (!projects.has(root)) {
      if (projects.size >= MAX_PROJECTS) projects.clear();
      projects.set(root, known);
    }
    return { root, rules: known.rules() };
  };
  return {
    joined: (projectPath, session = []) =>
      joinLayers(
        { user: user.rules(), project: projectPath === null ? null : projectLayer(projectPath), session },
        projectPath,
      ),
    prepare: async (projectPath) => {
      const text = projectPath === null ? null : readOrNull(projectRulesFile(projectPath));
      if (text !== null) await trust.prepare(projectPath!, text);
    },
    errors: () => [user, ...projects.values()].flatMap(({ error: currentError }) => currentError() ?? []),
  };
}

interface FollowedFile {
  rules(): Rules;
  error(): RulesError | null;
}

function followFile(
  file: string,
  source: RuleSource,
  onError: (currentError: RulesError) => void,
  isTrusted: (text: string) => boolean = () => true,
): FollowedFile {
  let lastStamp = "";
  let text: string | null = null;
  let parsedText: string | null = null;
  let rules = NO_RULES;
  let currentError: RulesError | null = null;
  const fail = (problems: readonly RuleProblem[]): void => {
    currentError = { file, problems, previousInForce: rules !== NO_RULES };
    onError(currentError);
  };
  const refresh = (): void => {
    const stamp = fileStamp(file);
    if (stamp === lastStamp) return;
    lastStamp = stamp;
    text = null;
    // Also if the text is unchanged, so that its errors are reported again instead of forgotten.
    parsedText = null;
    currentError = null;
    if (stamp === NONE) {
      rules = NO_RULES;
      return;
    }
    try {
      text = readLimited(file);
    } catch (error) {
      fail([{ line: 1, column: 1, message: `cannot be read: ${(error as Error).message}` }]);
    }
  };
  const parse = (newText: string): void => {
    if (newText === parsedText) return;
    parsedText = newText;
    const reading = readRules(newText, source);
    if (reading.type === "rules") rules = reading.rules;
    else fail(reading.problems);
  };
  return {
    rules() {
      refresh();
      if (text === null) return rules;
      // Checked every time: trust can be granted or revoked while the file stays the same.
      if (!isTrusted(text)) return NO_RULES;
      parse(text);
      return rules;
    },
    error: () => currentError,
  };
}

const NONE = "none";

function readLimited(file: string): string | null {
  // The file rarely exists, and a thrown error costs 30 times as much as the check.
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  // Reading a pipe would block forever.
  if (!stats.isFile()) throw new Error("it is not a file");
  if (stats.size > MAX_BYTES) throw new Error("it is larger than 1 MB");
  return readFileSync(file, "utf8");
}

function readOrNull(file: string): string | null {
  try {
    return readLimited(file);
  } catch {
    return null;
  }
}

/** Differs when the content of a file changes. */
export function fileStamp(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? NONE : `${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.size}`;
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return code !== "EACCES" && !isReachable(dirname(path)) ? NONE : code;
  }
}

/** A caller may send any text as a project folder; one that cannot be a folder has no rules. */
function isReachable(dir: string): boolean {
  try {
    return lstatSync(dir, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
