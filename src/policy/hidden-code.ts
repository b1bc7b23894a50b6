import { posix } from "node:path";
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
  awk: /^$/,
};

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
  const language = command.name.replace(/[\d.]+$/, "").replace(/^(?:g|m|n)awk$/, "awk");
  const inline = Object.hasOwn(INTERPRETERS, language) ? INTERPRETERS[language] : undefined;
  if (inline === undefined) return CARRIERS.has(command.name) ? dangerCarried(command, places) : null;
  return fedCode(command, inline) ?? dangerInside(command, places);
}

/** They give a command in their words to somebody else. */
const CARRIERS = new Set([
  "ssh",
  "tmux",
  "screen",
  "tar",
  "rsync",
  "make",
  "entr",
  "git",
  "vim",
  "vi",
  "nvim",
]);

function dangerCarried(command: ShellCommand, places: Places): Finding | null {
  const isMessage =
    command.name === "git" && command.args.some((word) => /^(?:commit|tag|notes|log|grep)$/.test(word.text));
  if (isMessage) return null;
  const texts = command.args.map((word) => word.text);
  const scripts = [
    ...texts.filter((text) => /\s/.test(text)).map((text) => text.replace(/^-[^\s=]*=|^[:!]+/g, "")),
    ...(command.name === "ssh" ? [1, 2, 3].map((from) => texts.slice(from).join(" ")) : []),
    ...command.redirects.map((each) => each.text ?? ""),
  ];
  const isDangerous = (script: string): boolean =>
    readScript(script, places).commands.some((each) => dangerOf(each, places)?.verdict === "deny");
  return scripts.some(isDangerous)
    ? ask("dangerous-inside", `${shown(command)} passes a dangerous command on.`)
    : null;
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

const REMOVES = /rmtree|rm_rf|rm_r|rmSync|\brm\(|rmdir|unlink|remove|deltree|chmod|chown/i;
const asWord = (text: string): ShellWord => ({
  ...literalWord(text),
  isGlob: /[*?[]/.test(text),
});
const LITERAL = /(["'`])((?:\\.|(?!\1)[^\\\n]){1,2000})\1/g;
const MOST_LITERALS = 200;

/** The texts inside code of another language that are dangerous commands or protected files. */
function dangerInside(command: ShellCommand, places: Places): Finding | null {
  const fed = command.pipedFrom.length === 1 ? printedText(command.pipedFrom[0]!) : undefined;
  const codes = [
    ...command.args.map((word) => word.text),
    ...command.redirects.map((each) => each.text ?? ""),
    fed ?? "",
  ].filter((code) => /["'`]/.test(code));
  for (const code of codes) {
    for (const [, , literal = ""] of [...code.slice(0, 100_000).matchAll(LITERAL)].slice(0, MOST_LITERALS)) {
      if (REMOVES.test(code) && reachOf(asWord(literal), places, [places.cwd]) === "wide")
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
