import {
  type AndOr,
  type Command,
  type CommandNode,
  forEachChild,
  type ParsedScript,
  type Pipeline,
  parse,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { innerScript } from "./inner-script.ts";
import { alwaysFails, cannotFail, isGuard, isNegation, isTested, leaves } from "./node-shapes.ts";
import { parseWork } from "./parse-work.ts";
import { isSetOnce } from "./set-once.ts";
import { NO_OPTIONS, optionsAfter, optionsAlong, type ShellOptions } from "./shell-options.ts";
import { isOpaque, textOf, wordsOf } from "./simple-command.ts";
import { statusTold } from "./told-status.ts";

export type LineStatus = "zero" | "nonzero" | "unknown";

/** One simple command of a line, and how it must have ended. */
export interface CommandEnd {
  /** Where it stands in the line; of a command in `sh -c '…'`, where that one stands. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly words: readonly string[];
  /** `suspect`: it is one of several of which one has failed. */
  readonly status: Ended;
}

type Ended = LineStatus | "suspect";

const MAX_LINE = 10_000;
const MAX_WORK = 2_500_000;
const MAX_DEPTH = 4;

/**
 * What the exit status of a shell line says of each command in it: a pipe, `;`, `||`, `&`, `!` or a condition hide
 * that of a command, `pipefail` and `errexit` do not, and `echo $?` tells it in the output. Null when the line cannot
 * be read. Pure.
 */
export function commandEnds(line: string, status: LineStatus, output: string): readonly CommandEnd[] | null {
  const script = parsed(line);
  if (script === null) return null;
  const reading: Reading = { found: [], output, leavesEarly: false, functions: new Set(), place: null, line };
  readList(reading, withoutExit(line, script.commands), status, NO_OPTIONS, 0);
  return reading.found.map((each) => {
    const isHidden = reading.leavesEarly || reading.functions.has(each.words[0] ?? "");
    return isHidden ? { ...each, status: hidden(each.status, status) } : each;
  });
}

function hidden(ended: Ended, status: LineStatus): Ended {
  return status === "nonzero" && ended !== "unknown" && ended !== "zero" ? "suspect" : "unknown";
}

function parsed(line: string): ParsedScript | null {
  if (line.length > MAX_LINE || parseWork(line) > MAX_WORK) return null;
  const script = parse(line);
  return (script.errors ?? []).length > 0 ? null : script;
}

interface Reading {
  readonly found: CommandEnd[];
  readonly output: string;
  readonly line: string;
  /** An `exit` or a trap may have given the line a status that is no command's. */
  leavesEarly: boolean;
  /** Names that the line itself defines. */
  readonly functions: Set<string>;
  /** Of the command whose inner script is read. */
  readonly place: { readonly start: number; readonly end: number } | null;
}

function readList(
  reading: Reading,
  { statements, carrier }: OwnStatements,
  status: Ended,
  shell: ShellOptions,
  depth: number,
): void {
  const mayLeave = statements.slice(0, -1).some(({ command }) => isGuard(command));
  let options = shell;
  for (const [at, statement] of statements.entries()) {
    const { command } = statement;
    // Whoever is to blame for a failure may have ended the line before its end.
    const isUnsure = status === "nonzero" && (mayLeave || (options.errexit && at > 0));
    const told = statusTold(statements, at, reading);
    const ended = ((): Ended => {
      if (statement.background) return "unknown";
      if (told?.of === "statement") return told.status;
      if (carrier !== null) return carrier === at ? status : "unknown";
      if (at === statements.length - 1) return isUnsure ? "suspect" : status;
      return endedBefore(command, status, options);
    })();
    const from = reading.found.length;
    readNode(reading, command, ended, options, depth);
    const first = reading.found[from];
    if (told?.of === "first" && first !== undefined) reading.found[from] = { ...first, status: told.status };
    options = optionsAfter(options, statement);
  }
}

/** Of a command that others follow. */
function endedBefore(command: Statement["command"], status: Ended, shell: ShellOptions): Ended {
  const isBlamed = status === "nonzero" || status === "suspect";
  if (isGuard(command)) return status === "zero" ? "zero" : isBlamed ? "suspect" : "unknown";
  if (!shell.errexit || shell.isTested || isTested(command)) return "unknown";
  return isBlamed ? "suspect" : status;
}

interface OwnStatements {
  readonly statements: readonly Statement[];
  /** The statement whose status an `exit $name` at the end gives on. */
  readonly carrier: number | null;
}

/** Without an `exit` at the end that gives on the status of what stands before it. */
function withoutExit(line: string, all: readonly Statement[]): OwnStatements {
  const whole: OwnStatements = { statements: all, carrier: null };
  const last = all.at(-1)?.command;
  if (last?.type !== "Command" || wordsOf(last)[0] !== "exit" || all.at(-1)!.background) return whole;
  const given = wordsOf(last)[1];
  const statements = all.slice(0, -1);
  if (given === undefined || given === "$?") return { statements, carrier: null };
  const name = /^\$\{?(\w+)\}?$/.exec(given)?.[1];
  if (name === undefined || !isSetOnce(line, name)) return whole;
  const saved = statements.findLastIndex(
    ({ command, background }) =>
      !background && command.type === "Command" && textOf(line, command) === `${name}=$?`,
  );
  if (saved < 1) return whole;
  return { statements, carrier: saved - 1 };
}

function readNode(
  reading: Reading,
  node: SyntaxNode,
  status: Ended,
  shell: ShellOptions,
  depth: number,
): void {
  switch (node.type) {
    case "AndOr":
      readAndOr(reading, node, status, optionsAlong(node, shell), depth);
      return;
    case "Pipeline":
      readPipeline(reading, node, status, shell, depth);
      return;
    case "Redirected":
      node.redirects.forEach((redirect) => {
        readSubstitutions(reading, redirect, shell, depth);
      });
      readNode(reading, node.command, status, shell, depth);
      return;
    case "Subshell":
      readList(reading, withoutExit(reading.line, node.body.commands), status, shell, depth);
      return;
    case "BraceGroup":
      // An `exit` in it ends the line.
      readList(reading, { statements: node.body.commands, carrier: null }, status, shell, depth);
      return;
    case "Command":
      readCommand(reading, node, status, shell, depth);
      return;
    case "TestCommand":
    case "ArithmeticCommand":
      add(reading, node, ["[["], status);
      readSubstitutions(reading, node, shell, depth);
      return;
    default:
      readInside(reading, node, status, shell, depth);
  }
}

/** The parts of a condition, a loop or a function: which of them ran, and how it ended, nobody says. */
function readInside(
  reading: Reading,
  node: SyntaxNode,
  status: Ended,
  shell: ShellOptions,
  depth: number,
): void {
  if (node.type === "Function") reading.functions.add(node.name.value);
  const isBlamed = node.type !== "Function" && (status === "nonzero" || status === "suspect");
  forEachChild(node, (child) => {
    if (child.type === "Command") readCommand(reading, child, isBlamed ? "suspect" : "unknown", shell, depth);
    else readInside(reading, child, isBlamed ? "suspect" : "unknown", shell, depth);
  });
}

/** What runs in a `<(…)` or `>(…)` has a status that nobody asks for. */
function readSubstitutions(reading: Reading, node: SyntaxNode, shell: ShellOptions, depth: number): void {
  forEachChild(node, (child) => {
    if (child.type === "ProcessSubstitution") readInside(reading, child, "unknown", shell, depth);
    else if (child.type !== "CommandExpansion") readSubstitutions(reading, child, shell, depth);
  });
}

function readAndOr(
  reading: Reading,
  node: Pick<AndOr, "commands" | "operators">,
  status: Ended,
  along: readonly ShellOptions[],
  depth: number,
): void {
  const [last, operator] = [node.commands.at(-1)!, node.operators.at(-1)];
  if (operator === undefined) {
    readNode(reading, last, status, along[0]!, depth);
    return;
  }
  const [left, right] = operator === "&&" ? endsOfAnd(status) : endsOfOr(status, alwaysFails(last));
  const rest = { commands: node.commands.slice(0, -1), operators: node.operators.slice(0, -1) };
  readAndOr(reading, rest, left, along, depth);
  // What leaves the line in a known way hides nothing.
  if (operator === "||" && leaves(last)) return;
  readNode(reading, last, right, along[node.commands.length - 1]!, depth);
}

function endsOfAnd(status: Ended): readonly [Ended, Ended] {
  return status === "nonzero" ? ["suspect", "suspect"] : [status, status];
}

function endsOfOr(status: Ended, rightFails: boolean): readonly [Ended, Ended] {
  if (status === "zero") return [rightFails ? "zero" : "unknown", "unknown"];
  return [status, status];
}

function readPipeline(
  reading: Reading,
  { commands, prefixes }: Pipeline,
  status: Ended,
  around: ShellOptions,
  depth: number,
): void {
  const shell = prefixes.some(isNegation) ? { ...around, isTested: true } : around;
  const isInverted = prefixes.filter(isNegation).length % 2 === 1;
  const own = isInverted ? inverted(status) : status;
  const isLone = commands.length === 1;
  // The shell may have been started with it.
  const isPipefail = shell.pipefail || (own === "nonzero" && cannotFail(commands.at(-1)!));
  commands.forEach((command: CommandNode, at) => {
    const isLast = at === commands.length - 1;
    if (isPipefail && !isLone && own === "nonzero")
      readNode(reading, command, cannotFail(command) ? "unknown" : "suspect", shell, depth);
    else readNode(reading, command, isPipefail || isLast ? own : "unknown", shell, depth);
  });
}

function inverted(status: Ended): Ended {
  if (status === "zero") return "nonzero";
  return status === "nonzero" ? "zero" : "unknown";
}

function readCommand(
  reading: Reading,
  node: Command,
  status: Ended,
  shell: ShellOptions,
  depth: number,
): void {
  const words = wordsOf(node);
  readSubstitutions(reading, node, shell, depth);
  if (words.length === 0) return;
  if (words[0] === "exit" || words[0] === "return" || words[0] === "trap") reading.leavesEarly = true;
  const inner = depth < MAX_DEPTH ? innerScript(words, shell) : null;
  const script = inner === null ? null : parsed(inner.text);
  if (inner === null || script === null) {
    add(reading, node, words, inner !== null || isOpaque(words) ? "unknown" : status);
    return;
  }
  const place = reading.place ?? { start: node.pos, end: node.end };
  const within: Reading = { ...reading, line: inner.text, place, leavesEarly: false };
  const own = inner.isOwnShell
    ? withoutExit(inner.text, script.commands)
    : { statements: script.commands, carrier: null };
  readList(within, own, status, inner.options, depth + 1);
  reading.leavesEarly ||= within.leavesEarly;
}

function add(reading: Reading, node: CommandNode, words: readonly string[], status: Ended): void {
  const { start, end } = reading.place ?? { start: node.pos, end: node.end };
  reading.found.push({ start, end, text: textOf(reading.line, node), words, status });
}
