import { quoteWord } from "../shell/quote-word.ts";
import { NAME_ONLY_PROGRAMS } from "./command-files.ts";
import { judgeDanger } from "./dangerous-commands.ts";
import { hasDanger, literalsIn, quotedTextsIn } from "./dangerous-text.ts";
import { displayCommand } from "./display-command.ts";
import { ask, type Finding } from "./finding.ts";
import { stdinText } from "./killed-processes.ts";
import type { Locations } from "./locations.ts";
import { isTextOnlyCommand } from "./own-searches.ts";
import { commandsRunBySed } from "./sed-commands.ts";
import { printedText } from "./shell/printed-text.ts";
import { readScript } from "./shell/read-script.ts";
import { type ShellCommand, UNKNOWN } from "./shell/shell-reading.ts";
import { SHELLS, WRAPPERS } from "./shell/wrappers.ts";
import { reachOf } from "./wide-targets.ts";

/** They may run one of their words, or their stdin, as a command. */
const CARRIERS = new Set(
  "ssh mosh ftp sftp lftp telnet tmux screen tar bsdtar rsync make gmake npm pnpm yarn entr git vim vi nvim ex ed less man gdb lldb sqlite3 mysql psql zip socat nc ncat just task rake concurrently hyperfine nodemon watchexec nix nix-shell vagrant pwsh powershell cmd wsl docker podman kubectl bind".split(
    " ",
  ),
);

/** Their words are text or names. */
const TEXT_PROGRAMS = new Set(
  "echo printf grep egrep fgrep rg ag ack which type whereis command man apropos help tldr info apt apt-get brew dnf yum pacman alias export test [ [[ history set cd ls stat file cat head tail wc basename dirname say notify-send logger gh".split(
    " ",
  ),
);

/** They start a command wherever they occur in another command's words. */
const STARTS_NESTED = /^(?:rm|rimraf|srm|shred|find|dd|chmod|chown|mkfs(?:\..+)?|sudo|env|xargs|eval)$/;

/** A dangerous command that another command runs: as its last words, inside a word, or on stdin. */
export function judgeNestedDanger(command: ShellCommand, locations: Locations): Finding | null {
  if ((TEXT_PROGRAMS.has(command.name) && !CARRIERS.has(command.name)) || isTextOnlyCommand(command))
    return null;
  const scripts = [
    ...lastWords(command),
    ...(CARRIERS.has(command.name) && !isMessageCommand(command) ? codeIn(command) : []),
    ...(/^g?sed$/.test(command.name) ? commandsRunBySed(command) : []),
  ];
  const stdin = CARRIERS.has(command.name) && !isMessageCommand(command) ? [stdinText(command)] : [];
  if (
    isDangerous(scripts, locations) ||
    [...phrasesOf(command), ...stdin].some((text) => hasDanger(text, locations))
  )
    return ask("dangerous-inside", `${displayCommand(command)} would run a dangerous command.`);
  return looksLikeRemoval(command, locations)
    ? ask("dangerous-inside", `${displayCommand(command)} looks like rm under another name.`)
    : judgeWideMount(command, locations);
}

/** Their value is text for people, or a pattern. */
const TEXT_OPTION =
  /^(?:-m|-t|-k|-g|--(?:message|title|body|description|comment|summary|notes?|subject|grep|filter|testNamePattern|test-name-pattern|name|text|reason|label|regexp))$/;
const EVALUATES = /^(?:osascript|emacs|emacsclient|expect|gdb|lldb|nvim|vim|vi|ex|tmux|screen)$/;

/** They run code from stdin. */
const READS_CODE_FROM_STDIN =
  /^(?:python|node|perl|ruby|php|lua|luajit|bun|deno|tclsh|expect|raku|elixir|julia|rscript|pypy|ipython|tsx|just|task|rake|awk|gawk|mawk|groovy|guile)[\d.]*$/i;

/** The multi-word arguments that a program may run or pass on. */
function phrasesOf(command: ShellCommand): readonly string[] {
  const printsText = TEXT_PROGRAMS.has(command.name) && !CARRIERS.has(command.name);
  if (printsText || isMessageCommand(command) || /^g?sed$|^jq$/.test(command.name)) return [];
  return command.args.flatMap((word, at) => {
    if (!/[\s"'`(]/.test(word.text)) return [];
    const before = command.args[at - 1]?.text ?? "";
    if (TEXT_OPTION.test(before) && !EVALUATES.test(command.name)) return [];
    // `-H'ls -l'`: the value directly follows the letter.
    return /^-[a-zA-Z]\S/.test(word.text) ? [word.text, word.text.slice(2)] : [word.text];
  });
}

/** They run commands on another machine, with other files. */
const RUNS_REMOTELY =
  /^(?:ssh|mosh|docker|podman|nerdctl|kubectl|oc|vagrant|wsl|lxc|incus|adb|heroku|fly|flyctl|gcloud|az|aws)$/;
/** What precedes a command in the input of vim, gdb, psql, expect or socat. */
const BEFORE_COMMAND =
  /^(?:--?[\w-]+=|[A-Za-z-]+[:=](?!\/\/))*[\s:!+;@&\\.("'`]*(?:(?:shell|system|execute(?:-silent)?|exec|reload|become|preview|spawn|run|silent|call|send|eval|term|terminal|make|do)!?[\s("'`!]+)*/i;

/** What a program would run here, as scripts: their files count as if named directly. */
export function nestedScripts(command: ShellCommand): readonly string[] {
  if (isTextOnlyCommand(command)) return [];
  const isLocal = command.args.some((word) =>
    /^(?:[\w.-]+@)?(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(word.text),
  );
  if (
    TEXT_PROGRAMS.has(command.name) ||
    (RUNS_REMOTELY.test(command.name) && !isLocal) ||
    isMessageCommand(command)
  )
    return [...startedBySsh(command), ...startedByMan(command)];
  const phrases = phrasesOf(command);
  const isFed =
    CARRIERS.has(command.name) ||
    EVALUATES.test(command.name) ||
    READS_CODE_FROM_STDIN.test(command.name) ||
    command.args.some((word) => word.isProcess);
  const stdin = isFed ? [stdinText(command)] : [];
  const keys = /^(?:tmux|screen)$/.test(command.name) ? [typedKeys(command)] : [];
  const codes = [...phrases, ...stdin];
  // `git rm` is git's own; `git bisect run rm` is not.
  const isOwnVerb =
    command.name === "git" && !command.args.some((word) => /^(?:run|foreach|-x|--exec)$/.test(word.text));
  const words = NAME_ONLY_PROGRAMS.has(command.name) || isOwnVerb ? [] : lastWords(command, STARTS_PROGRAM);
  const bySed = /^g?sed$/.test(command.name) ? commandsRunBySed(command) : [];
  return [...words, ...bySed, ...keys.filter((text) => text !== ""), ...scriptsInCode([...codes, ...keys])];
}

/** `-o LocalCommand=x`, `-oProxyCommand=x`: what ssh runs locally. */
function startedBySsh({ name, args }: ShellCommand): readonly string[] {
  if (!/^(?:ssh|scp|sftp|mosh)$/.test(name)) return [];
  return args.flatMap(
    (word) => /^(?:-o)?\s*(?:Local|Proxy|KnownHosts)Command[\s=]+(.+)$/is.exec(word.text)?.[1] ?? [],
  );
}

/** `man -P x`: the pager. */
function startedByMan({ name, args }: ShellCommand): readonly string[] {
  if (name !== "man") return [];
  return args.flatMap((word, at) =>
    /^(?:-P|--pager|-H|--html)$/.test(args[at - 1]?.text ?? "")
      ? [word.text]
      : (/^(?:-P|--pager=|-H|--html=)(.+)$/s.exec(word.text)?.[1] ?? []),
  );
}

/** The commands in phrases or code: plain, quoted, or as lists of words. */
export function scriptsInCode(codes: readonly string[]): readonly string[] {
  return [...codes, ...codes.flatMap(literalsIn), ...listsIn(codes)]
    .map((text) => text.replace(BEFORE_COMMAND, ""))
    .filter((text) => STARTS_COMMAND.test(firstWord(text)));
}

/** Whether a word is the name of a program that these tables list. */
export function isCommandName(name: string): boolean {
  return (
    STARTS_COMMAND.test(name) ||
    STARTS_NESTED.test(name) ||
    RELEVANT_PROGRAM.test(name) ||
    Object.hasOwn(WRAPPERS, name)
  );
}

const RELEVANT_PROGRAM =
  /^(?:rmdir|unlink|truncate|mkfs(?:\..+)?|wipefs|shutdown|reboot|halt|poweroff|chgrp|chattr|setfacl|iptables|mount|umount|tmux|screen|at|batch|ssh|docker|podman|kubectl|make|npm|pnpm|yarn|zsh|pwsh|powershell|osascript)$/;

/** What looks like a file in the words of a program with its own commands: `sqlite3 x '.output f'`. */
export function filesInCommandPhrases(command: ShellCommand): readonly string[] {
  if (!CARRIERS.has(command.name) || RUNS_REMOTELY.test(command.name) || isMessageCommand(command)) return [];
  return [...phrasesOf(command), stdinText(command)]
    .flatMap((phrase) => phrase.split(/[\s"'`;()<>|]+/))
    .filter((text) => /^(?:[~.]?\/|\.\w|[\w-]+\/)/.test(text));
}

function firstWord(text: string): string {
  return /^\S*/.exec(text)![0].replace(/^.*\//, "");
}

/** `["cat", ".env"]` in code is a command too. */
function listsIn(codes: readonly string[]): readonly string[] {
  return codes
    .flatMap((code) => code.split(/[;\n]/))
    .filter((line) => /["'`]\s*,\s*(?:\{\s*\w{1,20}\s*:\s*)?[["'`]/.test(line))
    .map((line) => {
      const texts = quotedTextsIn(line);
      const start = texts.findIndex((text) => isCommandName(text.slice(text.lastIndexOf("/") + 1)));
      return start < 0 ? "" : quoteWords(texts.slice(start));
    });
}

/** What `tmux send-keys` types. */
function typedKeys({ args }: ShellCommand): string {
  const texts = args.map((word) => word.text);
  const from = texts.findIndex((text) =>
    /^(?:send-keys|send|stuff|respawn-pane|new-window|split-window)$/.test(text),
  );
  if (from < 0) return "";
  const keys = texts.slice(from + 1).filter((text, at, all) => !/^-/.test(text) && all[at - 1] !== "-t");
  return keys
    .map((text) => (text === "Space" ? " " : /^(?:Enter|C-m)$/.test(text) ? "\n" : text))
    .join(keys.includes("Space") ? "" : " ");
}

/** Programs that read, write or send files, start others, or control Hookline. */
const STARTS_PROGRAM =
  /^(?:cat|head|tail|less|more|bat|nl|tac|cp|mv|ln|tee|install|dd|sed|awk|perl|python[\d.]*|node|ruby|php|bun|deno|base64|xxd|od|strings|hexdump|curl|wget|scp|rsync|nc|ncat|socat|tar|zip|gpg|openssl|touch|truncate|rm|chmod|chown|git|grep|rg|find|xargs|sudo|env|eval|sh|bash|zsh|dash|ksh|fish|sqlite3|hookline|claude|npx|kill|pkill|killall|crontab|systemctl|launchctl)$/;
const STARTS_COMMAND = new RegExp(`${STARTS_PROGRAM.source}|^(?:source|\\.|echo|printf|cd|set|export)$`);

/** Whether one of these texts, read as a script, destroys data for good. */
function isDangerous(scripts: readonly string[], locations: Locations): boolean {
  return scripts.some((script) => {
    if (script === "") return false;
    const { commands } = readScript(script, locations);
    return commands.some(
      (each) =>
        judgeDanger(each, locations)?.verdict === "deny" ||
        lastWords(each).some((inner) =>
          readScript(inner, locations).commands.some(
            (nested) => judgeDanger(nested, locations)?.verdict === "deny",
          ),
        ),
    );
  });
}

export function quoteWords(words: readonly string[]): string {
  return words.map((text) => (/^[\w./~*-]+$/.test(text) ? text : quoteWord(text))).join(" ");
}

/** `docker exec x rm -rf /`, `poetry run sh -c '…'`: the rest is a command of its own. */
function lastWords(command: ShellCommand, starts = STARTS_NESTED): readonly string[] {
  if (TEXT_PROGRAMS.has(command.name)) return [];
  const texts = command.args.map((word) => word.text);
  const at = texts.findIndex((text) => {
    const name = programOf(text);
    return starts.test(name) || SHELLS.has(name);
  });
  if (at < 0 || texts.some((text) => text.includes(UNKNOWN)) || Object.hasOwn(WRAPPERS, command.name))
    return at >= 0 && command.name === "script" ? [quoteWords(texts.slice(at))] : [];
  return [quoteWords([programOf(texts[at]!), ...texts.slice(at + 1)])];
}

/** `/bin/rm`, `npm:rimraf@6` */
function programOf(text: string): string {
  return text.slice(text.lastIndexOf("/") + 1).replace(/^(?:npm|jsr):|@[\w.^~-]*$/g, "");
}

function codeIn(command: ShellCommand): readonly string[] {
  const texts = command.args.map((word) => word.text);
  const piped = command.pipedFrom.length === 1 ? printedText(command.pipedFrom[0]!) : undefined;
  return [
    ...texts.filter((text) => /\s/.test(text)).map((text) => withoutOption(text).replace(/^exec=/, "")),
    ...(command.name === "ssh" ? afterHost(texts) : []),
    ...[...command.redirects.map((each) => each.text ?? ""), piped ?? ""].map((text) =>
      text.replace(/^[!:]+/gm, ""),
    ),
  ];
}

/** The words after each one that may be the host: options and their values come before it. */
function afterHost(texts: readonly string[]): readonly string[] {
  const isOption = (at: number): boolean => texts[at]?.startsWith("-") === true;
  const host = texts.findIndex((_, at) => !isOption(at) && !isOption(at - 1));
  return Array.from({ length: Math.max(3, host + 1) }, (_, at) => texts.slice(at + 1).join(" "));
}

/** A message about a command is not one; but a search tool may open a program. */
function isMessageCommand({ name, args }: ShellCommand): boolean {
  const opens = args.some((word) => /^(?:-O|--open-files-in-pager)/.test(word.text));
  return name === "git" && !opens && args.some((word) => /^(?:commit|tag|notes|log|grep)$/.test(word.text));
}

/** Strips what makes it an option or a setting: `-o=x`, `NAME=x`, `FILE:x`, `-Ox`, `!x`. */
function withoutOption(text: string): string {
  const setting = /\w+=|[A-Z]+:/y;
  let at = 0;
  let stop = -1;
  for (;;) {
    if (stop < at) stop = text.slice(at).search(/[\s=]/) + at;
    setting.lastIndex = at;
    if (text[at] === "-" && text[stop] === "=") at = stop + 1;
    else if (text.startsWith("-O", at)) at += 2;
    else if (setting.test(text)) at = setting.lastIndex;
    else break;
  }
  return at > 0 ? text.slice(at) : text.replace(/^[:!+\\]+/, "");
}

const KNOWN_RECURSIVE =
  /^(?:rm|srm|rimraf|grep|egrep|fgrep|cp|ls|ln|scp|chmod|chown|find|rg|git|tar|zip|du)$/;

/** An unknown program with the flags of `rm` and the file system root or home as target: a copy of `rm`, or a link. */
function looksLikeRemoval(command: ShellCommand, locations: Locations): boolean {
  return (
    !KNOWN_RECURSIVE.test(command.name) &&
    !TEXT_PROGRAMS.has(command.name) &&
    command.args.some((word) => /^-(?:rf|fr|Rf|fR)v?$/.test(word.text)) &&
    command.args.some((word) => reachOf(word, locations, command.cwds) === "wide")
  );
}

/** A container with write access to the file system root or the home. */
function judgeWideMount(command: ShellCommand, locations: Locations): Finding | null {
  if (!/^(?:docker|podman|nerdctl)$/.test(command.name)) return null;
  const mounts = command.args.flatMap((word, at) => {
    const value = /^(?:-v|--volume|--mount)$/.test(command.args[at - 1]?.text ?? "")
      ? word.text
      : /^(?:-v|--volume=|--mount=)(.+)$/s.exec(word.text)?.[1];
    if (value === undefined || /:ro(?:,|$)|(?:^|,)(?:ro|readonly)(?:,|=true|$)/.test(value)) return [];
    const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(value)?.[1] ?? value.split(":")[0]!;
    return [{ ...word, text: source }];
  });
  const wide = mounts.find(
    (word) => /^[/~.]/.test(word.text) && reachOf(word, locations, command.cwds) === "wide",
  );
  return wide === undefined
    ? null
    : ask(
        "wide-mount",
        `${displayCommand(command)} would give a container write access to all of ${wide.text}.`,
      );
}
