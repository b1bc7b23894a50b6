import { NAMES_ONLY } from "./command-files.ts";
import { dangerOf } from "./dangerous-commands.ts";
import { hasDanger, literalsIn, quotedIn } from "./dangerous-text.ts";
import { fedText } from "./ending-processes.ts";
import { ask, type Finding } from "./finding.ts";
import { onlyTakesText } from "./own-searches.ts";
import type { Places } from "./places.ts";
import { runBySed } from "./sed-commands.ts";
import { printedText } from "./shell/printed-text.ts";
import { readScript } from "./shell/read-script.ts";
import { type ShellCommand, UNKNOWN } from "./shell/shell-reading.ts";
import { SHELLS, WRAPPERS } from "./shell/wrappers.ts";
import { shown } from "./shown-command.ts";
import { reachOf } from "./wide-targets.ts";

/** They may run a word of theirs, or what they are fed, as a command. */
const CARRIERS = new Set(
  "ssh mosh ftp sftp lftp telnet tmux screen tar bsdtar rsync make gmake npm pnpm yarn entr git vim vi nvim ex ed less man gdb lldb sqlite3 mysql psql zip socat nc ncat just task rake concurrently hyperfine nodemon watchexec nix nix-shell vagrant pwsh powershell cmd wsl docker podman kubectl bind".split(
    " ",
  ),
);

/** Their words are text, or names. */
const TALKS = new Set(
  "echo printf grep egrep fgrep rg ag ack which type whereis command man apropos help tldr info apt apt-get brew dnf yum pacman alias export test [ [[ history set cd ls stat file cat head tail wc basename dirname say notify-send logger gh".split(
    " ",
  ),
);

/** With them a command begins, wherever they stand in another's words. */
const BEGINS = /^(?:rm|rimraf|srm|shred|find|dd|chmod|chown|mkfs(?:\..+)?|sudo|env|xargs|eval)$/;

/** A dangerous command that another one is given to run: as its last words, in one of them, or fed to it. */
export function dangerCarried(command: ShellCommand, places: Places): Finding | null {
  if ((TALKS.has(command.name) && !CARRIERS.has(command.name)) || onlyTakesText(command)) return null;
  const scripts = [
    ...lastWords(command),
    ...(CARRIERS.has(command.name) && !isMessage(command) ? codeIn(command) : []),
    ...(/^g?sed$/.test(command.name) ? runBySed(command) : []),
  ];
  const fed = CARRIERS.has(command.name) && !isMessage(command) ? [fedText(command)] : [];
  if (isDangerous(scripts, places) || [...phrasesOf(command), ...fed].some((text) => hasDanger(text, places)))
    return ask("dangerous-inside", `${shown(command)} passes a dangerous command on.`);
  return looksLikeRemoval(command, places)
    ? ask("dangerous-inside", `${shown(command)} looks like a removal by another name.`)
    : givesAll(command, places);
}

/** Their value is text for people, or a pattern. */
const TEXT_OPTION =
  /^(?:-m|-t|-k|-g|--(?:message|title|body|description|comment|summary|notes?|subject|grep|filter|testNamePattern|test-name-pattern|name|text|reason|label|regexp))$/;
const EVALUATES = /^(?:osascript|emacs|emacsclient|expect|gdb|lldb|nvim|vim|vi|ex|tmux|screen)$/;

/** They run the code that they are fed. */
const INTERPRETS =
  /^(?:python|node|perl|ruby|php|lua|luajit|bun|deno|tclsh|expect|raku|elixir|julia|rscript|pypy|ipython|tsx|just|task|rake|awk|gawk|mawk|groovy|guile)[\d.]*$/i;

/** The words of several words that a program may run, or hand on. */
function phrasesOf(command: ShellCommand): readonly string[] {
  const talks = TALKS.has(command.name) && !CARRIERS.has(command.name);
  if (talks || isMessage(command) || /^g?sed$|^jq$/.test(command.name)) return [];
  return command.args.flatMap((word, at) => {
    if (!/[\s"'`(]/.test(word.text)) return [];
    const before = command.args[at - 1]?.text ?? "";
    if (TEXT_OPTION.test(before) && !EVALUATES.test(command.name)) return [];
    // `-H'ls -l'`: the value stands right after the letter.
    return /^-[a-zA-Z]\S/.test(word.text) ? [word.text, word.text.slice(2)] : [word.text];
  });
}

/** They run it on another machine, where other files lie. */
const ELSEWHERE =
  /^(?:ssh|mosh|docker|podman|nerdctl|kubectl|oc|vagrant|wsl|lxc|incus|adb|heroku|fly|flyctl|gcloud|az|aws)$/;
/** How a command begins in what vim, gdb, psql, expect or socat are given. */
const BEFORE_COMMAND =
  /^(?:--?[\w-]+=|[A-Za-z-]+[:=](?!\/\/))*[\s:!+;@&\\.("'`]*(?:(?:shell|system|execute(?:-silent)?|exec|reload|become|preview|spawn|run|silent|call|send|eval|term|terminal|make|do)!?[\s("'`!]+)*/i;

/** What a program would run here, as scripts: its files count as if they were named plainly. */
export function carriedScripts(command: ShellCommand): readonly string[] {
  if (onlyTakesText(command)) return [];
  const isHere = command.args.some((word) =>
    /^(?:[\w.-]+@)?(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(word.text),
  );
  if (TALKS.has(command.name) || (ELSEWHERE.test(command.name) && !isHere) || isMessage(command))
    return [...startedBySsh(command), ...startedByMan(command)];
  const phrases = phrasesOf(command);
  const isFed =
    CARRIERS.has(command.name) ||
    EVALUATES.test(command.name) ||
    INTERPRETS.test(command.name) ||
    command.args.some((word) => word.isProcess);
  const fed = isFed ? [fedText(command)] : [];
  const keys = /^(?:tmux|screen)$/.test(command.name) ? [typedKeys(command)] : [];
  const codes = [...phrases, ...fed];
  // `git rm` is git's own; `git bisect run rm` is not.
  const isOwnVerb =
    command.name === "git" && !command.args.some((word) => /^(?:run|foreach|-x|--exec)$/.test(word.text));
  const words = NAMES_ONLY.has(command.name) || isOwnVerb ? [] : lastWords(command, STARTS_PROGRAM);
  const bySed = /^g?sed$/.test(command.name) ? runBySed(command) : [];
  return [...words, ...bySed, ...keys.filter((text) => text !== ""), ...scriptsIn([...codes, ...keys])];
}

/** `-o LocalCommand=x`, `-oProxyCommand=x`: what ssh runs on this side. */
function startedBySsh({ name, args }: ShellCommand): readonly string[] {
  if (!/^(?:ssh|scp|sftp|mosh)$/.test(name)) return [];
  return args.flatMap(
    (word) => /^(?:-o)?\s*(?:Local|Proxy|KnownHosts)Command[\s=]+(.+)$/is.exec(word.text)?.[1] ?? [],
  );
}

/** `man -P x`: what shows the page. */
function startedByMan({ name, args }: ShellCommand): readonly string[] {
  if (name !== "man") return [];
  return args.flatMap((word, at) =>
    /^(?:-P|--pager|-H|--html)$/.test(args[at - 1]?.text ?? "")
      ? [word.text]
      : (/^(?:-P|--pager=|-H|--html=)(.+)$/s.exec(word.text)?.[1] ?? []),
  );
}

/** The commands that stand in phrases or in code: as they are, in quotes, or as lists of words. */
export function scriptsIn(codes: readonly string[]): readonly string[] {
  return [...codes, ...codes.flatMap(literalsIn), ...listsIn(codes)]
    .map((text) => text.replace(BEFORE_COMMAND, ""))
    .filter((text) => STARTS_COMMAND.test(firstWord(text)));
}

/** Whether a word is the name of a program that this table knows to matter. */
export function isCommandName(name: string): boolean {
  return (
    STARTS_COMMAND.test(name) || BEGINS.test(name) || MATTERS.test(name) || Object.hasOwn(WRAPPERS, name)
  );
}

const MATTERS =
  /^(?:rmdir|unlink|truncate|mkfs(?:\..+)?|wipefs|shutdown|reboot|halt|poweroff|chgrp|chattr|setfacl|iptables|mount|umount|tmux|screen|at|batch|ssh|docker|podman|kubectl|make|npm|pnpm|yarn|zsh|pwsh|powershell|osascript)$/;

/** What looks like a file in the words of a program that has commands of its own: `sqlite3 x '.output f'`. */
export function filesInPhrases(command: ShellCommand): readonly string[] {
  if (!CARRIERS.has(command.name) || ELSEWHERE.test(command.name) || isMessage(command)) return [];
  return [...phrasesOf(command), fedText(command)]
    .flatMap((phrase) => phrase.split(/[\s"'`;()<>|]+/))
    .filter((text) => /^(?:[~.]?\/|\.\w|[\w-]+\/)/.test(text));
}

function firstWord(text: string): string {
  return /^\S{0,100}/.exec(text)![0].replace(/^.*\//, "");
}

/** `["cat", ".env"]` in code is a command, too. */
function listsIn(codes: readonly string[]): readonly string[] {
  return codes
    .flatMap((code) => code.split(/[;\n]/))
    .filter((line) => /["'`]\s*,\s*(?:\{\s*\w{1,20}\s*:\s*)?[["'`]/.test(line))
    .map((line) => {
      const texts = quotedIn(line);
      const start = texts.findIndex((text) => isCommandName(text.slice(text.lastIndexOf("/") + 1)));
      return start < 0 ? "" : scriptOfWords(texts.slice(start));
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

/** Programs that read, write or send files, start others, or steer Hookline. */
const STARTS_PROGRAM =
  /^(?:cat|head|tail|less|more|bat|nl|tac|cp|mv|ln|tee|install|dd|sed|awk|perl|python[\d.]*|node|ruby|php|bun|deno|base64|xxd|od|strings|hexdump|curl|wget|scp|rsync|nc|ncat|socat|tar|zip|gpg|openssl|touch|truncate|rm|chmod|chown|git|grep|rg|find|xargs|sudo|env|eval|sh|bash|zsh|dash|ksh|fish|sqlite3|hookline|claude|npx|kill|pkill|killall|crontab|systemctl|launchctl)$/;
const STARTS_COMMAND = new RegExp(`${STARTS_PROGRAM.source}|^(?:source|\\.|echo|printf|cd|set|export)$`);

/** Whether one of these texts, read as a script, destroys for good. */
function isDangerous(scripts: readonly string[], places: Places): boolean {
  return scripts.some((script) => {
    if (script === "") return false;
    const { commands } = readScript(script, places);
    return commands.some(
      (each) =>
        dangerOf(each, places)?.verdict === "deny" ||
        lastWords(each).some((inner) =>
          readScript(inner, places).commands.some((one) => dangerOf(one, places)?.verdict === "deny"),
        ),
    );
  });
}

export function scriptOfWords(words: readonly string[]): string {
  return words
    .map((text) => (/^[\w./~*-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/** `docker exec x rm -rf /`, `poetry run sh -c '…'`: what follows is a command of its own. */
function lastWords(command: ShellCommand, begins = BEGINS): readonly string[] {
  if (TALKS.has(command.name)) return [];
  const texts = command.args.map((word) => word.text);
  const at = texts.findIndex((text) => {
    const name = programOf(text);
    return begins.test(name) || SHELLS.has(name);
  });
  if (at < 0 || texts.some((text) => text.includes(UNKNOWN)) || Object.hasOwn(WRAPPERS, command.name))
    return at >= 0 && command.name === "script" ? [scriptOfWords(texts.slice(at))] : [];
  return [scriptOfWords([programOf(texts[at]!), ...texts.slice(at + 1)])];
}

/** `/bin/rm`, `npm:rimraf@6` */
function programOf(text: string): string {
  return text.slice(text.lastIndexOf("/") + 1).replace(/^(?:npm|jsr):|@[\w.^~-]*$/g, "");
}

function codeIn(command: ShellCommand): readonly string[] {
  const texts = command.args.map((word) => word.text);
  const fed = command.pipedFrom.length === 1 ? printedText(command.pipedFrom[0]!) : undefined;
  return [
    ...texts.filter((text) => /\s/.test(text)).map((text) => withoutOption(text).replace(/^exec=/, "")),
    ...(command.name === "ssh" ? [1, 2, 3].map((from) => texts.slice(from).join(" ")) : []),
    ...[...command.redirects.map((each) => each.text ?? ""), fed ?? ""].map((text) =>
      text.replace(/^[!:]+/gm, ""),
    ),
  ];
}

/** A message about a command is none; but what searches may be told to open a program. */
function isMessage({ name, args }: ShellCommand): boolean {
  const opens = args.some((word) => /^(?:-O|--open-files-in-pager)/.test(word.text));
  return name === "git" && !opens && args.some((word) => /^(?:commit|tag|notes|log|grep)$/.test(word.text));
}

/** Without what makes an option or a setting of it: `-o=x`, `NAME=x`, `FILE:x`, `-Ox`, `!x`. */
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

/** A program nobody knows, with the flags of `rm` and all of a machine: a copy of it, or a link. */
function looksLikeRemoval(command: ShellCommand, places: Places): boolean {
  return (
    !KNOWN_RECURSIVE.test(command.name) &&
    !TALKS.has(command.name) &&
    command.args.some((word) => /^-(?:rf|fr|Rf|fR)v?$/.test(word.text)) &&
    command.args.some((word) => reachOf(word, places, command.cwds) === "wide")
  );
}

/** A container that gets all of a machine, or of a home, to write. */
function givesAll(command: ShellCommand, places: Places): Finding | null {
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
    (word) => /^[/~.]/.test(word.text) && reachOf(word, places, command.cwds) === "wide",
  );
  return wide === undefined
    ? null
    : ask("wide-mount", `${shown(command)} gives a container all of ${wide.text}, to change it.`);
}
