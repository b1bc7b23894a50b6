import { posix } from "node:path";
import { dangerCarried } from "./carried-commands.ts";
import { NAMES_ONLY } from "./command-files.ts";
import { dangerOf } from "./dangerous-commands.ts";
import { createLeavesFile, hasDanger, isWide, literalsIn, protectionOfLiteral } from "./dangerous-text.ts";
import { fedText } from "./ending-processes.ts";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import { ownFileOf, ownPathsIn } from "./own-files.ts";
import { codeReachesHookline } from "./own-process.ts";
import type { Places } from "./places.ts";
import { printedText } from "./shell/printed-text.ts";
import { readScript } from "./shell/read-script.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";
import { shown } from "./shown-command.ts";

const DOWNLOADS = new Set(
  "curl wget fetch http https xh aria2c lynx w3m links nc ncat netcat socat ftp tftp scp sftp ssh gh gsutil aws".split(
    " ",
  ),
);

/** Interpreters, and the options that give them code or a program to run. */
const INTERPRETERS: Readonly<Record<string, RegExp>> = {
  python: /^-[a-zA-Z]*[cm]/,
  node: /^(?:-e|-p|-pe|--eval|--print|-r|--require|--import|--run)(?:=|$)/,
  perl: /^-[a-zA-Z]*[eE]/,
  ruby: /^-[a-zA-Z]*e/,
  php: /^(?:-r|-f|-S)/,
  lua: /^-e/,
  bun: /^(?:-e|--eval|run|x|test|install)/,
  deno: /^(?:eval|run|test|task)/,
  osascript: /^-e/,
  rscript: /^-e/,
  julia: /^-e/,
  ghc: /^-e/,
  emacs: /^--eval/,
  expect: /^-c/,
  tclsh: /^$/,
  awk: /^$/,
  elixir: /^-e/,
  erl: /^-eval/,
  groovy: /^-e/,
  scala: /^-e/,
  swift: /^-e/,
  raku: /^-e/,
  guile: /^-c/,
  racket: /^-e/,
  sbcl: /^--eval/,
  ghci: /^-e/,
  jshell: /^$/,
  pwsh: /^-(?:c|command)/i,
  powershell: /^-(?:c|command)/i,
  octave: /^--eval/,
  tsx: /^(?:-e|--eval)/,
  "ts-node": /^(?:-e|--eval)/,
  pypy: /^-[a-zA-Z]*c/,
  ipython: /^-[a-zA-Z]*c/,
};

/** Longer than the name of any interpreter. */
const LONGEST_NAME = 50;

/** Code that the text does not show, or that stands inside another language: asked about in every mode. */
export function hiddenCodeOf(command: ShellCommand, places: Places): Finding | null {
  if (command.unread !== null) {
    const source = [...command.pipedFrom, ...command.substituted].find((each) => DOWNLOADS.has(each.name));
    if (source !== undefined)
      return ask("run-downloaded", `${shown(command)} runs what ${shown(source)} gets from elsewhere.`);
    if (command.unread === "stdin")
      return ask("run-piped", `${shown(command)} runs what other commands print, which is known only then.`);
    return command.name === "\u0000"
      ? ask("unknown-command", `Which command ${shown(command)} is, is known only when it runs.`)
      : ask("unknown-code", `What ${shown(command)} runs is known only when it runs.`);
  }
  const language = command.name
    .slice(0, LONGEST_NAME)
    .toLowerCase()
    .replace(/[\d.]+$/, "")
    .replace(/^(?:g|m|n)awk$/, "awk");
  const inline = Object.hasOwn(INTERPRETERS, language) ? INTERPRETERS[language] : undefined;
  if (inline === undefined && /^(?:nc|ncat|netcat)$/.test(command.name) && handsOver(command))
    return ask("run-downloaded", `${shown(command)} lets another machine run commands here.`);
  if (inline === undefined)
    return runsUnread(command) ?? dangerCarried(command, places) ?? filesInCalls(command, places);
  return fedCode(command, inline) ?? dangerInside(command, places);
}

/** `nc h 1 -e sh` */
function handsOver({ args }: ShellCommand): boolean {
  return args.some((word) => /^(?:-[a-z]*[ec]|--(?:exec|sh-exec|lua-exec)(?:=.*)?)$/.test(word.text));
}

/** They run what stands in a file. */
const RUNS_FILE =
  /^(?:g?make|just|task|rake|gdb|lldb|ansible-playbook|crontab|at|batch|expect|psql|sqlite3|mysql)$/;

/** `make -f <(curl …)`, `curl … | make -f -` */
function runsUnread(command: ShellCommand): Finding | null {
  if (!RUNS_FILE.test(command.name)) return null;
  const isFilled = command.args.some((word) => word.isProcess);
  const isFed =
    /^(?:g?make|just|task|rake)$/.test(command.name) &&
    command.pipedFrom.length > 0 &&
    command.args.some((word) => /^-(?:f?-?|-file=-)$|^\/dev\/stdin$/.test(word.text));
  if ((!isFilled && !isFed) || fedText(command) !== "") return null;
  return ask("run-piped", `${shown(command)} runs what other commands print, which is known only then.`);
}

/** Their words have patterns in them, or are for people. */
const NO_CALLS =
  /^(?:g?sed|jq|yq|rg|ag|ack|[a-z]*grep|git|gh|glab|say|notify-send|logger|curl|wget|xh|https?|vitest|jest|mocha|playwright)$/;

/** `duckdb -c "select * from read_text('.env')"`: what looks like a call with a text, in a language that is not known. */
function filesInCalls(command: ShellCommand, places: Places): Finding | null {
  if (NO_CALLS.test(command.name) || NAMES_ONLY.has(command.name)) return null;
  const codes = command.args.filter(
    (word, at) =>
      /\w\s*\(\s*["'`]/.test(word.text) &&
      !/^-(?:m|t|-message|-title|-body|-description)$/.test(command.args[at - 1]?.text ?? ""),
  );
  return gravest(codes.map(({ text }) => judgeCode(text, `the code of ${shown(command)}`, places)));
}

function fedCode(command: ShellCommand, inline: RegExp): Finding | null {
  const process = command.args.find((word) => word.isProcess);
  const readsStdin = command.args.every(
    (word) =>
      word.text.startsWith("-") && !inline.test(word.text) && !/^-(?:v|V|-version|h|-help)$/.test(word.text),
  );
  const isFed =
    command.pipedFrom.length > 0 &&
    (command.pipedFrom.length > 1 || printedText(command.pipedFrom[0]!) === undefined);
  if (process === undefined && !(readsStdin && isFed && command.name !== "awk")) return null;
  const source = [...command.pipedFrom, ...command.substituted].find((each) => DOWNLOADS.has(each.name));
  return source === undefined
    ? ask("run-piped", `${shown(command)} runs what other commands print, which is known only then.`)
    : ask("run-downloaded", `${shown(command)} runs what ${shown(source)} gets from elsewhere.`);
}

const REMOVES =
  /rmtree|rm_rf|rm_r|rmSync|\brm\(|rmdir|rimraf|unlink|remove|File\.delete|file"?\s{1,3}"?delete|deltree|delete[-_]?(?:directory|tree|file|recursive)|chmod|chown/i;
/** All of a home, given as an argument. */
const HOME_GIVEN =
  /(?:homedir\(\)|Path\.home\(\)|process\.env\.HOME|Dir\.home|(?:environ|ENV)\s{0,3}[[{(]["']?HOME["']?[\]})])\s*(?:[,);]|$)/;
/** The texts inside code of another language that are dangerous commands or protected files. */
function dangerInside(command: ShellCommand, places: Places): Finding | null {
  const words = command.args.map((word) => word.text);
  const given = [...words, words.join(" "), fedText(command)];
  const codes = BARE.test(command.name) ? [...given, ...given.map(withQuotes)] : given;
  return gravest(codes.map((code) => judgeCode(code, `the code of ${shown(command)}`, places)));
}

/** Languages in which a text needs no quotes: `[open .env]`. */
const BARE = /^(?:tclsh|wish|expect)[\d.]*$/i;

function withQuotes(code: string): string {
  return code.replace(/(?<![\w"'./~$-])[\w./~-]+(?![\w"'])/g, '"$&"');
}

/** Past so many texts links are not followed, and no commands read; dangerous ones are found all the same. */
const MOST_FOLLOWED = 200;

/** What a piece of code of any language would do, as far as the texts in it show. */
export function judgeCode(code: string, where: string, places: Places): Finding | null {
  if (codeReachesHookline(code, places))
    return deny("own-daemon", `In ${where} stands what ends Hookline, which guards this session.`);
  const removes = REMOVES.test(code);
  if (hasDanger(code, places) || (removes && HOME_GIVEN.test(code)))
    return ask("dangerous-inside", `In ${where} stands what removes or ends what must not go.`);
  const leaves = createLeavesFile(code);
  const isGlob = /\bglob|\bDir\b|fnmatch|scandir|Files\.list/i.test(code);
  const judge = (literal: string, at: number): Finding | null => {
    const follows = at < MOST_FOLLOWED;
    if (follows && removes && isWide(literal, places))
      return ask("dangerous-inside", `In ${where} something seems to remove ${literal}.`);
    if (!/\S\s+\S/.test(literal)) return judgeFile(literal, leaves, where, places, { follows, isGlob });
    if (!follows) return null;
    return readScript(literal, places).commands.some((each) => dangerOf(each, places) !== null)
      ? ask("dangerous-inside", `In ${where} stands "${literal}".`)
      : null;
  };
  return gravest(literalsIn(code).map(judge));
}

function judgeFile(
  literal: string,
  leaves: (literal: string) => boolean,
  where: string,
  places: Places,
  how: { readonly follows: boolean; readonly isGlob: boolean },
): Finding | null {
  if (ownPathsIn(`/${literal}`, places).some((path) => ownFileOf(path, places) === "key"))
    return deny("own-file", `In ${where} stands ${literal}, which only Hookline itself may use.`);
  const protection = protectionOfLiteral(literal, places, how);
  if (protection === null || (protection.kind === "later" && leaves(literal))) return null;
  const sentence = `In ${where} stands ${posix.basename(literal)}, ${protection.what}.`;
  if (protection.kind !== "own") return ask(protection.rule.slice("builtin/".length), sentence);
  return protection.file === "key" ? deny("own-file", sentence) : ask("own-file", sentence);
}
