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
import { numericAssignments } from "./plain-syntax.ts";
import { isOwnVariable } from "./plain-variables.ts";
import { isForkBomb } from "./script-shapes.ts";
import { UNKNOWN } from "./shell-reading.ts";
import {
  type ConstructContext,
  copyFlow,
  emptyCommand,
  type Flow,
  limitFolders,
  toExpansionContext,
  toValue,
  type Walk,
} from "./walk.ts";

/** A walk that can descend into the parts of a construct. */
export interface TreeWalk extends Walk {
  walkList(statements: readonly Statement[], inside: ConstructContext, flow: Flow): void;
  walkNode(node: CommandNode, inside: ConstructContext, flow: Flow): void;
  /** What runs inside the words of a node, before it. */
  walkScripts(node: SyntaxNode, inside: ConstructContext, flow: Flow): void;
  addForkBomb(name: string): void;
}

/** Nodes with a body: groups, conditions, loops, functions. */
type Compound = Exclude<CommandNode, { readonly type: "Command" | "Redirected" }>;

export function walkCompound(walk: TreeWalk, node: Compound, inside: ConstructContext, flow: Flow): void {
  switch (node.type) {
    case "Subshell":
      walk.walkList(node.body.commands, inside, copyFlow(flow));
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
      walk.emit(emptyCommand("[[", [], inside, flow));
      return;
    case "ArithmeticCommand":
      walkArithmetic(walk, node, inside, flow);
      return;
    default:
      node satisfies never;
  }
}

function walkIf(walk: TreeWalk, node: If, inside: ConstructContext, flow: Flow): void {
  walk.walkList(node.clause.commands, inside, flow);
  walkOptional(walk, node.then.commands, inside, flow);
  for (const branch of node.elif)
    walkOptional(walk, [...branch.clause.commands, ...branch.then.commands], inside, flow);
  if (node.else !== undefined) walkOptional(walk, node.else.commands, inside, flow);
}

function walkCase(walk: TreeWalk, node: Case, inside: ConstructContext, flow: Flow): void {
  walk.walkScripts(node.word, inside, flow);
  for (const item of node.items) {
    for (const word of item.pattern) walk.walkScripts(word, inside, flow);
    walkOptional(walk, item.body.commands, inside, flow);
  }
}

function walkOptional(
  walk: TreeWalk,
  statements: readonly Statement[],
  inside: ConstructContext,
  flow: Flow,
): void {
  const branchFlow = copyFlow(flow);
  walk.walkList(statements, inside, branchFlow);
  flow.cwds = limitFolders([...flow.cwds, ...branchFlow.cwds]);
}

function walkFor(walk: TreeWalk, node: For | Select, inside: ConstructContext, flow: Flow): void {
  const name = node.name.value;
  const words = node.wordlist ?? [];
  for (const word of words) walk.walkScripts(word, inside, flow);
  const values = words
    .flatMap((word) => expandWord(word, toExpansionContext(walk, flow)).flat())
    .map(toValue);
  // It prints its words, which may be file names.
  if (node.type === "Select") walk.emit(emptyCommand("select", [], inside, flow));
  if (!isOwnVariable(name)) walk.emit({ ...emptyCommand("", [], inside, flow), assignedVariables: [name] });
  walk.assign(name, node.wordlist === undefined ? [{ text: UNKNOWN, isGlob: false }] : values);
  const body = copyFlow(flow);
  body.assigned.add(name);
  walk.walkList(node.body.commands, inside, body);
  leaveLoop(walk, inside, flow, body);
  if (words.length > 0) flow.assigned.add(name);
}

function walkArithmeticFor(walk: TreeWalk, node: ArithmeticFor, inside: ConstructContext, flow: Flow): void {
  for (const part of [node.initialize, node.test, node.update])
    if (part !== undefined) walkArithmetic(walk, part, inside, flow);
  walkLoop(walk, node.body.commands, inside, flow);
}

function walkLoop(
  walk: TreeWalk,
  statements: readonly Statement[],
  inside: ConstructContext,
  flow: Flow,
): void {
  const branchFlow = copyFlow(flow);
  walk.walkList(statements, inside, branchFlow);
  leaveLoop(walk, inside, flow, branchFlow);
}

/** A loop that changes the folder ends in an unknown one, and so does each further iteration. */
function leaveLoop(walk: TreeWalk, inside: ConstructContext, flow: Flow, body: Flow): void {
  if (body.cwds.join() !== flow.cwds.join()) walk.emit(emptyCommand("cd", [], inside, flow));
  flow.cwds = limitFolders([...flow.cwds, ...body.cwds]);
}

function walkFunction(
  walk: TreeWalk,
  { name: { value: name }, body }: FunctionNode,
  inside: ConstructContext,
  flow: Flow,
) {
  const branchFlow = copyFlow(flow);
  if (isForkBomb(name, body)) walk.addForkBomb(name);
  walk.functions.set(name, false);
  walkBody(walk, body, inside, branchFlow);
  walk.functions.set(name, branchFlow.cwds.join() !== flow.cwds.join());
}

/** The script feeds a coprocess unknown input. */
function walkCoproc(walk: TreeWalk, { body }: Coproc, inside: ConstructContext, flow: Flow): void {
  // It stores its channels in a variable of any name.
  walk.emit(emptyCommand("coproc", [], inside, flow));
  walkBody(walk, body, { ...inside, pipedFrom: [emptyCommand("coproc", [], inside, flow)] }, copyFlow(flow));
}

function walkBody(
  walk: TreeWalk,
  body: FunctionNode["body"] | Coproc["body"],
  inside: ConstructContext,
  flow: Flow,
): void {
  if (body.type === "CompoundList") walk.walkList(body.commands, inside, flow);
  else walk.walkNode(body, inside, flow);
}

function walkArithmetic(walk: TreeWalk, node: SyntaxNode, inside: ConstructContext, flow: Flow): void {
  walk.walkScripts(node, inside, flow);
  for (const name of numericAssignments(node)) {
    walk.assign(name, [{ text: "0", isGlob: false, holdsNumber: true }]);
    flow.assigned.add(name);
  }
}
