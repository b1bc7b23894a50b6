import { lstatSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type JoinedRules, joinLayers } from "../policy/layers.ts";
import type { RuleSource, ToolRule } from "../policy/rule.ts";
import { NO_RULES, type RuleProblem, type Rules, readRules } from "../policy/rules-file.ts";
import { createRulesTrust } from "./rules-trust.ts";

/** A file of rules that cannot be taken. */
export interface RulesTrouble {
  readonly file: string;
  readonly problems: readonly RuleProblem[];
  /** What it said before holds on; else nothing of it ever held here. */
  readonly holdsOn: boolean;
}

export interface FollowedRules {
  /** What holds now in a project, or in none; nearest first: of the session, the project, the user. */
  joined(projectPath: string | null, session?: readonly ToolRule[]): JoinedRules;
  /** Waits until it is known whether the rules of that project are trusted. Without it, its first moment has none. */
  prepare(projectPath: string | null): Promise<void>;
  troubles(): readonly RulesTrouble[];
}

export interface FollowOptions {
  /** `~/.hookline/rules.json`. */
  readonly userFile: string;
  /** Where approvals are kept. */
  readonly trustFile: string;
  /** Whether a person approved that project as it is now. */
  readonly isTrusted: (root: string) => Promise<boolean>;
  /** Told once for each version of a file that cannot be taken. */
  readonly onTrouble: (trouble: RulesTrouble) => void;
}

const MOST_PROJECTS = 1_000;
const MOST_BYTES = 1024 * 1024;

export function projectRulesFile(root: string): string {
  return join(root, ".hookline", "rules.json");
}

/** The rules as the files say now, without a restart: each is read again when it has changed. */
export function followRules({ userFile, trustFile, isTrusted, onTrouble }: FollowOptions): FollowedRules {
  const user = followFile(userFile, "user", onTrouble);
  const trust = createRulesTrust({
    look: isTrusted,
    read: (root) => readOrNull(projectRulesFile(root)),
    version: () => stampOf(trustFile),
  });
  const projects = new Map<string, FollowedFile>();
  const inProject = (root: string): { root: string; rules: Rules } | null => {
    const file = projectRulesFile(root);
    // In the home folder both are one file.
    if (resolve(file) === resolve(userFile)) return null;
    const known =
      projects.get(root) ?? followFile(file, "project", onTrouble, (text) => trust.isTrusted(root, text));
    if (!projects.has(root)) {
      if (projects.size >= MOST_PROJECTS) projects.clear();
      projects.set(root, known);
    }
    return { root, rules: known.rules() };
  };
  return {
    joined: (projectPath, session = []) =>
      joinLayers(
        { user: user.rules(), project: projectPath === null ? null : inProject(projectPath), session },
        projectPath,
      ),
    prepare: async (projectPath) => {
      const text = projectPath === null ? null : readOrNull(projectRulesFile(projectPath));
      if (text !== null) await trust.prepare(projectPath!, text);
    },
    troubles: () => [user, ...projects.values()].flatMap(({ trouble }) => trouble() ?? []),
  };
}

interface FollowedFile {
  rules(): Rules;
  trouble(): RulesTrouble | null;
}

function followFile(
  file: string,
  source: RuleSource,
  onTrouble: (trouble: RulesTrouble) => void,
  isTrusted: (text: string) => boolean = () => true,
): FollowedFile {
  let seen = "";
  let text: string | null = null;
  let taken: string | null = null;
  let rules = NO_RULES;
  let trouble: RulesTrouble | null = null;
  const fail = (problems: readonly RuleProblem[]): void => {
    trouble = { file, problems, holdsOn: rules !== NO_RULES };
    onTrouble(trouble);
  };
  const look = (): void => {
    const stamp = stampOf(file);
    if (stamp === seen) return;
    seen = stamp;
    text = null;
    // Also of one whose text is the same again: what is wrong with it is told, not forgotten.
    taken = null;
    trouble = null;
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
  const take = (now: string): void => {
    if (now === taken) return;
    taken = now;
    const reading = readRules(now, source);
    if (reading.type === "rules") rules = reading.rules;
    else fail(reading.problems);
  };
  return {
    rules() {
      look();
      if (text === null) return rules;
      // Asked each time: trust is given and taken back while the file stays as it is.
      if (!isTrusted(text)) return NO_RULES;
      take(text);
      return rules;
    },
    trouble: () => trouble,
  };
}

const NONE = "none";

function readLimited(file: string): string {
  const found = statSync(file);
  // Reading a pipe would wait for ever.
  if (!found.isFile()) throw new Error("it is not a file");
  if (found.size > MOST_BYTES) throw new Error("it is larger than 1 MB");
  return readFileSync(file, "utf8");
}

function readOrNull(file: string): string | null {
  try {
    return readLimited(file);
  } catch {
    return null;
  }
}

/** Another for another content of a file. */
export function stampOf(path: string): string {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? NONE : `${found.ino} ${found.mtimeNs} ${found.ctimeNs} ${found.size}`;
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return code !== "EACCES" && !isReachable(dirname(path)) ? NONE : code;
  }
}

/** Any text may be said to be a project's folder; what can be no folder has no rules. */
function isReachable(dir: string): boolean {
  try {
    return lstatSync(dir, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
