import { posix } from "node:path";
import { dangerCarried, isDangerous, scriptOfWords } from "./carried-commands.ts";
import { literalsIn } from "./code-literals.ts";
import { dangerOf, shown } from "./dangerous-commands.ts";
import { ask, type Finding } from "./finding.ts";
import { type Places, pathsOf } from "./places.ts";
import { protectionOf } from "./protected-files.ts";
import { printedText } from "./shell/printed-text.ts";
import { readScript } from "./shell/read-script.ts";
import { literalWord, type ShellCommand, type ShellWord } from "./shell/shell-reading.ts";
import { reachOf } from "./wide-targets.ts";

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
  if (inline === undefined) return dangerCarried(command, places);
  return fedCode(command, inline) ?? dangerInside(command, places);
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
  /rmtree|rm_rf|rm_r|rmSync|\brm\(|rmdir|rimraf|unlink|remove|File\.delete|deltree|chmod|chown/i;
/** All of a home, given as an argument. */
const HOME_GIVEN =
  /(?:homedir\(\)|Path\.home\(\)|process\.env\.HOME|Dir\.home|(?:environ|ENV)\[.HOME.\])\s*[,)]/;
/** A removal as words, whatever is around it. */
const PLAIN_REMOVAL = /\brm\s+-[^\n"'`)\]};|&]+/g;
const asWord = (text: string): ShellWord => ({
  ...literalWord(text),
  isGlob: /[*?[]/.test(text),
});

/** The texts inside code of another language that are dangerous commands or protected files. */
function dangerInside(command: ShellCommand, places: Places): Finding | null {
  const fed = command.pipedFrom.length === 1 ? printedText(command.pipedFrom[0]!) : undefined;
  const codes = [
    ...command.args.map((word) => word.text),
    ...command.redirects.map((each) => each.text ?? ""),
    fed ?? "",
  ].filter((code) => /["'`]|\brm\s/.test(code) || HOME_GIVEN.test(code));
  for (const given of codes) {
    // Two literals that are put together are one.
    const code = given.replace(/(["'])\s*\+\s*\1/g, "");
    const literals = literalsIn(code);
    const removes = REMOVES.test(code);
    const listed = literals.slice(literals.findIndex((text) => /^(?:\/\S*\/)?rm$/.test(text)));
    const removals = [...code.matchAll(PLAIN_REMOVAL)].map(([text]) => text);
    if (isDangerous([...removals, scriptOfWords(listed)], places) || (removes && HOME_GIVEN.test(code)))
      return ask("dangerous-inside", `The code of ${shown(command)} seems to remove what must not go.`);
    for (const literal of literals) {
      if (removes && reachOf(asWord(literal), places, [places.cwd]) === "wide")
        return ask("dangerous-inside", `The code of ${shown(command)} seems to remove ${literal}.`);
      const isCommand = /\S\s+\S/.test(literal);
      if (isCommand && readScript(literal, places).commands.some((each) => dangerOf(each, places) !== null))
        return ask("dangerous-inside", `Inside the code of ${shown(command)} stands "${literal}".`);
      if (isCommand || !/[./]/.test(literal)) continue;
      const protection = pathsOf(literal, places)
        .map((path) => protectionOf(path, places))
        .find((each) => each !== null);
      if (protection !== undefined)
        return ask(
          protection.rule.slice("builtin/".length),
          `Inside the code of ${shown(command)} stands ${posix.basename(literal)}, ${protection.what}.`,
        );
    }
  }
  return null;
}
