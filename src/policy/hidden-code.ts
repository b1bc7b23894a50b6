import { posix } from "node:path";
import { NAME_ONLY_PROGRAMS } from "./command-files.ts";
import { judgeDanger } from "./dangerous-commands.ts";
import {
  createLeavesFileUnchanged,
  hasDanger,
  isWidePath,
  literalsIn,
  protectionOfLiteral,
} from "./dangerous-text.ts";
import { displayCommand } from "./display-command.ts";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import { stdinText } from "./killed-processes.ts";
import type { Locations } from "./locations.ts";
import { judgeNestedDanger } from "./nested-commands.ts";
import { ownFileOf, ownPathsIn } from "./own-files.ts";
import { codeTargetsHookline } from "./own-process.ts";
import { printedText } from "./shell/printed-text.ts";
import { readScript } from "./shell/read-script.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";
import { scriptsInText } from "./text-scripts.ts";

const DOWNLOADS = new Set(
  "curl wget fetch http https xh aria2c lynx w3m links nc ncat netcat socat ftp tftp scp sftp ssh gh gsutil aws".split(
    " ",
  ),
);

/** Interpreters, and their options that take code or a program to run. */
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
const MAX_NAME_LENGTH = 50;

/** Code that the text does not show, or that is embedded in another language: asked about in every mode. */
export function judgeHiddenCode(command: ShellCommand, locations: Locations): Finding | null {
  if (command.hiddenCode !== null) {
    const source = [...command.pipedFrom, ...command.substituted].find((each) => DOWNLOADS.has(each.name));
    if (source !== undefined)
      return ask(
        "run-downloaded",
        `${displayCommand(command)} would run code that ${displayCommand(source)} downloads.`,
      );
    if (command.hiddenCode === "stdin")
      return ask(
        "run-piped",
        `${displayCommand(command)} would run the output of other commands, which can't be checked in advance.`,
      );
    return command.name === "\u0000"
      ? ask("unknown-command", `The program that ${displayCommand(command)} runs is only known at run time.`)
      : ask("unknown-code", `The code that ${displayCommand(command)} runs is only known at run time.`);
  }
  const language = command.name
    .slice(0, MAX_NAME_LENGTH)
    .toLowerCase()
    .replace(/[\d.]+$/, "")
    .replace(/^(?:g|m|n)awk$/, "awk");
  const inline = Object.hasOwn(INTERPRETERS, language) ? INTERPRETERS[language] : undefined;
  if (inline === undefined && /^(?:nc|ncat|netcat)$/.test(command.name) && startsProgramOption(command))
    return ask("run-downloaded", `${displayCommand(command)} would let another machine run commands here.`);
  if (inline === undefined)
    return (
      judgeUnreadFile(command) ??
      judgeNestedDanger(command, locations) ??
      judgeFilesInCalls(command, locations)
    );
  return judgeStdinCode(command, inline) ?? judgeInlineCode(command, locations);
}

/** `nc h 1 -e sh` */
function startsProgramOption({ args }: ShellCommand): boolean {
  return args.some((word) => /^(?:-[a-z]*[ec]|--(?:exec|sh-exec|lua-exec)(?:=.*)?)$/.test(word.text));
}

/** They run the contents of a file. */
const RUNS_FILE =
  /^(?:g?make|just|task|rake|gdb|lldb|ansible-playbook|crontab|at|batch|expect|psql|sqlite3|mysql)$/;

/** `make -f <(curl …)`, `curl … | make -f -` */
function judgeUnreadFile(command: ShellCommand): Finding | null {
  if (!RUNS_FILE.test(command.name)) return null;
  const usesSubstitution = command.args.some((word) => word.isProcess);
  const isFed =
    /^(?:g?make|just|task|rake)$/.test(command.name) &&
    command.pipedFrom.length > 0 &&
    command.args.some((word) => /^-(?:f?-?|-file=-)$|^\/dev\/stdin$/.test(word.text));
  if ((!usesSubstitution && !isFed) || stdinText(command) !== "") return null;
  return ask(
    "run-piped",
    `${displayCommand(command)} would run the output of other commands, which can't be checked in advance.`,
  );
}

/** Their words contain patterns, or are for people. */
const NO_CALLS =
  /^(?:g?sed|jq|yq|rg|ag|ack|[a-z]*grep|git|gh|glab|say|notify-send|logger|curl|wget|xh|https?|vitest|jest|mocha|playwright)$/;

/** `duckdb -c "select * from read_text('.env')"`: a call with a string, in an unknown language. */
function judgeFilesInCalls(command: ShellCommand, locations: Locations): Finding | null {
  if (NO_CALLS.test(command.name) || NAME_ONLY_PROGRAMS.has(command.name)) return null;
  const codes = command.args.filter(
    (word, at) =>
      /\w\s*\(\s*["'`]/.test(word.text) &&
      !/^-(?:m|t|-message|-title|-body|-description)$/.test(command.args[at - 1]?.text ?? ""),
  );
  return mostSevere(
    codes.map(({ text }) => judgeCode(text, `the code of ${displayCommand(command)}`, locations)),
  );
}

function judgeStdinCode(command: ShellCommand, inline: RegExp): Finding | null {
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
    ? ask(
        "run-piped",
        `${displayCommand(command)} would run the output of other commands, which can't be checked in advance.`,
      )
    : ask(
        "run-downloaded",
        `${displayCommand(command)} would run code that ${displayCommand(source)} downloads.`,
      );
}

const REMOVES =
  /rmtree|rm_rf|rm_r|rmSync|\brm\(|rmdir|rimraf|unlink|remove|File\.delete|file"?\s{1,3}"?delete|deltree|delete[-_]?(?:directory|tree|file|recursive)|chmod|chown/i;
/** The user's home as an argument. */
const WHOLE_HOME =
  /(?:homedir\(\)|Path\.home\(\)|process\.env\.HOME|Dir\.home|(?:environ|ENV)\s{0,3}[[{(]["']?HOME["']?[\]})])\s*(?:[,);]|$)/;
/** Dangerous commands and protected files in the literals of another language's code. */
function judgeInlineCode(command: ShellCommand, locations: Locations): Finding | null {
  const words = command.args.map((word) => word.text);
  const texts = [...words, words.join(" "), stdinText(command)];
  const codes = UNQUOTED_STRINGS.test(command.name) ? [...texts, ...texts.map(withQuotes)] : texts;
  return mostSevere(
    codes.map((code) => judgeCode(code, `the code of ${displayCommand(command)}`, locations)),
  );
}

/** Languages in which strings need no quotes: `[open .env]`. */
const UNQUOTED_STRINGS = /^(?:tclsh|wish|expect)[\d.]*$/i;

function withQuotes(code: string): string {
  return code.replace(/(?<![\w"'./~$-])[\w./~-]+(?![\w"'])/g, '"$&"');
}

/** Past this many literals, only those that contain something like a command are read as scripts. */
const MAX_LITERALS_READ = 200;

/** What code of any language would do, as far as its literals show. */
export function judgeCode(code: string, location: string, locations: Locations): Finding | null {
  if (codeTargetsHookline(code, locations))
    return deny("own-daemon", `Something in ${location} would stop Hookline, which guards this session.`);
  const removes = REMOVES.test(code);
  if (hasDanger(code, locations) || (removes && WHOLE_HOME.test(code)))
    return ask("dangerous-inside", `Something in ${location} would delete or stop something essential.`);
  const leavesUnchanged = createLeavesFileUnchanged(code);
  const isGlob = /\bglob|\bDir\b|fnmatch|scandir|Files\.list/i.test(code);
  const judge = (literal: string, at: number): Finding | null => {
    if (removes && isWidePath(literal, locations))
      return ask("dangerous-inside", `Something in ${location} seems to delete ${literal}.`);
    if (!/\S\s+\S/.test(literal)) return judgeFile(literal, leavesUnchanged, location, locations, isGlob);
    if (at >= MAX_LITERALS_READ && scriptsInText(literal, "pieces").length === 0) return null;
    return readScript(literal, locations).commands.some((each) => judgeDanger(each, locations) !== null)
      ? ask("dangerous-inside", `Found "${literal}" in ${location}.`)
      : null;
  };
  return mostSevere(literalsIn(code).map(judge));
}

function judgeFile(
  literal: string,
  leavesUnchanged: (literal: string) => boolean,
  location: string,
  locations: Locations,
  isGlob: boolean,
): Finding | null {
  if (ownPathsIn(`/${literal}`, locations).some((path) => ownFileOf(path, locations) === "key"))
    return deny("own-file", `Found ${literal} in ${location}, which is reserved for Hookline.`);
  const protection = protectionOfLiteral(literal, locations, isGlob);
  if (protection === null || (protection.kind === "later" && leavesUnchanged(literal))) return null;
  const sentence = `Found ${posix.basename(literal)} in ${location}: ${protection.what}.`;
  if (protection.kind !== "own") return ask(protection.rule.slice("builtin/".length), sentence);
  return protection.file === "key" ? deny("own-file", sentence) : ask("own-file", sentence);
}
