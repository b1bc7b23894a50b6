import type { CommandNode, ParsedScript, PipelineNode, Redirected, Statement, SyntaxNode } from "unbash";
import { giveUp } from "../work.ts";
import { createReadingCollector, type ReadingCollector } from "./collect-reading.ts";
import { innerScriptsOf } from "./inner-scripts.ts";
import { parseScript } from "./parse-script.ts";
import { evaluatesText } from "./plain-syntax.ts";
import { printedText } from "./printed-text.ts";
import { readClobberRedirects, readRedirects } from "./read-redirects.ts";
import { exitsOnFailure, isAndChain } from "./script-shapes.ts";
import { EVALUATION, UNKNOWN } from "./shell-reading.ts";
import { startCommand } from "./start-command.ts";
import { readsStdinFromFile } from "./start-shell.ts";
import {
  type ConstructContext,
  copyFlow,
  type Definitions,
  emptyCommand,
  type Flow,
  limitFolders,
  TOP_LEVEL,
  toExpansionContext,
} from "./walk.ts";
import { type TreeWalk, walkCompound } from "./walk-compound.ts";

interface ScriptWalk extends TreeWalk {
  readonly collector: ReadingCollector;
}

export function createWalk(
  start: { readonly home: string; readonly cwd: string; readonly findsHidden: boolean },
  before?: Definitions,
) {
  const collector = createReadingCollector(before);
  const { definitions, emit, assign, addForkBomb, reading, needsSecondWalk } = collector;
  const walkNew = (script: ParsedScript, inside: ConstructContext, flow: Flow): void => {
    collector.addReads(script);
    walkScript(walk, script, inside, flow);
  };
  const walk: ScriptWalk = {
    ...definitions,
    home: start.home,
    findsHidden: start.findsHidden,
    collector,
    emit,
    assign,
    addForkBomb,
    walkText(text, inside, flow) {
      // Unknown text becomes an unknown variable, so that the rest of it can still be judged.
      walkNew(parseScript(text.replaceAll(UNKNOWN, "\u0024{__}")), inside, flow);
    },
    walkList: (statements, inside, flow) => walkList(walk, statements, inside, flow),
    walkNode: (node, inside, flow) => walkNode(walk, node, inside, flow),
    walkScripts: (node, inside, flow) => walkScripts(walk, node, inside, flow),
  };
  return {
    walk: (script: ParsedScript) => walkNew(script, TOP_LEVEL, { cwds: [start.cwd], assigned: new Set() }),
    reading,
    definitions: () => definitions,
    needsSecondWalk,
  };
}

const MAX_DEPTH = 24;

function walkScript(
  walk: ScriptWalk,
  script: ParsedScript | undefined,
  inside: ConstructContext,
  flow: Flow,
): void {
  if (script === undefined) {
    walk.collector.addProblem("a part of it is not understood");
    return;
  }
  for (const error of script.errors ?? []) walk.collector.addProblem(error.message);
  if (inside.depth > MAX_DEPTH) giveUp();
  const stopsOnFailure = inside.depth === 0 && isAndChain(script);
  walkList(walk, script.commands, { ...inside, stopsOnFailure, depth: inside.depth + 1 }, flow);
}

function walkList(
  walk: ScriptWalk,
  statements: readonly Statement[],
  inside: ConstructContext,
  flow: Flow,
): void {
  for (const statement of statements) {
    const statementFlow = statement.background ? copyFlow(flow) : flow;
    const node = statement.command;
    if (node.type === "AndOr") walkChain(walk, node.commands, node.operators, inside, statementFlow);
    else walkPipeline(walk, node, { ...inside, stopsOnFailure: false }, statementFlow);
  }
}

function walkChain(
  walk: ScriptWalk,
  nodes: readonly PipelineNode[],
  operators: readonly string[],
  inside: ConstructContext,
  flow: Flow,
): void {
  const chain = copyFlow(flow);
  const cwds = new Set<string>();
  for (const [at, node] of nodes.entries()) {
    const nodeFlow = at > 0 && operators[at - 1] === "||" ? copyFlow(chain) : chain;
    const stopsOnFailure = inside.stopsOnFailure && node.type === "Command";
    walkPipeline(walk, node, { ...inside, stopsOnFailure }, nodeFlow);
    if (at === 0) flow.assigned = new Set(chain.assigned);
    for (const cwd of nodeFlow.cwds) cwds.add(cwd);
  }
  flow.cwds = exitsOnFailure(nodes, operators) ? chain.cwds : limitFolders([...cwds]);
}

function walkPipeline(walk: ScriptWalk, node: PipelineNode, inside: ConstructContext, flow: Flow): void {
  if (node.type !== "Pipeline") {
    walkNode(walk, node, inside, flow);
    return;
  }
  if (node.commands.length === 1) {
    walkNode(walk, node.commands[0]!, inside, flow);
    return;
  }
  let stageContext = inside;
  for (const stage of node.commands) {
    const start = walk.collector.count();
    walkNode(walk, stage, stageContext, copyFlow(flow));
    const pipedCommands = walk.collector.since(start);
    const stdin = pipedCommands.length === 1 ? printedText(pipedCommands[0]!) : undefined;
    stageContext = { ...inside, pipedFrom: [...stageContext.pipedFrom, ...pipedCommands], stdin };
  }
}

function walkNode(walk: ScriptWalk, node: CommandNode, inside: ConstructContext, flow: Flow): void {
  switch (node.type) {
    case "Command": {
      const start = walk.collector.count();
      walkScripts(walk, node, inside, flow);
      startCommand(walk, node, inside, flow, {
        substituted: walk.collector.since(start),
        redirects: [
          ...node.redirects.flatMap((redirect) => readRedirects(walk, redirect, flow)),
          ...readClobberRedirects(walk, node, flow),
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

function walkRedirected(walk: ScriptWalk, node: Redirected, inside: ConstructContext, flow: Flow): void {
  for (const redirect of node.redirects) walkScripts(walk, redirect, inside, flow);
  const redirects = node.redirects.flatMap((redirect) => readRedirects(walk, redirect, flow));
  walk.emit(emptyCommand("", redirects, inside, flow));
  const text = redirects.find(({ text }) => text !== null)?.text ?? undefined;
  const stdin = readsStdinFromFile({ redirects }) ? UNKNOWN : text;
  const inner = stdin === undefined ? inside : { ...inside, stdin, pipedFrom: [] };
  walkNode(walk, node.command, inner, flow);
}

/** What runs inside the words of a node, before it. */
function walkScripts(walk: ScriptWalk, node: SyntaxNode, inside: ConstructContext, flow: Flow): void {
  if (evaluatesText(node, toExpansionContext(walk, flow)))
    walk.emit(emptyCommand(EVALUATION, [], inside, flow));
  const separate = { ...inside, pipedFrom: [], stdin: undefined, wrappers: [], starters: [], layers: [] };
  for (const { script, readsOutput } of innerScriptsOf(node)) {
    const inner = readsOutput ? { ...separate, pipedFrom: [emptyCommand("", [], inside, flow)] } : separate;
    walkScript(walk, script, inner, copyFlow(flow));
  }
}
