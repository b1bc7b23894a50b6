import type {
  CommandNode,
  Coproc as CoprocNode,
  ParsedScript,
  PipelineNode,
  Statement,
  SyntaxNode,
  Word,
} from "unbash";
import { giveUp, spend } from "../work.ts";
import { expandWord } from "./expand-word.ts";
import { scriptsIn } from "./inner-scripts.ts";
import { parseScript } from "./parse-script.ts";
import { evaluatesText, numbersAssigned } from "./plain-syntax.ts";
import { isOwnVariable } from "./plain-variables.ts";
import { printedText } from "./printed-text.ts";
import { readClobbered, readRedirects } from "./read-redirects.ts";
import { endsOnFailure, isOneChain, startsItself } from "./script-shapes.ts";
import {
  EVALUATION,
  type ShellCommand,
  type ShellReading,
  type ShellWord,
  UNKNOWN,
} from "./shell-reading.ts";
import { startCommand } from "./start-command.ts";
import { isFedByFile } from "./start-shell.ts";
import { variablesRead } from "./variables-read.ts";
import {
  around,
  bare,
  copy,
  type Flow,
  fewFolders,
  type Inside,
  isSame,
  type Known,
  OUTSIDE,
  toValue,
  type Walk,
} from "./walk.ts";
import { anyValue, workOn } from "./walk-costs.ts";
import { noteWritten, withWritten } from "./written-scripts.ts";

/** What has more commands, arguments and redirections is too long to judge. */
const MOST_WORDS = 1_500;
const MOST_VALUES = 16;
const DEEPEST = 24;

export function createWalk(
  place: { readonly home: string; readonly cwd: string; readonly findsHidden: boolean },
  before?: Known,
) {
  const commands: ShellCommand[] = [];
  const problems = new Set<string>();
  const leftOut = new Set<string>();
  const reads = new Set<string>();
  const noteReads = (script: ParsedScript): ParsedScript => {
    for (const name of variablesRead(script)) reads.add(name);
    return script;
  };
  let words = 0;
  let forkBomb: string | null = null;
  let readsBeforeAssigned = false;
  const known: Known = before ?? {
    values: new Map(),
    aliases: new Map(),
    functions: new Map(),
    written: new Map(),
  };
  const walk: Walk = {
    ...known,
    home: place.home,
    findsHidden: place.findsHidden,
    emit(given) {
      const command = withWritten(given, known.written);
      words += 1 + command.args.length + command.redirects.length;
      if (words > MOST_WORDS) giveUp();
      spend(workOn(command));
      commands.push(command);
      noteWritten(command, known.written, MOST_VALUES);
    },
    assign(name, values) {
      readsBeforeAssigned = true;
      const all = known.values.get(name) ?? [];
      for (const value of values) {
        if (all.some((each) => isSame(each, value))) continue;
        if (all.length >= MOST_VALUES) leftOut.add(value.text);
        if (all.length < MOST_VALUES) all.push(value);
        else all[MOST_VALUES] = anyValue(all[MOST_VALUES], value);
      }
      known.values.set(name, all);
    },
    walkText(text, inside, flow) {
      // What is not known of the text is a variable that nobody knows: the rest of it can still be judged.
      walkScript(noteReads(parseScript(text.replaceAll(UNKNOWN, "\u0024{__}"))), inside, flow);
    },
  };

  function walkScript(script: ParsedScript | undefined, inside: Inside, flow: Flow): void {
    if (script === undefined) {
      problems.add("a part of it is not understood");
      return;
    }
    for (const error of script.errors ?? []) problems.add(error.message);
    if (inside.depth > DEEPEST) giveUp();
    const isGuarding = inside.depth === 0 && isOneChain(script);
    walkList(script.commands, { ...inside, isGuarding, depth: inside.depth + 1 }, flow);
  }

  function walkList(statements: readonly Statement[], inside: Inside, flow: Flow): void {
    for (const statement of statements) {
      const own = statement.background ? copy(flow) : flow;
      const node = statement.command;
      if (node.type === "AndOr") walkChain(node.commands, node.operators, inside, own);
      else walkPipeline(node, { ...inside, isGuarding: false }, own);
    }
  }

  function walkChain(
    nodes: readonly PipelineNode[],
    operators: readonly string[],
    inside: Inside,
    flow: Flow,
  ): void {
    const chain = copy(flow);
    const cwds = new Set<string>();
    for (const [at, node] of nodes.entries()) {
      const own = at > 0 && operators[at - 1] === "||" ? copy(chain) : chain;
      const isGuarding = inside.isGuarding && node.type === "Command";
      walkPipeline(node, { ...inside, isGuarding }, own);
      if (at === 0) flow.assigned = new Set(chain.assigned);
      for (const cwd of own.cwds) cwds.add(cwd);
    }
    flow.cwds = endsOnFailure(nodes, operators) ? chain.cwds : fewFolders([...cwds]);
  }

  function walkPipeline(node: PipelineNode, inside: Inside, flow: Flow): void {
    if (node.type !== "Pipeline") {
      walkNode(node, inside, flow);
      return;
    }
    if (node.commands.length === 1) {
      walkNode(node.commands[0]!, inside, flow);
      return;
    }
    let own = inside;
    for (const stage of node.commands) {
      const start = commands.length;
      walkNode(stage, own, copy(flow));
      const made = commands.slice(start);
      const stdin = made.length === 1 ? printedText(made[0]!) : undefined;
      own = { ...inside, pipedFrom: [...own.pipedFrom, ...made], stdin };
    }
  }

  function walkNode(node: CommandNode, inside: Inside, flow: Flow): void {
    switch (node.type) {
      case "Command": {
        const start = commands.length;
        walkScripts(node, inside, flow);
        startCommand(walk, node, inside, flow, {
          substituted: commands.slice(start),
          redirects: [
            ...node.redirects.flatMap((each) => readRedirects(walk, each, flow)),
            ...readClobbered(walk, node, flow),
          ],
        });
        return;
      }
      case "Redirected": {
        for (const each of node.redirects) walkScripts(each, inside, flow);
        const redirects = node.redirects.flatMap((each) => readRedirects(walk, each, flow));
        walk.emit(bare("", redirects, inside, flow));
        const text = redirects.find((each) => each.text !== null)?.text ?? undefined;
        const fed = isFedByFile({ redirects }) ? UNKNOWN : text;
        walkNode(node.command, fed === undefined ? inside : { ...inside, stdin: fed, pipedFrom: [] }, flow);
        return;
      }
      case "Subshell":
        walkList(node.body.commands, inside, copy(flow));
        return;
      case "BraceGroup":
        walkList(node.body.commands, inside, flow);
        return;
      case "If":
        walkList(node.clause.commands, inside, flow);
        walkMaybe([node.then.commands], inside, flow);
        for (const branch of node.elif)
          walkMaybe([[...branch.clause.commands, ...branch.then.commands]], inside, flow);
        if (node.else !== undefined) walkMaybe([node.else.commands], inside, flow);
        return;
      case "For":
      case "Select": {
        const words = node.wordlist ?? [];
        for (const word of words) walkScripts(word, inside, flow);
        const values = words.flatMap((word) => wordsOf(word, flow)).map(toValue);
        // It prints its words, names of files anywhere among them.
        if (node.type === "Select") walk.emit(bare("select", [], inside, flow));
        if (!isOwnVariable(node.name.value))
          walk.emit({ ...bare("", [], inside, flow), assigns: [node.name.value] });
        walk.assign(
          node.name.value,
          node.wordlist === undefined ? [{ text: UNKNOWN, isGlob: false }] : values,
        );
        const body = copy(flow);
        body.assigned.add(node.name.value);
        walkList(node.body.commands, inside, body);
        leaveLoop(inside, flow, body);
        if (words.length > 0) flow.assigned.add(node.name.value);
        return;
      }
      case "While":
        walkLoop([...node.clause.commands, ...node.body.commands], inside, flow);
        return;
      case "Case":
        walkScripts(node.word, inside, flow);
        for (const item of node.items) {
          for (const word of item.pattern) walkScripts(word, inside, flow);
          walkMaybe([item.body.commands], inside, flow);
        }
        return;
      case "Function": {
        const name = node.name.value;
        const own = copy(flow);
        if (startsItself(name, node.body)) forkBomb = name;
        walk.functions.set(name, false);
        if (node.body.type === "CompoundList") walkList(node.body.commands, inside, own);
        else walkNode(node.body, inside, own);
        walk.functions.set(name, own.cwds.join() !== flow.cwds.join());
        return;
      }
      case "Coproc":
        // It puts its channels into a variable of any name.
        walk.emit(bare("coproc", [], inside, flow));
        walkFed(node.body, inside, flow);
        return;
      case "ArithmeticFor":
        for (const part of [node.initialize, node.test, node.update])
          if (part !== undefined) walkArithmetic(part, inside, flow);
        walkLoop(node.body.commands, inside, flow);
        return;
      case "TestCommand":
        walkScripts(node, inside, flow);
        walk.emit(bare("[[", [], inside, flow));
        return;
      case "ArithmeticCommand":
        walkArithmetic(node, inside, flow);
        return;
      default:
        node satisfies never;
    }
  }

  /** What runs beside the script is fed by it, nobody knows with what. */
  function walkFed(body: CoprocNode["body"], inside: Inside, flow: Flow): void {
    const fed = { ...inside, pipedFrom: [bare("coproc", [], inside, flow)] };
    if (body.type === "CompoundList") walkList(body.commands, fed, copy(flow));
    else walkNode(body, fed, copy(flow));
  }

  function walkMaybe(lists: readonly (readonly Statement[])[], inside: Inside, flow: Flow): void {
    for (const list of lists) {
      const own = copy(flow);
      walkList(list, inside, own);
      flow.cwds = fewFolders([...flow.cwds, ...own.cwds]);
    }
  }

  function walkLoop(statements: readonly Statement[], inside: Inside, flow: Flow): void {
    const own = copy(flow);
    walkList(statements, inside, own);
    leaveLoop(inside, flow, own);
  }

  /** A loop that changes the folder ends nobody knows where, and so does each further round. */
  function leaveLoop(inside: Inside, flow: Flow, body: Flow): void {
    if (body.cwds.join() !== flow.cwds.join()) walk.emit(bare("cd", [], inside, flow));
    flow.cwds = fewFolders([...flow.cwds, ...body.cwds]);
  }

  function walkArithmetic(node: SyntaxNode, inside: Inside, flow: Flow): void {
    walkScripts(node, inside, flow);
    for (const name of numbersAssigned(node)) {
      walk.assign(name, [{ text: "0", isGlob: false, holdsNumber: true }]);
      flow.assigned.add(name);
    }
  }

  /** What runs inside the words of a node, before it. */
  function walkScripts(node: SyntaxNode, inside: Inside, flow: Flow): void {
    if (evaluatesText(node, around(walk, flow))) walk.emit(bare(EVALUATION, [], inside, flow));
    const apart = { ...inside, pipedFrom: [], stdin: undefined, wrappers: [], starters: [], layers: [] };
    for (const { script, isFed } of scriptsIn(node))
      walkScript(script, isFed ? { ...apart, pipedFrom: [bare("", [], inside, flow)] } : apart, copy(flow));
  }

  function wordsOf(word: Word, flow: Flow): readonly ShellWord[] {
    return expandWord(word, around(walk, flow)).flat();
  }

  return {
    walk: (script: ParsedScript) =>
      walkScript(noteReads(script), OUTSIDE, { cwds: [place.cwd], assigned: new Set() }),
    reading: (): ShellReading => ({
      commands,
      problems: [...problems],
      forkBomb,
      reads: [...reads].filter((name) => !(known.values.has(name) && isOwnVariable(name))),
      leftOut: [...leftOut],
    }),
    known: () => known,
    isWorthAgain: () => readsBeforeAssigned || known.aliases.size > 0 || known.functions.size > 0,
  };
}
