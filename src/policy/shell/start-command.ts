import type { Command } from "unbash";
import { expandWord, type VariableValue } from "./expand-word.ts";
import { commandsOfFind } from "./find-commands.ts";
import {
  literalWord,
  type ShellCommand,
  type ShellRedirect,
  type ShellWord,
  UNKNOWN,
} from "./shell-reading.ts";
import { foldersAfter, startBuiltin } from "./start-builtin.ts";
import { runCode, startShell, textFedTo } from "./start-shell.ts";
import { around, bare, copy, type Flow, type Flows, type Inside, type Walk } from "./walk.ts";
import { SHELLS, type Unwrapped, unwrap, WRAPPERS } from "./wrappers.ts";

interface Extras {
  readonly substituted: readonly ShellCommand[];
  readonly redirects: readonly ShellRedirect[];
}

const MOST_LAYERS = 16;
const UNKNOWN_VALUE = { text: UNKNOWN, isGlob: false };

/** A command as it was written: its words are expanded, and what only starts another is taken away. */
export function startCommand(walk: Walk, node: Command, inside: Inside, flow: Flow, extras: Extras): void {
  const assigns: string[] = [];
  const own = node.name === undefined ? flow : copy(flow);
  for (const each of node.prefix) {
    if (each.type !== "Assignment") continue;
    assigns.push(each.name);
    assignNode(walk, each, own);
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
      for (const value of assignNode(walk, arg, flow)) args.push(literalWord(`${arg.name}=${value.text}`));
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
function assignNode(walk: Walk, node: AssignmentNode, flow: Flow): readonly VariableValue[] {
  const value = node.value;
  const words =
    value.type === "ArrayValue"
      ? value.elements.flatMap((word) => expandWord(word, around(walk, flow)).flat())
      : expandWord(value, around(walk, flow)).map((choice) => ({
          text: choice.map((word) => word.text).join(" "),
          isGlob: choice.some((word) => word.isGlob),
        }));
  const values = words.map((word) => ({ text: word.text, isGlob: word.isGlob }));
  const before = node.append ? (walk.values.get(node.name) ?? [UNKNOWN_VALUE]) : [];
  walk.assign(node.name, [
    ...values,
    ...before.flatMap((old) =>
      values.map((value) => ({ text: old.text + value.text, isGlob: old.isGlob || value.isGlob })),
    ),
  ]);
  flow.assigned.add(node.name);
  return values;
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
  const name = first.text.slice(first.text.lastIndexOf("/") + 1) || first.text;
  const layers = [...inside.layers, words.map((word) => word.shown).join(" ")];
  const here: Inside = { ...inside, layers };
  const command: ShellCommand = {
    ...base,
    name: name.includes(UNKNOWN) ? UNKNOWN : name,
    path: first.text,
    args,
    layers,
    wrappers: inside.wrappers,
    isNarrowed: inside.isNarrowed,
    cwds: flows.shared.cwds,
  };
  if (layers.length > MOST_LAYERS) {
    walk.problem("it is nested too deeply");
    return;
  }
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
  if (SHELLS.has(name)) startShell(walk, command, here, flows);
  else if (Object.hasOwn(WRAPPERS, name)) startWrapped(walk, command, here, flows);
  else if (/^(?:npm|pnpm|yarn|bun)$/.test(name) && /^(?:exec|x|dlx)$/.test(args[0]?.text ?? ""))
    startWrapped(walk, { ...command, name: "npx", args: args.slice(1) }, here, flows);
  else if (name === "find" || name === "fd" || name === "fdfind") {
    walk.emit(command);
    for (const found of commandsOfFind(args))
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
  const inside: Inside = { ...here, wrappers: [...here.wrappers, command.name] };
  const base: ShellCommand = { ...command, assigns: [...command.assigns, ...found.assigns], args: [] };
  if (found.code !== undefined) runCode(walk, command, found.code, inside, flows.own);
  if (found.inner.length === 0) {
    if (found.code === undefined || command.redirects.length > 0) walk.emit(command);
    // `exec > file`: the redirection is all it does.
    return;
  }
  const shared = found.folder === undefined ? flows.shared : copy(flows.shared);
  if (found.folder !== undefined) shared.cwds = foldersAfter(walk, [found.folder], shared.cwds);
  const inner = wrapper.adds ? withInput(command, found, inside) : found.inner;
  const after = wrapper.adds ? { ...inside, stdin: undefined, pipedFrom: [] } : inside;
  if (wrapper.joins) {
    walk.walkText(inner.map((word) => word.text).join(" "), after, copy(flows.own));
    if (command.redirects.length > 0) walk.emit(bare("", command.redirects, here, flows.own));
  } else start(walk, inner, after, { ...flows, shared }, base);
}

/** The words of a command that gets more of them from its input, or from those after `:::`. */
function withInput(command: ShellCommand, found: Unwrapped<ShellWord>, inside: Inside): readonly ShellWord[] {
  const fed = found.added.length > 0 ? undefined : (textFedTo(command) ?? inside.stdin);
  const added =
    fed === undefined || fed.includes(UNKNOWN)
      ? found.added.length > 0
        ? found.added
        : [literalWord(UNKNOWN)]
      : fed
          .split(/\s+/)
          .filter((text) => text !== "")
          .map((text) => literalWord(text.replace(/["'\\]/g, "")));
  const mark = found.placeholder;
  const isMarked = mark !== undefined && found.inner.some((word) => word.text.includes(mark));
  return isMarked
    ? found.inner.flatMap((word) =>
        word.text.includes(mark)
          ? added.map((each) => ({ ...word, text: word.text.replaceAll(mark, () => each.text) }))
          : [word],
      )
    : [...found.inner, ...added];
}

/** As a word of a script again; what is not known of it stays so. */
function quote(word: ShellWord): string {
  if (word.isGlob) return word.text;
  return word.text
    .split(UNKNOWN)
    .map((text) => `'${text.replaceAll("'", "'\\''")}'`)
    .join(UNKNOWN);
}
