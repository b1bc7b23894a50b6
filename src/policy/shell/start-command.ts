import type { Command } from "unbash";
import { giveUp, spend } from "../work.ts";
import { expandWord, type VariableValue } from "./expand-word.ts";
import { commandsOfFind, printsNarrowed, wordsPrinted } from "./find-commands.ts";
import {
  literalWord,
  type ShellCommand,
  type ShellRedirect,
  type ShellWord,
  UNKNOWN,
} from "./shell-reading.ts";
import { foldersAfter, startBuiltin } from "./start-builtin.ts";
import { runCode, runWritten, startShell, textFedTo } from "./start-shell.ts";
import { around, bare, copy, type Flow, type Flows, type Inside, type Walk } from "./walk.ts";
import { SHELLS, type Unwrapped, unwrap, WRAPPERS } from "./wrappers.ts";

interface Extras {
  readonly substituted: readonly ShellCommand[];
  readonly redirects: readonly ShellRedirect[];
}

const MOST_LAYERS = 16;
const MOST_LINES = 200;
const UNKNOWN_VALUE = { text: UNKNOWN, isGlob: false };

/** A command as it was written: its words are expanded, and what only starts another is taken away. */
export function startCommand(walk: Walk, node: Command, inside: Inside, flow: Flow, extras: Extras): void {
  const assigns = [...inside.assigns];
  const own = node.name === undefined ? flow : copy(flow);
  for (const each of node.prefix) {
    if (each.type !== "Assignment") continue;
    const values = assignNode(walk, each, own, inside);
    if (!values.every((value) => isNothing(each.name, value.text))) assigns.push(each.name);
  }
  const base = { ...bare("", extras.redirects, inside, flow), assigns, substituted: extras.substituted };
  if (node.name === undefined) {
    walk.emit({ ...base, path: "" });
    return;
  }
  const args: ShellWord[] = [];
  for (const arg of node.args) {
    if (arg.type === "Word") args.push(...expandWord(arg, around(walk, flow)).flat());
    else {
      for (const value of assignNode(walk, arg, flow, inside))
        args.push({ ...literalWord(`${arg.name}=${value.text}`), variables: value.variables ?? [] });
    }
  }
  for (const choice of expandWord(node.name, around(walk, flow))) {
    const words = [...choice, ...args];
    // `flow` for what a builtin changes, with the command's own assignments for what it starts.
    if (words.length > 0) start(walk, words, inside, { shared: flow, own }, base);
  }
}

type AssignmentNode = Extract<Command["prefix"][number], { type: "Assignment" }>;

/** Gives what was assigned. */
function assignNode(walk: Walk, node: AssignmentNode, flow: Flow, inside: Inside): readonly VariableValue[] {
  const value = node.value;
  const words =
    value.type === "ArrayValue"
      ? value.elements.flatMap((word) => expandWord(word, around(walk, flow)).flat())
      : expandWord(value, around(walk, flow)).map((choice) => ({
          text: choice.map((word) => word.text).join(" "),
          isGlob: choice.some((word) => word.isGlob),
          variables: choice.flatMap((word) => word.variables),
        }));
  const values = words.map(({ text, isGlob, variables }) => ({ text, isGlob, variables }));
  const before = node.append ? (walk.values.get(node.name) ?? [UNKNOWN_VALUE]) : [];
  walk.assign(node.name, [
    ...values,
    ...before.flatMap((old) =>
      values.map((value) => ({ text: old.text + value.text, isGlob: old.isGlob || value.isGlob })),
    ),
  ]);
  flow.assigned.add(node.name);
  for (const { text } of values) runSetting(walk, node.name, text, inside, flow);
  return values;
}

function runSetting(walk: Walk, name: string, value: string, inside: Inside, flow: Flow): void {
  if (!IS_COMMAND.test(name) || isNothing(name, value)) return;
  walk.walkText(value, { ...inside, wrappers: [...inside.wrappers, name] }, copy(flow));
}

/** Variables whose value is a command that others run. */
const IS_COMMAND =
  /^(?:PROMPT_COMMAND|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|GIT_EXTERNAL_DIFF|\w*(?:EDITOR|PAGER|SSH_COMMAND|ASKPASS))$/;

/** They would change what other commands do, but not so. */
function isNothing(name: string, value: string): boolean {
  if (/PAGER$/.test(name)) return /^(?:cat|)$/.test(value);
  return (
    /^(?:GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|NODE_ENV|NODE_NO_WARNINGS)$/.test(name) && /^\w*$/.test(value)
  );
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
    walk.emit({ ...command, isOwnFunction: true });
    return;
  }
  if (first.text.includes("/")) runWritten(walk, first.text, here, flows.own);
  if (SHELLS.has(name)) startShell(walk, command, here, flows);
  else if (Object.hasOwn(WRAPPERS, name)) startWrapped(walk, command, here, flows);
  else if (/^(?:npm|pnpm|yarn|bun)$/.test(name) && /^(?:exec|x|dlx)$/.test(args[0]?.text ?? ""))
    startWrapped(walk, { ...command, name: "npx", args: args.slice(1) }, here, flows);
  else if (name === "find" || name === "fd" || name === "fdfind") {
    walk.emit(command);
    for (const found of commandsOfFind(args, name !== "find"))
      start(
        walk,
        found.words,
        { ...here, wrappers: [...inside.wrappers, name], isNarrowed: found.isNarrowed },
        flows,
        bareOf(base),
      );
  } else startBuiltin(walk, command, here, flows);
}

/** Redirections and substitutions belong to the outermost alone. */
function bareOf(base: ShellCommand): ShellCommand {
  return { ...base, redirects: [], substituted: [] };
}

function startWrapped(walk: Walk, command: ShellCommand, here: Inside, flows: Flows): void {
  const wrapper = WRAPPERS[command.name]!;
  const found = unwrap(wrapper, command.args);
  const set = found.settings.map(({ text }) => /^(\w+)=(.*)$/s.exec(text)!.slice(1) as [string, string]);
  const changing = set.filter(([name, value]) => !isNothing(name, value));
  const assigns = [...command.assigns, ...changing.map(([name]) => name)];
  const inside: Inside = { ...here, assigns, wrappers: [...here.wrappers, command.name] };
  const base: ShellCommand = { ...command, assigns, args: [] };
  for (const [name, value] of changing) runSetting(walk, name, value, inside, flows.own);
  if (found.code !== undefined) runCode(walk, command, found.code, inside, flows.own);
  if (found.inner.length === 0 && wrapper.adds && wrapper.joins) {
    startLines(walk, command, found, inside, flows);
    return;
  }
  if (found.inner.length === 0) {
    if (found.code === undefined || command.redirects.length > 0) walk.emit(command);
    // `exec > file`: the redirection is all it does.
    return;
  }
  const shared = found.folder === undefined ? flows.shared : copy(flows.shared);
  if (found.folder !== undefined) shared.cwds = foldersAfter(walk, [found.folder], shared.cwds);
  const isNarrowed = inside.isNarrowed || (wrapper.adds === true && printsNarrowed(inside.pipedFrom));
  const after = wrapper.adds ? { ...inside, isNarrowed, stdin: undefined, pipedFrom: [] } : inside;
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

/** A command that gets more words from its input, or from those after `:::`: one for each placeholder's value. */
function withInput(
  command: ShellCommand,
  found: Unwrapped<ShellWord>,
  inside: Inside,
): readonly (readonly ShellWord[])[] {
  const mark = found.placeholder;
  const isMarked = mark !== undefined && found.inner.some((word) => word.text.includes(mark));
  const takesLines =
    isMarked || command.args.some((word) => /^(?:-0|--null|-d.*|--delimiter.*)$/.test(word.text));
  const fed = textFedTo(command) ?? inside.stdin;
  const added =
    found.added.length > 0
      ? found.added
      : fed === undefined || fed.includes(UNKNOWN)
        ? (wordsPrinted(inside.pipedFrom) ?? [literalWord(UNKNOWN)])
        : fed
            .split(takesLines ? "\n" : /\s+/)
            .filter((text) => text !== "")
            .map((text) => literalWord(takesLines ? text : text.replace(/["'\\]/g, "")));
  if (!isMarked) return [[...found.inner, ...added]];
  if (added.length > MOST_LINES) giveUp();
  return added.map((each) =>
    found.inner.map((word) =>
      word.text.includes(mark)
        ? {
            ...word,
            text: word.text.replaceAll(mark, () => each.text),
            isGlob: word.isGlob || each.isGlob,
          }
        : word,
    ),
  );
}

/** As a word of a script again; what is not known of it stays so. */
function quote(word: ShellWord): string {
  if (word.isGlob) return word.text;
  return word.text
    .split(UNKNOWN)
    .map((text) => `'${text.replaceAll("'", "'\\''")}'`)
    .join(UNKNOWN);
}
