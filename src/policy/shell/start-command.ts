import type { Command } from "unbash";
import { giveUp, spend } from "../work.ts";
import { withInput } from "./added-words.ts";
import { assignNode, runSetting } from "./assign-values.ts";
import { expandWord } from "./expand-word.ts";
import { commandsOfFind, printsNarrowed, wordsPrinted } from "./find-commands.ts";
import { isPlainSetting } from "./plain-variables.ts";
import {
  literalWord,
  type ShellCommand,
  type ShellRedirect,
  type ShellWord,
  UNKNOWN,
} from "./shell-reading.ts";
import { foldersAfter, startBuiltin } from "./start-builtin.ts";
import { isFedByProcess, runCode, runWritten, startShell, textFedTo } from "./start-shell.ts";
import {
  around,
  assignPositions,
  bare,
  copy,
  type Flow,
  type Flows,
  type Inside,
  type Walk,
} from "./walk.ts";
import { filesRead, SHELLS, type Unwrapped, unwrap, WRAPPERS } from "./wrappers.ts";

interface Extras {
  readonly substituted: readonly ShellCommand[];
  readonly redirects: readonly ShellRedirect[];
}

const MOST_LAYERS = 16;

/** A command as it was written: its words are expanded, and what only starts another is taken away. */
export function startCommand(walk: Walk, node: Command, inside: Inside, flow: Flow, extras: Extras): void {
  const assigns = [...inside.assigns];
  const own = node.name === undefined ? flow : copy(flow);
  for (const each of node.prefix) {
    if (each.type !== "Assignment") continue;
    const values = assignNode(walk, each, own, inside);
    if (!values.every((value) => isPlainSetting(each.name, value.text))) assigns.push(each.name);
  }
  const base = { ...bare("", extras.redirects, inside, flow), assigns, substituted: extras.substituted };
  if (node.name === undefined) {
    walk.emit({ ...base, path: "" });
    return;
  }
  const choices = node.args.map((arg): readonly (readonly ShellWord[])[] => {
    if (arg.type === "Word") return expandWord(arg, around(walk, flow));
    return assignNode(walk, arg, flow, inside).map((value) => [
      { ...literalWord(`${arg.name}=${value.text}`), variables: value.variables ?? [] },
    ]);
  });
  const args = choices.flat(2);
  const variants = variantsOf(choices);
  for (const choice of expandWord(node.name, around(walk, flow))) {
    const words = [...choice, ...args];
    // `flow` for what a builtin changes, with the command's own assignments for what it starts.
    if (words.length > 0) start(walk, words, inside, { shared: flow, own }, base);
    for (const variant of variants)
      if (choice.length + variant.length > 0)
        start(walk, [...choice, ...variant], inside, { shared: copy(flow), own: copy(own) }, base);
    for (const guess of choice[0]?.guesses ?? []) {
      const guessed = [literalWord(guess), ...choice.slice(1), ...args];
      start(walk, guessed, inside, { shared: copy(flow), own: copy(own) }, base);
    }
  }
  noteLast(walk, args.at(-1));
}

const MAX_VARIANTS = 32;

/**
 * Where a word may be one of several, the command is run with each alone: `for v in status push; do git $v; done`. All
 * of them side by side are judged besides, as they are what a list or a loop adds up to.
 */
function variantsOf(
  choices: readonly (readonly (readonly ShellWord[])[])[],
): readonly (readonly ShellWord[])[] {
  if (choices.every((each) => each.length <= 1)) return [];
  const count = choices.reduce((product, each) => product * Math.max(1, each.length), 1);
  const unknown: ShellWord = { ...literalWord(UNKNOWN), isSplit: true };
  if (count > MAX_VARIANTS)
    return [choices.flatMap((each) => (each.length > 1 ? [unknown] : (each[0] ?? [])))];
  let variants: readonly (readonly ShellWord[])[] = [[]];
  for (const each of choices)
    variants = variants.flatMap((before) =>
      (each.length === 0 ? [[]] : each).map((words) => [...before, ...words]),
    );
  spend(variants.reduce((sum, words) => sum + 20 * words.length, 0));
  return variants;
}

/** `$_` is the last word of the command before, as far as one can tell: shells and pipes differ. */
function noteLast(walk: Walk, last: ShellWord | undefined): void {
  if (last === undefined) return;
  const guesses = [last.text, ...(last.guesses ?? [])].filter((text) => !text.includes(UNKNOWN)).slice(0, 4);
  walk.values.set("_", [{ text: UNKNOWN, isGlob: false, variables: [], guesses }]);
}

function start(
  walk: Walk,
  words: readonly ShellWord[],
  inside: Inside,
  flows: Flows,
  base: ShellCommand,
): void {
  const [first, ...args] = words;
  if (first === undefined) {
    walk.emit(base);
    return;
  }
  spend(words.reduce((sum, { text, shown }) => sum + 20 + text.length + shown.length, 200));
  const name = first.text.slice(first.text.lastIndexOf("/") + 1) || first.text;
  const layers = [...inside.layers, words.map((word) => word.shown).join(" ")];
  const here: Inside = { ...inside, layers };
  const command: ShellCommand = {
    ...base,
    // A glob is whatever it finds.
    name: name.includes(UNKNOWN) || (first.isGlob && !/^\[+$/.test(name)) ? UNKNOWN : name,
    path: first.text,
    args,
    layers,
    wrappers: inside.wrappers,
    starters: inside.starters,
    isNarrowed: inside.isNarrowed,
    cwds: flows.shared.cwds,
  };
  if (layers.length > MOST_LAYERS) giveUp();
  if (command.name === UNKNOWN) {
    walk.emit({ ...command, unread: "argument" });
    return;
  }
  const alias = walk.aliases.get(name);
  if (alias !== undefined && !inside.wrappers.includes(`alias ${name}`)) {
    const text = `${alias} ${args.map(quote).join(" ")}`;
    walk.walkText(text, { ...here, wrappers: [...inside.wrappers, `alias ${name}`] }, flows.own);
    return;
  }
  const changesFolder = walk.functions.get(name);
  if (changesFolder !== undefined) {
    if (changesFolder) flows.shared.cwds = [UNKNOWN];
    assignPositions(walk, args);
    const unread = isFedByProcess(command) ? "stdin" : command.unread;
    walk.emit({ ...command, isOwnFunction: true, unread });
    return;
  }
  // `yarn exec 'ls -l'`: a whole script where a program should stand.
  if (/\S\s+\S/.test(first.text) && !first.text.startsWith("/"))
    walk.walkText(first.text, { ...here, wrappers: [...inside.wrappers, "script"] }, copy(flows.own));
  if (first.text.includes("/")) runWritten(walk, first.text, here, flows.own);
  if (SHELLS.has(name)) startShell(walk, command, here, flows);
  else if (Object.hasOwn(WRAPPERS, name)) startWrapped(walk, command, here, flows);
  else if (/^(?:npm|pnpm|yarn|bun)$/.test(name) && execAt(args) >= 0) startExec(walk, command, here, flows);
  else if (name === "find" || name === "fd" || name === "fdfind") {
    walk.emit(command);
    for (const found of commandsOfFind(args, name !== "find")) {
      emitInner(walk, found.inner, here, flows.own);
      start(
        walk,
        found.words,
        { ...here, wrappers: [...inside.wrappers, name], isNarrowed: found.isNarrowed },
        flows,
        bareOf(base),
      );
    }
  } else startBuiltin(walk, command, here, flows);
}

/** Files whose names become a part of a word, as in `sh -c 'cat {}'`, are opened by whatever that is. */
function emitInner(walk: Walk, words: readonly ShellWord[], inside: Inside, flow: Flow): void {
  if (words.length > 0) walk.emit({ ...bare("cat", [], inside, flow), args: words });
}

function startExec(walk: Walk, command: ShellCommand, here: Inside, flows: Flows): void {
  const at = execAt(command.args);
  if (at > 0) walk.emit({ ...command, args: command.args.slice(0, at) });
  startWrapped(walk, { ...command, name: "npx", args: command.args.slice(at + 1) }, here, flows);
}

/** Where a package manager is told to start a program: `pnpm exec x`, `pnpm -r exec x`, `yarn workspace a exec x`. */
function execAt(args: readonly ShellWord[]): number {
  const at = args.findIndex((word) => /^(?:exec|x|dlx)$/.test(word.text));
  const isAlone = args.slice(0, at).every(({ text }, n) => {
    const before = args[n - 1]?.text ?? "";
    return (
      text.startsWith("-") ||
      text === "workspace" ||
      before === "workspace" ||
      /^(?:-\w|--\w[\w-]*)$/.test(before)
    );
  });
  return isAlone ? at : -1;
}

/** Redirections and substitutions belong to the outermost alone. */
function bareOf(base: ShellCommand): ShellCommand {
  return { ...base, redirects: [], substituted: [] };
}

function startWrapped(walk: Walk, command: ShellCommand, here: Inside, flows: Flows): void {
  const wrapper = WRAPPERS[command.name]!;
  const found = unwrap(wrapper, command.args);
  const set = found.settings.map(({ text }) => /^(\w+)=(.*)$/s.exec(text)!.slice(1) as [string, string]);
  const changing = set.filter(([name, value]) => !isPlainSetting(name, value));
  const assigns = [...command.assigns, ...changing.map(([name]) => name)];
  const starter = { name: command.name, path: command.path, words: found.own };
  const inside: Inside = {
    ...here,
    assigns,
    wrappers: [...here.wrappers, command.name],
    starters: [...here.starters, starter],
  };
  const base: ShellCommand = { ...command, assigns, args: [] };
  for (const [name, value] of changing) runSetting(walk, name, value, inside, flows.own);
  if (found.code !== undefined) runCode(walk, command, found.code, inside, flows.own);
  const read = filesRead(wrapper, command.args).map((target) => ({
    operator: "<",
    target,
    text: null,
    variables: [],
  }));
  if (read.length > 0) walk.emit(bare("", read, here, flows.own));
  if (found.inner.length === 0 && wrapper.adds && wrapper.joins) {
    startLines(walk, command, found, inside, flows);
    return;
  }
  if (found.inner.length === 0) {
    // `exec < <(…)` is for all that follows.
    const unread = isFedByProcess(command) ? "stdin" : command.unread;
    if (found.code === undefined || command.redirects.length > 0) walk.emit({ ...command, unread });
    // `exec > file`: the redirection is all it does.
    return;
  }
  const shared = found.folder === undefined ? flows.shared : copy(flows.shared);
  if (found.folder !== undefined) shared.cwds = foldersAfter(walk, [found.folder], shared.cwds);
  const isNarrowed = inside.isNarrowed || (wrapper.adds === true && printsNarrowed(inside.pipedFrom));
  const after = wrapper.adds ? { ...inside, isNarrowed, stdin: undefined, pipedFrom: [] } : inside;
  const mark = found.placeholder;
  if (mark !== undefined && found.inner.some((word) => word.text !== mark && word.text.includes(mark)))
    emitInner(walk, wordsPrinted(inside.pipedFrom) ?? [], here, flows.own);
  for (const inner of wrapper.adds ? withInput(command, found, inside) : [found.inner]) {
    if (wrapper.joins) walk.walkText(inner.map((word) => word.text).join(" "), after, copy(flows.own));
    else start(walk, inner, after, { ...flows, shared }, base);
  }
  if (wrapper.joins && command.redirects.length > 0) walk.emit(bare("", command.redirects, here, flows.own));
}

/** `parallel` without a command: each word after `:::`, or each line of the input, is one. */
function startLines(
  walk: Walk,
  command: ShellCommand,
  { added }: Unwrapped<ShellWord>,
  inside: Inside,
  flows: Flows,
): void {
  const fed = textFedTo(command) ?? inside.stdin;
  const lines = added.length > 0 ? added.map((word) => word.text) : (fed ?? UNKNOWN).split("\n");
  walk.emit({ ...command, unread: lines.some((line) => line.includes(UNKNOWN)) ? "stdin" : null });
  for (const line of lines)
    walk.walkText(line, { ...inside, stdin: undefined, pipedFrom: [] }, copy(flows.own));
}

/** As a word of a script again; what is not known of it stays so. */
function quote(word: ShellWord): string {
  if (word.isGlob) return word.text;
  return word.text
    .split(UNKNOWN)
    .map((text) => `'${text.replaceAll("'", "'\\''")}'`)
    .join(UNKNOWN);
}
