import type { CommandNode, ParsedScript, PipelineNode, Redirected, Statement, SyntaxNode } from "unbash";
import { giveUp } from "../work.ts";
import { createFindings, type Findings } from "./collect-findings.ts";
import { scriptsIn } from "./inner-scripts.ts";
import { parseScript } from "./parse-script.ts";
import { evaluatesText } from "./plain-syntax.ts";
import { printedText } from "./printed-text.ts";
import { readClobbered, readRedirects } from "./read-redirects.ts";
import { endsOnFailure, isOneChain } from "./script-shapes.ts";
import { EVALUATION, UNKNOWN } from "./shell-reading.ts";
import { startCommand } from "./start-command.ts";
import { isFedByFile } from "./start-shell.ts";
import { around, bare, copy, type Flow, fewFolders, type Inside, type Known, OUTSIDE } from "./walk.ts";
import { type TreeWalk, walkCompound } from "./walk-compound.ts";

interface ScriptWalk extends TreeWalk {
  readonly findings: Findings;
}

export function createWalk(
  place: { readonly home: string; readonly cwd: string; readonly findsHidden: boolean },
  before?: Known,
) {
  const findings = createFindings(before);
  const { known, emit, assign, addForkBomb, reading, isWorthAgain } = findings;
  const walkNew = (script: ParsedScript, inside: Inside, flow: Flow): void => {
    findings.addReads(script);
    walkScript(walk, script, inside, flow);
  };
  const walk: ScriptWalk = {
    ...known,
    home: place.home,
    findsHidden: place.findsHidden,
    findings,
    emit,
    assign,
    addForkBomb,
    walkText(text, inside, flow) {
      // What is not known of the text is a variable that nobody knows: the rest of it can still be judged.
      walkNew(parseScript(text.replaceAll(UNKNOWN, "\u0024{__}")), inside, flow);
    },
    walkList: (statements, inside, flow) => walkList(walk, statements, inside, flow),
    walkNode: (node, inside, flow) => walkNode(walk, node, inside, flow),
    walkScripts: (node, inside, flow) => walkScripts(walk, node, inside, flow),
  };
  return {
    walk: (script: ParsedScript) => walkNew(script, OUTSIDE, { cwds: [place.cwd], assigned: new Set() }),
    reading,
    known: () => known,
    isWorthAgain,
  };
}

const MAX_DEPTH = 24;

function walkScript(walk: ScriptWalk, script: ParsedScript | undefined, inside: Inside, flow: Flow): void {
  if (script === undefined) {
    walk.findings.addProblem("a part of it is not understood");
    return;
  }
  for (const error of script.errors ?? []) walk.findings.addProblem(error.message);
  if (inside.depth > MAX_DEPTH) giveUp();
  const isGuarding = inside.depth === 0 && isOneChain(script);
  walkList(walk, script.commands, { ...inside, isGuarding, depth: inside.depth + 1 }, flow);
}

function walkList(walk: ScriptWalk, statements: readonly Statement[], inside: Inside, flow: Flow): void {
  for (const statement of statements) {
    const own = statement.background ? copy(flow) : flow;
    const node = statement.command;
    if (node.type === "AndOr") walkChain(walk, node.commands, node.operators, inside, own);
    else walkPipeline(walk, node, { ...inside, isGuarding: false }, own);
  }
}

function walkChain(
  walk: ScriptWalk,
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
    walkPipeline(walk, node, { ...inside, isGuarding }, own);
    if (at === 0) flow.assigned = new Set(chain.assigned);
    for (const cwd of own.cwds) cwds.add(cwd);
  }
  flow.cwds = endsOnFailure(nodes, operators) ? chain.cwds : fewFolders([...cwds]);
}

function walkPipeline(walk: ScriptWalk, node: PipelineNode, inside: Inside, flow: Flow): void {
  if (node.type !== "Pipeline") {
    walkNode(walk, node, inside, flow);
    return;
  }
  if (node.commands.length === 1) {
    walkNode(walk, node.commands[0]!, inside, flow);
    return;
  }
  let own = inside;
  for (const stage of node.commands) {
    const start = walk.findings.count();
    walkNode(walk, stage, own, copy(flow));
    const made = walk.findings.since(start);
    const stdin = made.length === 1 ? printedText(made[0]!) : undefined;
    own = { ...inside, pipedFrom: [...own.pipedFrom, ...made], stdin };
  }
}

function walkNode(walk: ScriptWalk, node: CommandNode, inside: Inside, flow: Flow): void {
  switch (node.type) {
    case "Command": {
      const start = walk.findings.count();
      walkScripts(walk, node, inside, flow);
      startCommand(walk, node, inside, flow, {
        substituted: walk.findings.since(start),
        redirects: [
          ...node.redirects.flatMap((each) => readRedirects(walk, each, flow)),
          ...readClobbered(walk, node, flow),
        ],
      });
      return;
    }
    case "Redirected":
      walkRedirected(walk, node, inside, flow);
      return;
    default:
      walkCompound(walk, node, inside, flow);
  }
}

function walkRedirected(walk: ScriptWalk, node: Redirected, inside: Inside, flow: Flow): void {
  for (const each of node.redirects) walkScripts(walk, each, inside, flow);
  const redirects = node.redirects.flatMap((each) => readRedirects(walk, each, flow));
  walk.emit(bare("", redirects, inside, flow));
  const text = redirects.find((each) => each.text !== null)?.text ?? undefined;
  const fed = isFedByFile({ redirects }) ? UNKNOWN : text;
  const within = fed === undefined ? inside : { ...inside, stdin: fed, pipedFrom: [] };
  walkNode(walk, node.command, within, flow);
}

/** What runs inside the words of a node, before it. */
function walkScripts(walk: ScriptWalk, node: SyntaxNode, inside: Inside, flow: Flow): void {
  if (evaluatesText(node, around(walk, flow))) walk.emit(bare(EVALUATION, [], inside, flow));
  const apart = { ...inside, pipedFrom: [], stdin: undefined, wrappers: [], starters: [], layers: [] };
  for (const { script, isFed } of scriptsIn(node)) {
    const within = isFed ? { ...apart, pipedFrom: [bare("", [], inside, flow)] } : apart;
    walkScript(walk, script, within, copy(flow));
  }
}
