import type {
  ArithmeticFor,
  Case,
  CommandNode,
  Coproc,
  For,
  Function as FunctionNode,
  If,
  Select,
  Statement,
  SyntaxNode,
} from "unbash";
import { expandWord } from "./expand-word.ts";
import { numbersAssigned } from "./plain-syntax.ts";
import { isOwnVariable } from "./plain-variables.ts";
import { startsItself } from "./script-shapes.ts";
import { UNKNOWN } from "./shell-reading.ts";
import { around, bare, copy, type Flow, fewFolders, type Inside, toValue, type Walk } from "./walk.ts";

/** A walk that can go down into the parts of a construct. */
export interface TreeWalk extends Walk {
  walkList(statements: readonly Statement[], inside: Inside, flow: Flow): void;
  walkNode(node: CommandNode, inside: Inside, flow: Flow): void;
  /** What runs inside the words of a node, before it. */
  walkScripts(node: SyntaxNode, inside: Inside, flow: Flow): void;
  addForkBomb(name: string): void;
}

/** What has a body: groups, conditions, loops, functions. */
type Compound = Exclude<CommandNode, { readonly type: "Command" | "Redirected" }>;

export function walkCompound(walk: TreeWalk, node: Compound, inside: Inside, flow: Flow): void {
  switch (node.type) {
    case "Subshell":
      walk.walkList(node.body.commands, inside, copy(flow));
      return;
    case "BraceGroup":
      walk.walkList(node.body.commands, inside, flow);
      return;
    case "If":
      walkIf(walk, node, inside, flow);
      return;
    case "For":
    case "Select":
      walkFor(walk, node, inside, flow);
      return;
    case "While":
      walkLoop(walk, [...node.clause.commands, ...node.body.commands], inside, flow);
      return;
    case "Case":
      walkCase(walk, node, inside, flow);
      return;
    case "Function":
      walkFunction(walk, node, inside, flow);
      return;
    case "Coproc":
      walkCoproc(walk, node, inside, flow);
      return;
    case "ArithmeticFor":
      walkArithmeticFor(walk, node, inside, flow);
      return;
    case "TestCommand":
      walk.walkScripts(node, inside, flow);
      walk.emit(bare("[[", [], inside, flow));
      return;
    case "ArithmeticCommand":
      walkArithmetic(walk, node, inside, flow);
      return;
    default:
      node satisfies never;
  }
}

function walkIf(walk: TreeWalk, node: If, inside: Inside, flow: Flow): void {
  walk.walkList(node.clause.commands, inside, flow);
  walkMaybe(walk, node.then.commands, inside, flow);
  for (const branch of node.elif)
    walkMaybe(walk, [...branch.clause.commands, ...branch.then.commands], inside, flow);
  if (node.else !== undefined) walkMaybe(walk, node.else.commands, inside, flow);
}

function walkCase(walk: TreeWalk, node: Case, inside: Inside, flow: Flow): void {
  walk.walkScripts(node.word, inside, flow);
  for (const item of node.items) {
    for (const word of item.pattern) walk.walkScripts(word, inside, flow);
    walkMaybe(walk, item.body.commands, inside, flow);
  }
}

function walkMaybe(walk: TreeWalk, statements: readonly Statement[], inside: Inside, flow: Flow): void {
  const own = copy(flow);
  walk.walkList(statements, inside, own);
  flow.cwds = fewFolders([...flow.cwds, ...own.cwds]);
}

function walkFor(walk: TreeWalk, node: For | Select, inside: Inside, flow: Flow): void {
  const name = node.name.value;
  const words = node.wordlist ?? [];
  for (const word of words) walk.walkScripts(word, inside, flow);
  const values = words.flatMap((word) => expandWord(word, around(walk, flow)).flat()).map(toValue);
  // It prints its words, names of files anywhere among them.
  if (node.type === "Select") walk.emit(bare("select", [], inside, flow));
  if (!isOwnVariable(name)) walk.emit({ ...bare("", [], inside, flow), assigns: [name] });
  walk.assign(name, node.wordlist === undefined ? [{ text: UNKNOWN, isGlob: false }] : values);
  const body = copy(flow);
  body.assigned.add(name);
  walk.walkList(node.body.commands, inside, body);
  leaveLoop(walk, inside, flow, body);
  if (words.length > 0) flow.assigned.add(name);
}

function walkArithmeticFor(walk: TreeWalk, node: ArithmeticFor, inside: Inside, flow: Flow): void {
  for (const part of [node.initialize, node.test, node.update])
    if (part !== undefined) walkArithmetic(walk, part, inside, flow);
  walkLoop(walk, node.body.commands, inside, flow);
}

function walkLoop(walk: TreeWalk, statements: readonly Statement[], inside: Inside, flow: Flow): void {
  const own = copy(flow);
  walk.walkList(statements, inside, own);
  leaveLoop(walk, inside, flow, own);
}

/** A loop that changes the folder ends nobody knows where, and so does each further round. */
function leaveLoop(walk: TreeWalk, inside: Inside, flow: Flow, body: Flow): void {
  if (body.cwds.join() !== flow.cwds.join()) walk.emit(bare("cd", [], inside, flow));
  flow.cwds = fewFolders([...flow.cwds, ...body.cwds]);
}

function walkFunction(
  walk: TreeWalk,
  { name: { value: name }, body }: FunctionNode,
  inside: Inside,
  flow: Flow,
) {
  const own = copy(flow);
  if (startsItself(name, body)) walk.addForkBomb(name);
  walk.functions.set(name, false);
  walkBody(walk, body, inside, own);
  walk.functions.set(name, own.cwds.join() !== flow.cwds.join());
}

/** What runs beside the script is fed by it, nobody knows with what. */
function walkCoproc(walk: TreeWalk, { body }: Coproc, inside: Inside, flow: Flow): void {
  // It puts its channels into a variable of any name.
  walk.emit(bare("coproc", [], inside, flow));
  walkBody(walk, body, { ...inside, pipedFrom: [bare("coproc", [], inside, flow)] }, copy(flow));
}

function walkBody(
  walk: TreeWalk,
  body: FunctionNode["body"] | Coproc["body"],
  inside: Inside,
  flow: Flow,
): void {
  if (body.type === "CompoundList") walk.walkList(body.commands, inside, flow);
  else walk.walkNode(body, inside, flow);
}

function walkArithmetic(walk: TreeWalk, node: SyntaxNode, inside: Inside, flow: Flow): void {
  walk.walkScripts(node, inside, flow);
  for (const name of numbersAssigned(node)) {
    walk.assign(name, [{ text: "0", isGlob: false, holdsNumber: true }]);
    flow.assigned.add(name);
  }
}
