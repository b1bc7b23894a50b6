import { basename, isAbsolute, resolve } from "node:path";
import { EXPANSION_MARK, type SimpleCommand, splitCommand } from "./split-command.ts";

/** What a shell line does, as far as its words show it unambiguously. */
export interface ClassifiedCommand {
  readonly kind: "test" | "commit" | "change" | "look" | "other";
  /** The simple command that determines the line's kind, without prefixes such as `sudo` or `npx`. */
  readonly words: readonly string[];
  readonly reads: readonly string[];
  readonly modifies: readonly string[];
  /** The commit message, if the line contains it. */
  readonly message: string | null;
}

export function classifyCommand(line: string, cwd: string | null): ClassifiedCommand {
  const reads: string[] = [];
  const modifies: string[] = [];
  let kind: ClassifiedCommand["kind"] = "other";
  let isOnlyLooking = true;
  let best: readonly string[] = [];
  let message: string | null = null;
  let folder = cwd;

  for (const command of splitCommand(line)) {
    const words = withoutPrefix(command.words);
    const [name = "", first = ""] = words;
    if (name === "cd") {
      // The event's cwd may already be the one after the command.
      folder = isAbsolute(first) && isLiteral(first) ? first : null;
      continue;
    }
    const files = filesOf(command, words);
    const place = (file: string): string | null =>
      isAbsolute(file) ? resolve(file) : folder === null ? null : resolve(folder, file);
    reads.push(...files.reads.map(place).filter((file) => file !== null));
    modifies.push(...files.modifies.map(place).filter((file) => file !== null));
    const now = kindOf(words, files.modifies.length > 0 || command.writes.some(isRealFile));
    if (now === undefined) continue;
    if (now !== "look") isOnlyLooking = false;
    if (now === "commit") message = messageOf(words) ?? documentOf(line);
    if (best.length === 0 || RANK[now] > RANK[kind]) {
      kind = now;
      best = words;
    }
  }
  if (kind === "look" && !isOnlyLooking) kind = "other";
  return { kind, words: best, reads: [...new Set(reads)], modifies: [...new Set(modifies)], message };
}

const RANK = { look: 0, other: 1, change: 2, commit: 3, test: 4 } as const;

/** Only reads its piped input and shows less of it or formats it differently. */
export function isFilter({ operator, words }: SimpleCommand): boolean {
  const [name = ""] = withoutPrefix(words);
  return operator === "|" && (INSPECTING.has(name) || name === "tee" || name === "less");
}

export function isInspection(words: readonly string[]): boolean {
  return kindOf(words, false) === "look";
}

/** Only prints or prepares something; the commands beside it determine the line's kind. */
export function isNeutral(words: readonly string[]): boolean {
  const [name = ""] = words;
  return name === "cd" || NEUTRAL.has(name);
}

/** Neither a filter nor a command that only prints or prepares something. */
export function isSubstantive(command: SimpleCommand): boolean {
  return !isFilter(command) && !isNeutral(withoutPrefix(command.words));
}

/** The commands that define a line; an inspection counts when alone or piped into more than a filter. */
export function substantiveCommands<Some extends SimpleCommand>(commands: readonly Some[]): readonly Some[] {
  const own = commands.filter(isSubstantive);
  const done = own.filter((command) => {
    const plain = withoutPrefix(command.words);
    return plain.length > 0 && (!isInspection(plain) || feeds(commands, command));
  });
  return done.length > 0 ? done : own.length > 0 ? own : commands;
}

function feeds(commands: readonly SimpleCommand[], command: SimpleCommand): boolean {
  const behind = commands.slice(commands.indexOf(command) + 1);
  const end = behind.findIndex(({ operator }) => operator !== "|");
  return (end < 0 ? behind : behind.slice(0, end)).some((each) => !isFilter(each));
}

/** Returns undefined for a command that does not affect the line's kind. */
function kindOf(words: readonly string[], isWriting: boolean): ClassifiedCommand["kind"] | undefined {
  const [name = "", first = ""] = words;
  if (isTestRun(words)) return "test";
  if (name === "git") return gitKind(gitVerb(words), isWriting);
  if (isWriting || CHANGING.has(name)) return "change";
  if (NEUTRAL.has(name)) return undefined;
  if (name === "sed" && words.some((word) => /^-i|^--in-place/.test(word))) return "change";
  if (INSPECTING.has(name)) return "look";
  return INSPECTING.has(`${name} ${first}`) ? "look" : "other";
}

/** Skips git's own options. */
function gitVerb(words: readonly string[]): string {
  let at = 1;
  while (words[at]?.startsWith("-")) at += /^(?:-C|-c|--git-dir|--work-tree)$/.test(words[at]!) ? 2 : 1;
  return words[at] ?? "";
}

function gitKind(verb: string, isWriting: boolean): ClassifiedCommand["kind"] {
  if (verb === "commit") return "commit";
  if (GIT_INSPECTING.has(verb)) return isWriting ? "change" : "look";
  return GIT_CHANGING.has(verb) ? "change" : "other";
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const NEUTRAL = words(
  "echo printf true : export set source . sleep pushd popd wait exit unset trap if then else fi do done",
);
const CHANGING = words("mv cp rm touch mkdir rmdir ln chmod chown patch rename truncate install unzip tee");
const INSPECTING = new Set([
  ..."ls cat head tail less more wc find grep egrep rg ag fd tree stat file du df which type pwd whereis ps jq".split(" "),
  ..."sort uniq cut awk sed nl bat diff cmp md5sum sha256sum env printenv uname date readlink realpath tr column".split(" "),
  "npm ls", "npm view", "npm outdated", "docker ps", "docker logs", "docker images", "kubectl get",
  "kubectl describe", "kubectl logs", "gh pr", "gh issue", "gh run", "pip show", "pip list",
]); // biome-ignore format: a table
const GIT_INSPECTING = words(
  "log diff show status blame branch grep ls-files ls-tree rev-parse remote describe reflog shortlog",
);
const GIT_CHANGING = words(
  "merge rebase cherry-pick revert mv rm apply am restore reset stash tag switch checkout",
);

/** Runs tests: by the runner's own name, or through a script named so. */
export function isTestRun(words: readonly string[]): boolean {
  const [name = "", first = "", second = ""] = words;
  if (runsNothing(words)) return false;
  if (RUNNERS.has(name)) return true;
  if (SCRIPTED.has(name)) {
    const script = first === "run" ? second : first;
    return (
      /^(?:t|tst|tests?|check)(?:[:\-_.].*)?$/.test(script) ||
      /^(?:unit|e2e|integration)(?:[:\-_]tests?)?$/.test(script)
    );
  }
  if (name === "make" || name === "just")
    return words.some((word) => /^(?:tests?|check)(?:[-_:].*)?$/.test(word));
  if (name === "node") return words.includes("--test");
  if (/^python[\d.]*$/.test(name)) return first === "-m" && (second === "pytest" || second === "unittest");
  return TESTING.has(name) && words.slice(1, 4).some((word) => word === "test" || word === "nextest");
}

/** Only prints help, its version or the list of tests: no test runs. */
function runsNothing([name = "", first = "", ...rest]: readonly string[]): boolean {
  const args = [first, ...rest];
  if (args.some((word) => word === "-h" || word === "-V" || INFO_ONLY.test(word))) return true;
  if (name === "make" || name === "gmake" || name === "just")
    return args.some((word) => /^-[a-zA-Z]*n[a-zA-Z]*$/.test(word));
  if (name === "jest" || name === "vitest") return /^(?:list|init|-v)$/.test(first) || args.includes("-v");
  if (name === "ctest") return args.includes("-N");
  if (name === "tox") return args.some((word) => /^(?:l|list|-l|-a)$/.test(word));
  if (name === "go") return args.some((word) => /^-(?:list(?:=.*)?|c|n)$/.test(word));
  if (name === "cargo") return first === "nextest" && rest[0] === "list";
  if (name === "swift") return rest[0] === "list" || args.includes("-l");
  if (name === "gradle" || name === "gradlew") return args.includes("-m");
  return name === "dotnet" && args.includes("-t");
}

const INFO_ONLY = new RegExp(
  [
    "-help|--help(?:-.*|All)?|--?version",
    "--list(?!en)(?:[-=a-z].*)?|--dry-?run|--just-print|--recon|--collect-?only|--co|--no-?run",
    "--show-?(?:config|only|fixtures)(?:=.*)?|--clear-?cache|--init|--fixtures(?:-per-test)?|--markers|--setup-(?:plan|only)|--count",
    String.raw`-DskipTests(?:=true)?|-Dmaven\.test\.skip(?:=true)?`,
  ]
    .map((some) => `^(?:${some})$`)
    .join("|"),
  "i",
);

const RUNNERS = words(
  "vitest jest mocha ava tap pytest py.test tox rspec phpunit ctest karma bats nosetests",
);
const SCRIPTED = words("npm pnpm yarn bun");
const TESTING = words(
  "go cargo deno dotnet mvn gradle ./gradlew gradlew swift mix flutter playwright bazel zig ng",
);

/** Strips words that only say how another command is run. */
export function withoutPrefix(all: readonly string[]): readonly string[] {
  let at = 0;
  while (at < all.length) {
    const word = all[at]!;
    if (/^\w+=/.test(word) || PREFIXES.has(word)) at++;
    else if (CONDITIONS.has(word) && isTestRun(withoutPrefix(all.slice(at + 1)))) at++;
    else if (word === "timeout" || word === "nice") {
      at++;
      while (at < all.length && /^-|^[\d.]+[smhd]?$/.test(all[at]!)) at++;
    } else if (RUNS_OTHERS.has(`${word} ${all[at + 1]}`)) at += 2;
    else break;
    while (at > 0 && at < all.length && /^(?:-y|--yes|--no-install|--silent|-s)$/.test(all[at]!)) at++;
  }
  const rest = all.slice(at);
  const name = rest[0];
  return name === undefined ? rest : [name.includes("/") ? basename(name) : name, ...rest.slice(1)];
}

const PREFIXES = words("sudo env time xargs npx bunx command exec nohup xvfb-run stdbuf ! then do else");
/** Skipped before a test run: the line is about the tests, not about what they decide. */
const CONDITIONS = words("if elif while until");
const RUNS_OTHERS = new Set([
  "pnpm exec",
  "pnpm dlx",
  "yarn exec",
  "npm exec",
  "uv run",
  "poetry run",
  "bundle exec",
  "pipenv run",
]);

interface Files {
  readonly reads: readonly string[];
  readonly modifies: readonly string[];
}

/** Only files that the words name unambiguously. */
function filesOf(command: SimpleCommand, words: readonly string[]): Files {
  const writes = command.writes.filter(isRealFile);
  const [name = "", first = ""] = words;
  const plain = words.slice(1).filter((word) => !word.startsWith("-") && isLiteral(word) && word !== "");
  const files = plain.filter(hasExtension);
  if (READING.has(name))
    return { reads: plain.filter((word) => hasExtension(word) || word.includes("/")), modifies: writes };
  if (name === "sed") {
    const last = plain.at(-1);
    const file = plain.length > 1 && last !== undefined && hasExtension(last) ? [last] : [];
    const inPlace = words.some((word) => /^-i|^--in-place/.test(word));
    return inPlace ? { reads: [], modifies: [...file, ...writes] } : { reads: file, modifies: writes };
  }
  if (name === "cp") return { reads: files.slice(0, -1), modifies: [...files.slice(-1), ...writes] };
  if (WRITING.has(name)) return { reads: [], modifies: [...files, ...writes] };
  if (name === "git" && (first === "add" || first === "mv" || first === "rm"))
    return { reads: [], modifies: [...files, ...writes] };
  return { reads: [], modifies: writes };
}

const READING = words("cat head tail less more nl bat");
const WRITING = words("mv rm touch tee truncate");

function isLiteral(word: string): boolean {
  return !word.includes(EXPANSION_MARK) && !word.includes("\n") && word.length < 1_000;
}

function isRealFile(word: string): boolean {
  return (
    isLiteral(word) && word !== "" && !word.startsWith("/dev/") && !word.startsWith("&") && !/^\d$/.test(word)
  );
}

function hasExtension(word: string): boolean {
  return (
    /(?:^|[^/.])\.[A-Za-z][\w-]{0,11}$|(?:^|\/)\.[a-z][\w.-]+$/.test(word.slice(-64)) && !word.includes("://")
  );
}

function messageOf(words: readonly string[]): string | null {
  const at = words.findIndex((word) => /^-[a-z]*m$|^--message$/.test(word));
  const message = at < 0 ? undefined : words[at + 1];
  return message === undefined || message.includes(EXPANSION_MARK) || message === ""
    ? null
    : (message.split("\n")[0] ?? null);
}

/** Returns the first line of a here-document, the usual way to pass a long message to `git commit`. */
function documentOf(line: string): string | null {
  const start = /<<-?\s*['"]?\w{1,60}['"]?[^\n]{0,80}\n/.exec(line);
  if (start === null) return null;
  const from = start.index + start[0].length;
  const end = line.indexOf("\n", from);
  const first = line.slice(from, end < 0 ? undefined : end).trim();
  return first === "" ? null : first;
}
