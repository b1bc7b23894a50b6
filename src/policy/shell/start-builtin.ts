import { giveUp } from "../work.ts";
import { textOfPrintedWords } from "./printed-text.ts";
import { isKnown, literalWord, type ShellCommand, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import { hereText, isDescriptor, runWrittenScript } from "./start-shell.ts";
import {
  assignPositionalParameters,
  type ConstructContext,
  copyFlow,
  emptyCommand,
  type Flow,
  type Flows,
  limitFolders,
  type Walk,
} from "./walk.ts";

const UNKNOWN_VALUE = { text: UNKNOWN, isGlob: false };
const DECLARATION = /^(?:declare|typeset|local|export|readonly)$/;
const ASSIGNS_BY_NAME = /^(?:read|mapfile|readarray|getopts|let|unset)$/;

/** Their option -C takes a command. */
const TAKES_CALLBACK = /^(?:mapfile|readarray|complete|compgen)$/;

/** Builtins that affect what follows. */
export function startBuiltin(
  walk: Walk,
  command: ShellCommand,
  construct: ConstructContext,
  flows: Flows,
): void {
  const { name, args } = command;
  const flow = flows.shared;
  if (name === "eval") {
    const code = { ...literalWord(args.map((word) => word.text).join(" ")) };
    if (!isKnown(code)) walk.emit({ ...command, hiddenCode: "argument" });
    else if (command.redirects.length > 0) walk.emit(emptyCommand("", command.redirects, construct, flow));
    walk.walkText(code.text, { ...construct, wrappers: [...construct.wrappers, "eval"] }, flow);
    return;
  }
  if (name === "source" || name === ".") {
    const stdin = isDescriptor(args[0]) ? (hereText(command) ?? construct.stdin) : undefined;
    if (stdin !== undefined)
      walk.walkText(stdin, { ...construct, wrappers: [...construct.wrappers, name] }, flow);
    const hiddenCode =
      isDescriptor(args[0]) && stdin === undefined
        ? "stdin"
        : args[0]?.isProcess || (args[0] !== undefined && !isKnown(args[0]))
          ? "argument"
          : null;
    walk.emit({ ...command, hiddenCode });
    if (args[0] !== undefined) runWrittenScript(walk, args[0].text, construct, flow);
    return;
  }
  walk.emit(command);
  const code = codeOf(name, args);
  if (code !== undefined) {
    if (!isKnown(code)) walk.emit({ ...command, hiddenCode: "argument", redirects: [] });
    walk.walkText(code.text, { ...construct, wrappers: [...construct.wrappers, name] }, copyFlow(flow));
  }
  if (name === "cd" || name === "pushd") {
    const after = cwdsAfterCd(walk, args, flow.cwds);
    recordPreviousFolders(walk, flow.cwds);
    flow.cwds = command.assignedVariables.includes("CDPATH") ? limitFolders([UNKNOWN, ...after]) : after;
  } else if (name === "popd") flow.cwds = limitFolders([UNKNOWN, ...previousFolders(walk)]);
  else if (name === "set") setPositionalParameters(walk, args);
  else if (name === "alias") defineAliases(walk, args, construct, flow);
  else if (DECLARATION.test(name)) {
    // Variables with a value were already assigned when the words were read.
    for (const word of args) if (!word.text.startsWith("-")) flow.assigned.add(word.text.split("=")[0]!);
    if (args.some((word) => /^-[a-zA-Z]*n/.test(word.text))) assignReferences(walk, args);
  } else if (ASSIGNS_BY_NAME.test(name) || (name === "printf" && args[0]?.text === "-v")) {
    for (const word of args) if (/^\w+$/.test(word.text)) walk.assign(word.text, [UNKNOWN_VALUE]);
    const text = name === "printf" ? textOfPrintedWords(name, args.slice(2)) : undefined;
    if (text !== undefined) walk.assign(args[1]?.text ?? "", [{ ...UNKNOWN_VALUE, guesses: [text] }]);
    if (name === "read") assignFields(walk, args, hereText(command) ?? construct.stdin ?? "");
  }
}

/** `read a b <<< "x y"` */
function assignFields(walk: Walk, args: readonly ShellWord[], stdin: string): void {
  const names = args.filter((word) => /^[A-Za-z_]\w*$/.test(word.text));
  const fields = stdin.split(/\s+/).filter((field) => field !== "" && !field.includes(UNKNOWN));
  for (const [at, word] of names.entries()) {
    const guess = fields[at];
    if (guess !== undefined) walk.assign(word.text, [{ ...UNKNOWN_VALUE, guesses: [guess] }]);
  }
}

/** `declare -n r=x`: another name for a variable. */
function assignReferences(walk: Walk, args: readonly ShellWord[]): void {
  for (const { text } of args) {
    const [, name, target] = /^(\w+)=(\w+)$/.exec(text) ?? [];
    if (name === undefined) continue;
    const guesses = (walk.values.get(target!) ?? []).map((value) => value.text);
    walk.assign(name, [{ ...UNKNOWN_VALUE, guesses }]);
  }
}

/** What a builtin stores to run later. */
function codeOf(name: string, args: readonly ShellWord[]): ShellWord | undefined {
  if (name === "trap") {
    const [first, second] = args;
    if (first?.text === "--") return second;
    return first?.text.startsWith("-") ? undefined : first;
  }
  const at = TAKES_CALLBACK.test(name) ? args.findIndex((word) => /^-[a-zA-Z]*C$/.test(word.text)) : -1;
  return at < 0 ? undefined : args[at + 1];
}

/** `set -- a b` sets `$1`, `$2` and `$@`. */
function setPositionalParameters(walk: Walk, args: readonly ShellWord[]): void {
  const start = args.findIndex((word) => word.text === "--");
  if (start >= 0) assignPositionalParameters(walk, args.slice(start + 1));
}

export function cwdsAfterCd(
  walk: Walk,
  args: readonly ShellWord[],
  before: readonly string[],
): readonly string[] {
  const targets = args.filter((word) => !/^-[LPe@n]+$|^--$/.test(word.text));
  if (targets.length === 0) return [walk.home];
  return limitFolders(
    targets.flatMap(({ text, isGlob, guesses = [] }) => {
      if (text === "-" || /^[+-]\d+$/.test(text)) return [UNKNOWN, ...previousFolders(walk)];
      if (guesses.length > 0)
        return [text, ...guesses].flatMap((guess) => cwdsAfterCd(walk, [literalWord(guess)], before));
      if (text.length > MAX_FOLDER_LENGTH) return [UNKNOWN];
      const written = isGlob ? text.replace(/\[[^\]/]*\]|[*?]/g, UNKNOWN) : text;
      if (/^[/\0]/.test(written)) return [written];
      return [...before, ...cdSearchPath(walk)].map((cwd) => `${cwd}/${written}`);
    }),
  );
}

const MAX_PREVIOUS_FOLDERS = 32;

/** Previous folders: `$OLDPWD`, `cd -` and `popd` may return to any of them. */
function recordPreviousFolders(walk: Walk, previous: readonly string[]): void {
  const known = previous.filter((folder) => !folder.includes(UNKNOWN));
  const guesses = [...new Set([...known, ...previousFolders(walk)])];
  if (guesses.length > MAX_PREVIOUS_FOLDERS) giveUp();
  if (guesses.length > 0) walk.values.set("OLDPWD", [{ ...UNKNOWN_VALUE, guesses }]);
}

function previousFolders(walk: Walk): readonly string[] {
  return (walk.values.get("OLDPWD") ?? []).flatMap(({ guesses = [] }) => guesses);
}

/** No existing folder has a longer path. */
const MAX_FOLDER_LENGTH = 4_096;

/** Where `cd` also searches, as the script sets it; what it finds there is uncertain. */
function cdSearchPath(walk: Walk): readonly string[] {
  const folders = (walk.values.get("CDPATH") ?? []).flatMap(({ text }) => text.split(":"));
  return folders.length === 0 ? [] : [...folders.filter((folder) => folder !== ""), UNKNOWN];
}

function defineAliases(
  walk: Walk,
  args: readonly ShellWord[],
  construct: ConstructContext,
  flow: Flow,
): void {
  for (const word of args) {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(word.text) ?? [];
    if (name === undefined || text === undefined) continue;
    walk.aliases.set(name, text);
    walk.walkText(text, { ...construct, wrappers: [...construct.wrappers, `alias ${name}`] }, copyFlow(flow));
  }
}
