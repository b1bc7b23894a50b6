import type { Command } from "unbash";
import { quoteWord } from "../../shell/quote-word.ts";
import { giveUp, spend } from "../work.ts";
import { withAddedWords } from "./added-words.ts";
import { assignNode, runCommandVariable } from "./assign-values.ts";
import { expandWord } from "./expand-word.ts";
import { commandsOfFind, printedFileWords, printsNarrowed } from "./find-commands.ts";
import { isPlainSetting } from "./plain-variables.ts";
import {
  literalWord,
  type ShellCommand,
  type ShellRedirect,
  type ShellWord,
  UNKNOWN,
} from "./shell-reading.ts";
import { cwdsAfterCd, startBuiltin } from "./start-builtin.ts";
import { hereText, readsStdinFromProcess, runCode, runWrittenScript, startShell } from "./start-shell.ts";
import {
  assignPositionalParameters,
  type ConstructContext,
  copyFlow,
  emptyCommand,
  type Flow,
  type Flows,
  toExpansionContext,
  type Walk,
} from "./walk.ts";
import { filesReadByWrapper, SHELLS, type Unwrapped, unwrap, WRAPPERS } from "./wrappers.ts";

interface Extras {
  readonly substituted: readonly ShellCommand[];
  readonly redirects: readonly ShellRedirect[];
}

const MAX_LAYERS = 16;

/** A command as written: its words are expanded, and its wrappers removed. */
export function startCommand(
  walk: Walk,
  node: Command,
  inside: ConstructContext,
  flow: Flow,
  extras: Extras,
): void {
  const assignedVariables = [...inside.assignedVariables];
  const own = node.name === undefined ? flow : copyFlow(flow);
  for (const item of node.prefix) {
    if (item.type !== "Assignment") continue;
    const values = assignNode(walk, item, own, inside);
    if (!values.every((value) => isPlainSetting(item.name, value.text))) assignedVariables.push(item.name);
  }
  const base = {
    ...emptyCommand("", extras.redirects, inside, flow),
    assignedVariables,
    substituted: extras.substituted,
  };
  if (node.name === undefined) {
    walk.emit({ ...base, path: "" });
    return;
  }
  const choices = node.args.map((arg): readonly (readonly ShellWord[])[] => {
    if (arg.type === "Word") return expandWord(arg, toExpansionContext(walk, flow));
    return assignNode(walk, arg, flow, inside).map((value) => [
      { ...literalWord(`${arg.name}=${value.text}`), variables: value.variables ?? [] },
    ]);
  });
  const args = choices.flat(2);
  const variants = variantsOf(choices);
  for (const choice of expandWord(node.name, toExpansionContext(walk, flow))) {
    const words = [...choice, ...args];
    // `flow` for what a builtin changes, `own` with the command's own assignments for what it starts.
    if (words.length > 0) start(walk, words, inside, { shared: flow, own }, base);
    for (const variant of variants)
      if (choice.length + variant.length > 0)
        start(walk, [...choice, ...variant], inside, { shared: copyFlow(flow), own: copyFlow(own) }, base);
    for (const guess of choice[0]?.guesses ?? []) {
      const guessed = [literalWord(guess), ...choice.slice(1), ...args];
      start(walk, guessed, inside, { shared: copyFlow(flow), own: copyFlow(own) }, base);
    }
  }
  recordLastWord(walk, args.at(-1));
}

const MAX_VARIANTS = 200;

/**
 * Where a word has several possible values, the command is run with each one: `for v in status push; do git $v; done`.
 * All of them side by side are judged as well, as a list or a loop adds up to them.
 */
function variantsOf(
  choices: readonly (readonly (readonly ShellWord[])[])[],
): readonly (readonly ShellWord[])[] {
  if (choices.every((options) => options.length <= 1)) return [];
  const count = choices.reduce((product, options) => product * Math.max(1, options.length), 1);
  if (count > MAX_VARIANTS) giveUp();
  let variants: readonly (readonly ShellWord[])[] = [[]];
  for (const options of choices)
    variants = variants.flatMap((before) =>
      (options.length === 0 ? [[]] : options).map((words) => [...before, ...words]),
    );
  spend(variants.reduce((sum, words) => sum + 20 * words.length, 0));
  return variants;
}

/** `$_` is the last word of the previous command, as far as is known: shells and pipes differ. */
function recordLastWord(walk: Walk, last: ShellWord | undefined): void {
  if (last === undefined) return;
  const guesses = [last.text, ...(last.guesses ?? [])].filter((text) => !text.includes(UNKNOWN));
  walk.values.set("_", [{ text: UNKNOWN, isGlob: false, variables: [], guesses }]);
}

function start(
  walk: Walk,
  words: readonly ShellWord[],
  inside: ConstructContext,
  flows: Flows,
  base: ShellCommand,
): void {
  const [first, ...args] = words;
  if (first === undefined) {
    walk.emit(base);
    return;
  }
  spend(words.reduce((sum, { text, display }) => sum + 20 + text.length + display.length, 200));
  const name = first.text.slice(first.text.lastIndexOf("/") + 1) || first.text;
  const layers = [...inside.layers, words.map((word) => word.display).join(" ")];
  const here: ConstructContext = { ...inside, layers };
  const command: ShellCommand = {
    ...base,
    // A glob is whatever it matches.
    name: name.includes(UNKNOWN) || (first.isGlob && !/^\[+$/.test(name)) ? UNKNOWN : name,
    path: first.text,
    args,
    layers,
    wrappers: inside.wrappers,
    starters: inside.starters,
    isNarrowed: inside.isNarrowed,
    cwds: flows.shared.cwds,
  };
  if (layers.length > MAX_LAYERS) giveUp();
  if (command.name === UNKNOWN) {
    walk.emit({ ...command, hiddenCode: "argument" });
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
    assignPositionalParameters(walk, args);
    const hiddenCode = readsStdinFromProcess(command) ? "stdin" : command.hiddenCode;
    walk.emit({ ...command, isOwnFunction: true, hiddenCode });
    return;
  }
  // `yarn exec 'ls -l'`: a complete script in the position of a program.
  if (/\S\s+\S/.test(first.text) && !first.text.startsWith("/"))
    walk.walkText(first.text, { ...here, wrappers: [...inside.wrappers, "script"] }, copyFlow(flows.own));
  if (first.text.includes("/")) runWrittenScript(walk, first.text, here, flows.own);
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
        withoutRedirects(base),
      );
    }
  } else startBuiltin(walk, command, here, flows);
}

/** Files whose names become part of a word, as in `sh -c 'cat {}'`, are opened by whatever that is. */
function emitInner(walk: Walk, words: readonly ShellWord[], inside: ConstructContext, flow: Flow): void {
  if (words.length > 0) walk.emit({ ...emptyCommand("cat", [], inside, flow), args: words });
}

function startExec(walk: Walk, command: ShellCommand, here: ConstructContext, flows: Flows): void {
  const at = execAt(command.args);
  if (at > 0) walk.emit({ ...command, args: command.args.slice(0, at) });
  startWrapped(walk, { ...command, name: "npx", args: command.args.slice(at + 1) }, here, flows);
}

/** Where a package manager starts a program: `pnpm exec x`, `pnpm -r exec x`, `yarn workspace a exec x`. */
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

/** Redirections and substitutions belong only to the outermost command. */
function withoutRedirects(base: ShellCommand): ShellCommand {
  return { ...base, redirects: [], substituted: [] };
}

function startWrapped(walk: Walk, command: ShellCommand, here: ConstructContext, flows: Flows): void {
  const wrapper = WRAPPERS[command.name]!;
  const found = unwrap(wrapper, command.args);
  const assignments = found.settings.map(
    ({ text }) => /^(\w+)=(.*)$/s.exec(text)!.slice(1) as [string, string],
  );
  const unsafeAssignments = assignments.filter(([name, value]) => !isPlainSetting(name, value));
  const assignedVariables = [...command.assignedVariables, ...unsafeAssignments.map(([name]) => name)];
  const starter = { name: command.name, path: command.path, words: found.own };
  const inside: ConstructContext = {
    ...here,
    assignedVariables,
    wrappers: [...here.wrappers, command.name],
    starters: [...here.starters, starter],
  };
  const base: ShellCommand = { ...command, assignedVariables, args: [] };
  for (const [name, value] of unsafeAssignments) runCommandVariable(walk, name, value, inside, flows.own);
  if (found.code !== undefined) runCode(walk, command, found.code, inside, flows.own);
  const read = filesReadByWrapper(wrapper, command.args).map((target) => ({
    operator: "<",
    target,
    text: null,
    variables: [],
  }));
  if (read.length > 0) walk.emit(emptyCommand("", read, here, flows.own));
  if (found.inner.length === 0 && wrapper.addsWords && wrapper.joinsWords) {
    startLines(walk, command, found, inside, flows);
    return;
  }
  if (found.inner.length === 0) {
    // `exec < <(…)` applies to everything that follows.
    const hiddenCode = readsStdinFromProcess(command) ? "stdin" : command.hiddenCode;
    if (found.code === undefined || command.redirects.length > 0) walk.emit({ ...command, hiddenCode });
    // `exec > file`: the redirection is its only effect.
    return;
  }
  const shared = found.folder === undefined ? flows.shared : copyFlow(flows.shared);
  if (found.folder !== undefined) shared.cwds = cwdsAfterCd(walk, [found.folder], shared.cwds);
  const isNarrowed = inside.isNarrowed || (wrapper.addsWords === true && printsNarrowed(inside.pipedFrom));
  const after = wrapper.addsWords ? { ...inside, isNarrowed, stdin: undefined, pipedFrom: [] } : inside;
  const placeholder = found.placeholder;
  if (
    placeholder !== undefined &&
    found.inner.some((word) => word.text !== placeholder && word.text.includes(placeholder))
  )
    emitInner(walk, printedFileWords(inside.pipedFrom) ?? [], here, flows.own);
  for (const inner of wrapper.addsWords ? withAddedWords(command, found, inside) : [found.inner]) {
    if (wrapper.joinsWords)
      walk.walkText(inner.map((word) => word.text).join(" "), after, copyFlow(flows.own));
    else start(walk, inner, after, { ...flows, shared }, base);
  }
  if (wrapper.joinsWords && command.redirects.length > 0)
    walk.emit(emptyCommand("", command.redirects, here, flows.own));
}

/** `parallel` without a command: each word after `:::`, or each line of stdin, is one. */
function startLines(
  walk: Walk,
  command: ShellCommand,
  { added }: Unwrapped<ShellWord>,
  inside: ConstructContext,
  flows: Flows,
): void {
  const stdin = hereText(command) ?? inside.stdin;
  const lines = added.length > 0 ? added.map((word) => word.text) : (stdin ?? UNKNOWN).split("\n");
  walk.emit({ ...command, hiddenCode: lines.some((line) => line.includes(UNKNOWN)) ? "stdin" : null });
  for (const line of lines)
    walk.walkText(line, { ...inside, stdin: undefined, pipedFrom: [] }, copyFlow(flows.own));
}

/** Quotes a word for a script again; unknown parts stay unknown. */
function quote(word: ShellWord): string {
  if (word.isGlob) return word.text;
  return word.text.split(UNKNOWN).map(quoteWord).join(UNKNOWN);
}
