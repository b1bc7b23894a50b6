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
  let isOnlyInspection = true;
  let definingWords: readonly string[] = [];
  let message: string | null = null;
  let folder = cwd;

  for (const command of splitCommand(line)) {
    const wordSet = withoutPrefix(command.words);
    const [name = "", first = ""] = wordSet;
    if (name === "cd") {
      // The event's cwd may already be the one after the command.
      folder = isAbsolute(first) && isLiteral(first) ? first : null;
      continue;
    }
    const files = filesOf(command, wordSet);
    const absolutePath = (file: string): string | null =>
      isAbsolute(file) ? resolve(file) : folder === null ? null : resolve(folder, file);
    reads.push(...files.reads.map(absolutePath).filter((file) => file !== null));
    modifies.push(...files.modifies.map(absolutePath).filter((file) => file !== null));
    const commandKind = kindOf(wordSet, files.modifies.length > 0 || command.writes.some(isRealFile));
    if (commandKind === undefined) continue;
    if (commandKind !== "look") isOnlyInspection = false;
    if (commandKind === "commit") message = messageOf(wordSet) ?? hereDocumentMessage(line);
    if (definingWords.length === 0 || RANK[commandKind] > RANK[kind]) {
      kind = commandKind;
      definingWords = wordSet;
    }
  }
  if (kind === "look" && !isOnlyInspection) kind = "other";
  return {
    kind,
    words: definingWords,
    reads: [...new Set(reads)],
    modifies: [...new Set(modifies)],
    message,
  };
}

const RANK = { look: 0, other: 1, change: 2, commit: 3, test: 4 } as const;

/** Only reads its piped input and shows less of it or formats it differently. */
export function isFilter({ operator, words: wordSet }: SimpleCommand): boolean {
  const [name = ""] = withoutPrefix(wordSet);
  return operator === "|" && (INSPECTING.has(name) || name === "tee" || name === "less");
}

export function isInspection(wordSet: readonly string[]): boolean {
  return kindOf(wordSet, false) === "look";
}

/** Only prints or prepares something; the commands beside it determine the line's kind. */
export function isNeutral(wordSet: readonly string[]): boolean {
  const [name = ""] = wordSet;
  return name === "cd" || NEUTRAL.has(name);
}

/** Neither a filter nor a command that only prints or prepares something. */
export function isSubstantive(command: SimpleCommand): boolean {
  return !isFilter(command) && !isNeutral(withoutPrefix(command.words));
}

/** The commands that define a line; an inspection counts when alone or piped into more than a filter. */
export function substantiveCommands<Some extends SimpleCommand>(commands: readonly Some[]): readonly Some[] {
  const substantive = commands.filter(isSubstantive);
  const acting = substantive.filter((command) => {
    const stripped = withoutPrefix(command.words);
    return stripped.length > 0 && (!isInspection(stripped) || isPipedOn(commands, command));
  });
  return acting.length > 0 ? acting : substantive.length > 0 ? substantive : commands;
}

function isPipedOn(commands: readonly SimpleCommand[], command: SimpleCommand): boolean {
  const following = commands.slice(commands.indexOf(command) + 1);
  const end = following.findIndex(({ operator }) => operator !== "|");
  return (end < 0 ? following : following.slice(0, end)).some((next) => !isFilter(next));
}

/** Returns undefined for a command that does not affect the line's kind. */
function kindOf(wordSet: readonly string[], isWriting: boolean): ClassifiedCommand["kind"] | undefined {
  const [name = "", first = ""] = wordSet;
  if (isTestRun(wordSet)) return "test";
  if (name === "git") return gitKind(gitVerb(wordSet), isWriting);
  if (isWriting || CHANGING.has(name)) return "change";
  if (NEUTRAL.has(name)) return undefined;
  if (name === "sed" && wordSet.some((word) => /^-i|^--in-place/.test(word))) return "change";
  if (INSPECTING.has(name)) return "look";
  return INSPECTING.has(`${name} ${first}`) ? "look" : "other";
}

/** Skips git's own options. */
function gitVerb(wordSet: readonly string[]): string {
  let at = 1;
  while (wordSet[at]?.startsWith("-")) at += /^(?:-C|-c|--git-dir|--work-tree)$/.test(wordSet[at]!) ? 2 : 1;
  return wordSet[at] ?? "";
}

function gitKind(verb: string, isWriting: boolean): ClassifiedCommand["kind"] {
  if (verb === "commit") return "commit";
  if (GIT_INSPECTING.has(verb)) return isWriting ? "change" : "look";
  return GIT_CHANGING.has(verb) ? "change" : "other";
}

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const NEUTRAL = wordSet(
  "echo printf true : export set source . sleep pushd popd wait exit unset trap if then else fi do done",
);
const CHANGING = wordSet("mv cp rm touch mkdir rmdir ln chmod chown patch rename truncate install unzip tee");
const INSPECTING = new Set([
  ..."ls cat head tail less more wc find grep egrep rg ag fd tree stat file du df which type pwd whereis ps jq".split(" "),
  ..."sort uniq cut awk sed nl bat diff cmp md5sum sha256sum env printenv uname date readlink realpath tr column".split(" "),
  "npm ls", "npm view", "npm outdated", "docker ps", "docker logs", "docker images", "kubectl get",
  "kubectl describe", "kubectl logs", "gh pr", "gh issue", "gh run", "pip show", "pip list",
]); // biome-ignore format: a table
const GIT_INSPECTING = wordSet(
  "log diff show status blame branch grep ls-files ls-tree rev-parse remote describe reflog shortlog",
);
const GIT_CHANGING = wordSet(
  "merge rebase cherry-pick revert mv rm apply am restore reset stash tag switch checkout",
);

/** Runs tests: by the runner's own name, or through a script named so. */
export function isTestRun(wordSet: readonly string[]): boolean {
  const [name = "", first = "", second = ""] = wordSet;
  if (runsNothing(wordSet)) return false;
  if (RUNNERS.has(name)) return true;
  if (SCRIPT_RUNNERS.has(name)) {
    const script = first === "run" ? second : first;
    return (
      /^(?:t|tst|tests?|check)(?:[:\-_.].*)?$/.test(script) ||
      /^(?:unit|e2e|integration)(?:[:\-_]tests?)?$/.test(script)
    );
  }
  if (name === "make" || name === "just")
    return wordSet.some((word) => /^(?:tests?|check)(?:[-_:].*)?$/.test(word));
  if (name === "node") return wordSet.includes("--test");
  if (/^python[\d.]*$/.test(name)) return first === "-m" && (second === "pytest" || second === "unittest");
  return (
    TEST_SUBCOMMAND_TOOLS.has(name) &&
    wordSet.slice(1, 4).some((word) => word === "test" || word === "nextest")
  );
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
    .map((pattern) => `^(?:${pattern})$`)
    .join("|"),
  "i",
);

const RUNNERS = wordSet(
  "vitest jest mocha ava tap pytest py.test tox rspec phpunit ctest karma bats nosetests",
);
const SCRIPT_RUNNERS = wordSet("npm pnpm yarn bun");
const TEST_SUBCOMMAND_TOOLS = wordSet(
  "go cargo deno dotnet mvn gradle ./gradlew gradlew swift mix flutter playwright bazel zig ng",
);

/** Strips words that only say how another command is run. */
export function withoutPrefix(allWords: readonly string[]): readonly string[] {
  let at = 0;
  while (at < allWords.length) {
    const word = allWords[at]!;
    if (/^\w+=/.test(word) || PREFIXES.has(word)) at++;
    else if (CONDITIONS.has(word) && isTestRun(withoutPrefix(allWords.slice(at + 1)))) at++;
    else if (word === "timeout" || word === "nice") {
      at++;
      while (at < allWords.length && /^-|^[\d.]+[smhd]?$/.test(allWords[at]!)) at++;
    } else if (TWO_WORD_PREFIXES.has(`${word} ${allWords[at + 1]}`)) at += 2;
    else break;
    while (at > 0 && at < allWords.length && /^(?:-y|--yes|--no-install|--silent|-s)$/.test(allWords[at]!))
      at++;
  }
  const rest = allWords.slice(at);
  const name = rest[0];
  return name === undefined ? rest : [name.includes("/") ? basename(name) : name, ...rest.slice(1)];
}

const PREFIXES = wordSet("sudo env time xargs npx bunx command exec nohup xvfb-run stdbuf ! then do else");
/** Skipped before a test run: the line is about the tests, not about what they decide. */
const CONDITIONS = wordSet("if elif while until");
const TWO_WORD_PREFIXES = new Set([
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
function filesOf(command: SimpleCommand, wordSet: readonly string[]): Files {
  const writes = command.writes.filter(isRealFile);
  const [name = "", first = ""] = wordSet;
  const stripped = wordSet.slice(1).filter((word) => !word.startsWith("-") && isLiteral(word) && word !== "");
  const files = stripped.filter(hasExtension);
  if (READERS.has(name))
    return { reads: stripped.filter((word) => hasExtension(word) || word.includes("/")), modifies: writes };
  if (name === "sed") {
    const last = stripped.at(-1);
    const file = stripped.length > 1 && last !== undefined && hasExtension(last) ? [last] : [];
    const inPlace = wordSet.some((word) => /^-i|^--in-place/.test(word));
    return inPlace ? { reads: [], modifies: [...file, ...writes] } : { reads: file, modifies: writes };
  }
  if (name === "cp") return { reads: files.slice(0, -1), modifies: [...files.slice(-1), ...writes] };
  if (WRITERS.has(name)) return { reads: [], modifies: [...files, ...writes] };
  if (name === "git" && (first === "add" || first === "mv" || first === "rm"))
    return { reads: [], modifies: [...files, ...writes] };
  return { reads: [], modifies: writes };
}

const READERS = wordSet("cat head tail less more nl bat");
const WRITERS = wordSet("mv rm touch tee truncate");

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

function messageOf(wordSet: readonly string[]): string | null {
  const at = wordSet.findIndex((word) => /^-[a-z]*m$|^--message$/.test(word));
  const message = at < 0 ? undefined : wordSet[at + 1];
  return message === undefined || message.includes(EXPANSION_MARK) || message === ""
    ? null
    : (message.split("\n")[0] ?? null);
}

/** Returns the first line of a here-document, the usual way to pass a long message to `git commit`. */
function hereDocumentMessage(line: string): string | null {
  const start = /<<-?\s*['"]?\w{1,60}['"]?[^\n]{0,80}\n/.exec(line);
  if (start === null) return null;
  const from = start.index + start[0].length;
  const end = line.indexOf("\n", from);
  const first = line.slice(from, end < 0 ? undefined : end).trim();
  return first === "" ? null : first;
}
