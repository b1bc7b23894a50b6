import { wordsPrinted } from "./printed-text.ts";
import { isKnown, literalWord, type ShellCommand, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import { isDescriptor, runWritten, textFedTo } from "./start-shell.ts";
import {
  assignPositions,
  bare,
  copy,
  type Flow,
  type Flows,
  fewFolders,
  type Inside,
  type Walk,
} from "./walk.ts";

const UNKNOWN_VALUE = { text: UNKNOWN, isGlob: false };
const DECLARES = /^(?:declare|typeset|local|export|readonly)$/;
const READS = /^(?:read|mapfile|readarray|getopts|let|unset)$/;

/** Their option -C has a command as its value. */
const CALLS_BACK = /^(?:mapfile|readarray|complete|compgen)$/;

/** Builtins that change what follows. */
export function startBuiltin(walk: Walk, command: ShellCommand, here: Inside, flows: Flows): void {
  const { name, args } = command;
  const flow = flows.shared;
  if (name === "eval") {
    const code = { ...literalWord(args.map((word) => word.text).join(" ")) };
    if (!isKnown(code)) walk.emit({ ...command, unread: "argument" });
    else if (command.redirects.length > 0) walk.emit(bare("", command.redirects, here, flow));
    walk.walkText(code.text, { ...here, wrappers: [...here.wrappers, "eval"] }, flow);
    return;
  }
  if (name === "source" || name === ".") {
    const fed = isDescriptor(args[0]) ? (textFedTo(command) ?? here.stdin) : undefined;
    if (fed !== undefined) walk.walkText(fed, { ...here, wrappers: [...here.wrappers, name] }, flow);
    const unread =
      isDescriptor(args[0]) && fed === undefined
        ? "stdin"
        : args[0]?.isProcess || (args[0] !== undefined && !isKnown(args[0]))
          ? "argument"
          : null;
    walk.emit({ ...command, unread });
    if (args[0] !== undefined) runWritten(walk, args[0].text, here, flow);
    return;
  }
  walk.emit(command);
  const code = codeOf(name, args);
  if (code !== undefined) {
    if (!isKnown(code)) walk.emit({ ...command, unread: "argument", redirects: [] });
    walk.walkText(code.text, { ...here, wrappers: [...here.wrappers, name] }, copy(flow));
  }
  if (name === "cd" || name === "pushd") {
    const after = foldersAfter(walk, args, flow.cwds);
    noteFolders(walk, flow.cwds);
    flow.cwds = command.assigns.includes("CDPATH") ? fewFolders([UNKNOWN, ...after]) : after;
  } else if (name === "popd") flow.cwds = fewFolders([UNKNOWN, ...foldersBefore(walk)]);
  else if (name === "set") setPositions(walk, args);
  else if (name === "alias") defineAliases(walk, args, here, flow);
  else if (DECLARES.test(name)) {
    // Those with a value were assigned when the words were read.
    for (const word of args) if (!word.text.startsWith("-")) flow.assigned.add(word.text.split("=")[0]!);
    if (args.some((word) => /^-[a-zA-Z]*n/.test(word.text))) assignReferences(walk, args);
  } else if (READS.test(name) || (name === "printf" && args[0]?.text === "-v")) {
    for (const word of args) if (/^\w+$/.test(word.text)) walk.assign(word.text, [UNKNOWN_VALUE]);
    const text = name === "printf" ? wordsPrinted(name, args.slice(2)) : undefined;
    if (text !== undefined) walk.assign(args[1]?.text ?? "", [{ ...UNKNOWN_VALUE, guesses: [text] }]);
    if (name === "read") assignFields(walk, args, textFedTo(command) ?? here.stdin ?? "");
  }
}

/** `read a b <<< "x y"` */
function assignFields(walk: Walk, args: readonly ShellWord[], fed: string): void {
  const names = args.filter((word) => /^[A-Za-z_]\w*$/.test(word.text));
  const fields = fed.split(/\s+/, MAX_FIELDS).filter((field) => field !== "" && !field.includes(UNKNOWN));
  for (const [at, word] of names.slice(0, MAX_FIELDS).entries()) {
    const guess = fields[at];
    if (guess !== undefined) walk.assign(word.text, [{ ...UNKNOWN_VALUE, guesses: [guess] }]);
  }
}

const MAX_FIELDS = 16;

/** `declare -n r=x`: another name for a variable. */
function assignReferences(walk: Walk, args: readonly ShellWord[]): void {
  for (const { text } of args) {
    const [, name, target] = /^(\w+)=(\w+)$/.exec(text) ?? [];
    if (name === undefined) continue;
    const guesses = (walk.values.get(target!) ?? []).map((value) => value.text);
    walk.assign(name, [{ ...UNKNOWN_VALUE, guesses }]);
  }
}

/** What a builtin keeps to run it later. */
function codeOf(name: string, args: readonly ShellWord[]): ShellWord | undefined {
  if (name === "trap") {
    const [first, second] = args;
    if (first?.text === "--") return second;
    return first?.text.startsWith("-") ? undefined : first;
  }
  const at = CALLS_BACK.test(name) ? args.findIndex((word) => /^-[a-zA-Z]*C$/.test(word.text)) : -1;
  return at < 0 ? undefined : args[at + 1];
}

/** `set -- a b` gives `$1`, `$2` and `$@`. */
function setPositions(walk: Walk, args: readonly ShellWord[]): void {
  const start = args.findIndex((word) => word.text === "--");
  if (start >= 0) assignPositions(walk, args.slice(start + 1));
}

export function foldersAfter(
  walk: Walk,
  args: readonly ShellWord[],
  before: readonly string[],
): readonly string[] {
  const targets = args.filter((word) => !/^-[LPe@n]+$|^--$/.test(word.text));
  if (targets.length === 0) return [walk.home];
  return fewFolders(
    targets.flatMap(({ text, isGlob, guesses = [] }) => {
      if (text === "-" || /^[+-]\d+$/.test(text)) return [UNKNOWN, ...foldersBefore(walk)];
      if (guesses.length > 0)
        return [text, ...guesses].flatMap((each) => foldersAfter(walk, [literalWord(each)], before));
      if (text.length > MAX_FOLDER) return [UNKNOWN];
      const written = isGlob ? text.replace(/\[[^\]/]*\]|[*?]/g, UNKNOWN) : text;
      if (/^[/\0]/.test(written)) return [written];
      return [...before, ...searchPath(walk)].map((cwd) => `${cwd}/${written}`);
    }),
  );
}

const MAX_GUESSES = 8;

/** Folders that were left: `$OLDPWD`, `cd -` and `popd` may lead back to any of them. */
function noteFolders(walk: Walk, left: readonly string[]): void {
  const known = left.filter((folder) => !folder.includes(UNKNOWN));
  const guesses = [...new Set([...known, ...foldersBefore(walk)])].slice(0, MAX_GUESSES);
  if (guesses.length > 0) walk.values.set("OLDPWD", [{ ...UNKNOWN_VALUE, guesses }]);
}

function foldersBefore(walk: Walk): readonly string[] {
  return (walk.values.get("OLDPWD") ?? []).flatMap(({ guesses = [] }) => guesses);
}

/** No folder that exists has a longer path. */
const MAX_FOLDER = 4_096;

/** Where `cd` looks beside, as the script says; what it finds there is not certain. */
function searchPath(walk: Walk): readonly string[] {
  const folders = (walk.values.get("CDPATH") ?? []).flatMap(({ text }) => text.split(":"));
  return folders.length === 0 ? [] : [...folders.filter((folder) => folder !== ""), UNKNOWN];
}

function defineAliases(walk: Walk, args: readonly ShellWord[], here: Inside, flow: Flow): void {
  for (const word of args) {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(word.text) ?? [];
    if (name === undefined || text === undefined) continue;
    walk.aliases.set(name, text);
    walk.walkText(text, { ...here, wrappers: [...here.wrappers, `alias ${name}`] }, copy(flow));
  }
}
