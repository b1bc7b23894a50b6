import { dangerOf, shown } from "./dangerous-commands.ts";
import { ask, type Finding } from "./finding.ts";
import type { Places } from "./places.ts";
import { printedText } from "./shell/printed-text.ts";
import { readScript } from "./shell/read-script.ts";
import { type ShellCommand, UNKNOWN } from "./shell/shell-reading.ts";
import { SHELLS, WRAPPERS } from "./shell/wrappers.ts";
import { reachOf } from "./wide-targets.ts";
import { spend } from "./work.ts";

/** They may run a word of theirs, or what they are fed, as a command. */
const CARRIERS = new Set(
  "ssh mosh tmux screen tar bsdtar rsync make gmake entr git vim vi nvim ex ed less man gdb lldb sqlite3 mysql psql zip socat nc ncat concurrently hyperfine nodemon watchexec nix nix-shell vagrant pwsh powershell cmd wsl docker podman kubectl bind".split(
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

/** A dangerous command that another one is given to run: as its last words, or in one of them. */
export function dangerCarried(command: ShellCommand, places: Places): Finding | null {
  if (TALKS.has(command.name) && !CARRIERS.has(command.name)) return null;
  const scripts = [
    ...lastWords(command),
    ...(CARRIERS.has(command.name) && !isMessage(command) ? codeIn(command) : []),
    ...(/^g?sed$/.test(command.name) ? runBySed(command) : []),
  ];
  if (isDangerous(scripts, places))
    return ask("dangerous-inside", `${shown(command)} passes a dangerous command on.`);
  return looksLikeRemoval(command, places)
    ? ask("dangerous-inside", `${shown(command)} looks like a removal by another name.`)
    : givesAll(command, places);
}

/** Whether one of these texts, read as a script, destroys for good. */
export function isDangerous(scripts: readonly string[], places: Places): boolean {
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
function lastWords(command: ShellCommand): readonly string[] {
  if (TALKS.has(command.name)) return [];
  const texts = command.args.map((word) => word.text);
  const at = texts.findIndex((text) => {
    const name = text.slice(text.lastIndexOf("/") + 1);
    return BEGINS.test(name) || SHELLS.has(name);
  });
  if (at < 0 || texts.some((text) => text.includes(UNKNOWN)) || Object.hasOwn(WRAPPERS, command.name))
    return at >= 0 && command.name === "script" ? [scriptOfWords(texts.slice(at))] : [];
  return [scriptOfWords(texts.slice(at))];
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

/** `1e ls`, `s/x/ls/e`. */
function runBySed({ args }: ShellCommand): readonly string[] {
  return args.flatMap(({ text }) => [
    ...[...text.matchAll(/(?:^|[;{}!$\d/\s])e\s+([^\n]+)/g)].map(([, code = ""]) => code),
    ...[...text.matchAll(/s(?=[^\w\s\\])/g)].flatMap(({ index }) => replacementRun(text, index)),
  ]);
}

/** What `s/x/y/e` puts in place of `x`, where it is run. */
function replacementRun(text: string, start: number): readonly string[] {
  const delimiter = text[start + 1]!;
  const middle = endOfPart(text, start + 2, delimiter);
  const end = endOfPart(text, middle + 1, delimiter);
  return end < text.length && /^[a-zA-Z\d]*e/.test(text.slice(end + 1, end + 20))
    ? [text.slice(middle + 1, end).replace(/\\(.)/g, "$1")]
    : [];
}

function endOfPart(text: string, from: number, delimiter: string): number {
  let at = from;
  while (at < text.length && text[at] !== delimiter) at += text[at] === "\\" ? 2 : 1;
  spend(at - from);
  return at;
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
