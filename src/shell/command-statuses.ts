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
import { alwaysFails, cannotFail, exitsNonzero, isExitGuard, isNegation, isTested } from "./node-shapes.ts";
import { parseWork } from "./parse-work.ts";
import { printedStatus } from "./printed-status.ts";
import { isSetOnce } from "./set-once.ts";
import { NO_OPTIONS, optionsAfter, optionsAlong, type ShellOptions } from "./shell-options.ts";
import { isOpaque, textOf, wordsOf } from "./simple-command.ts";

export type LineStatus = "zero" | "nonzero" | "unknown";

/** One simple command of a line and its inferred exit status. */
export interface CommandStatus {
  /** Offset in the line; for a command inside `sh -c '…'`, the offset of the `sh` command. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly words: readonly string[];
  /** `suspect`: one of several commands, at least one of which failed. */
  readonly status: InferredStatus;
}

type InferredStatus = LineStatus | "suspect";

const MAX_LINE_CHARS = 10_000;
const MAX_PARSE_WORK = 2_500_000;
const MAX_DEPTH = 4;

/**
 * Infers the exit status of each command in a shell line from the status of the line: a pipe, `;`, `||`, `&`,
 * `!` or a condition hides a command's status, `pipefail` and `errexit` do not, and `echo $?` prints it. Null
 * when the line cannot be parsed. Pure.
 */
export function commandStatuses(
  line: string,
  status: LineStatus,
  output: string,
): readonly CommandStatus[] | null {
  const script = parseLine(line);
  if (script === null) return null;
  const reading: Reading = {
    results: [],
    output,
    mayExitEarly: false,
    functions: new Set(),
    outerSpan: null,
    line,
  };
  readList(reading, withoutExit(line, script.commands), status, NO_OPTIONS, 0);
  return reading.results.map((entry) => {
    const isHidden = reading.mayExitEarly || reading.functions.has(entry.words[0] ?? "");
    return isHidden ? { ...entry, status: withHiddenStatus(entry.status, status) } : entry;
  });
}

function withHiddenStatus(ended: InferredStatus, status: LineStatus): InferredStatus {
  return status === "nonzero" && ended !== "unknown" && ended !== "zero" ? "suspect" : "unknown";
}

function parseLine(line: string): ParsedScript | null {
  if (line.length > MAX_LINE_CHARS || parseWork(line) > MAX_PARSE_WORK) return null;
  const script = parse(line);
  return (script.errors ?? []).length > 0 ? null : script;
}

interface Reading {
  readonly results: CommandStatus[];
  readonly output: string;
  readonly line: string;
  /** An `exit` or a trap may have set a line status that belongs to no command. */
  mayExitEarly: boolean;
  /** Names of functions the line itself defines. */
  readonly functions: Set<string>;
  /** Offsets of the command whose inner script is being read. */
  readonly outerSpan: { readonly start: number; readonly end: number } | null;
}

function readList(
  reading: Reading,
  { statements, carrier }: OwnStatements,
  status: InferredStatus,
  shell: ShellOptions,
  depth: number,
): void {
  const mayLeave = statements.slice(0, -1).some(({ command }) => isExitGuard(command));
  let options = shell;
  for (const [at, statement] of statements.entries()) {
    const { command } = statement;
    // The failing command may have ended the line early.
    const mayHaveExited = status === "nonzero" && (mayLeave || (options.errexit && at > 0));
    const printed = printedStatus(statements, at, reading);
    const ended = ((): InferredStatus => {
      if (statement.background) return "unknown";
      if (printed?.of === "statement") return printed.status;
      if (carrier !== null) return carrier === at ? status : "unknown";
      if (at === statements.length - 1) return mayHaveExited ? "suspect" : status;
      return statusBeforeLast(command, status, options);
    })();
    const from = reading.results.length;
    readNode(reading, command, ended, options, depth);
    const first = reading.results[from];
    if (printed?.of === "first" && first !== undefined)
      reading.results[from] = { ...first, status: printed.status };
    options = optionsAfter(options, statement);
  }
}

/** Infers the status of a command that is not the last in its list. */
function statusBeforeLast(
  command: Statement["command"],
  status: InferredStatus,
  shell: ShellOptions,
): InferredStatus {
  const mayHaveFailed = status === "nonzero" || status === "suspect";
  if (isExitGuard(command)) return status === "zero" ? "zero" : mayHaveFailed ? "suspect" : "unknown";
  if (!shell.errexit || shell.isTested || isTested(command)) return "unknown";
  return mayHaveFailed ? "suspect" : status;
}

interface OwnStatements {
  readonly statements: readonly Statement[];
  /** Index of the statement whose status a final `exit $name` passes on. */
  readonly carrier: number | null;
}

/** Drops a final `exit` that only passes on the status of an earlier statement. */
function withoutExit(line: string, all: readonly Statement[]): OwnStatements {
  const unchanged: OwnStatements = { statements: all, carrier: null };
  const last = all.at(-1)?.command;
  if (last?.type !== "Command" || wordsOf(last)[0] !== "exit" || all.at(-1)!.background) return unchanged;
  const exitArg = wordsOf(last)[1];
  const statements = all.slice(0, -1);
  if (exitArg === undefined || exitArg === "$?") return { statements, carrier: null };
  const name = /^\$\{?(\w+)\}?$/.exec(exitArg)?.[1];
  if (name === undefined || !isSetOnce(line, name)) return unchanged;
  const saved = statements.findLastIndex(
    ({ command, background }) =>
      !background && command.type === "Command" && textOf(line, command) === `${name}=$?`,
  );
  if (saved < 1) return unchanged;
  return { statements, carrier: saved - 1 };
}

function readNode(
  reading: Reading,
  node: SyntaxNode,
  status: InferredStatus,
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
      // An `exit` in a brace group ends the whole line.
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

/** Parts of a condition, loop or function: which of them ran, and with what status, is unknown. */
function readInside(
  reading: Reading,
  node: SyntaxNode,
  status: InferredStatus,
  shell: ShellOptions,
  depth: number,
): void {
  if (node.type === "Function") reading.functions.add(node.name.value);
  const mayHaveFailed = node.type !== "Function" && (status === "nonzero" || status === "suspect");
  forEachChild(node, (child) => {
    if (child.type === "Command")
      readCommand(reading, child, mayHaveFailed ? "suspect" : "unknown", shell, depth);
    else readInside(reading, child, mayHaveFailed ? "suspect" : "unknown", shell, depth);
  });
}

/** The status of a command in `<(…)` or `>(…)` is never checked. */
function readSubstitutions(reading: Reading, node: SyntaxNode, shell: ShellOptions, depth: number): void {
  forEachChild(node, (child) => {
    if (child.type === "ProcessSubstitution") readInside(reading, child, "unknown", shell, depth);
    else if (child.type !== "CommandExpansion") readSubstitutions(reading, child, shell, depth);
  });
}

function readAndOr(
  reading: Reading,
  node: Pick<AndOr, "commands" | "operators">,
  status: InferredStatus,
  along: readonly ShellOptions[],
  depth: number,
): void {
  const [last, operator] = [node.commands.at(-1)!, node.operators.at(-1)];
  if (operator === undefined) {
    readNode(reading, last, status, along[0]!, depth);
    return;
  }
  const [left, right] = operator === "&&" ? statusesOfAnd(status) : statusesOfOr(status, alwaysFails(last));
  const rest = { commands: node.commands.slice(0, -1), operators: node.operators.slice(0, -1) };
  readAndOr(reading, rest, left, along, depth);
  // An exit with a known status hides nothing.
  if (operator === "||" && exitsNonzero(last)) return;
  readNode(reading, last, right, along[node.commands.length - 1]!, depth);
}

function statusesOfAnd(status: InferredStatus): readonly [InferredStatus, InferredStatus] {
  return status === "nonzero" ? ["suspect", "suspect"] : [status, status];
}

function statusesOfOr(
  status: InferredStatus,
  rightFails: boolean,
): readonly [InferredStatus, InferredStatus] {
  if (status === "zero") return [rightFails ? "zero" : "unknown", "unknown"];
  return [status, status];
}

function readPipeline(
  reading: Reading,
  { commands, prefixes }: Pipeline,
  status: InferredStatus,
  outerOptions: ShellOptions,
  depth: number,
): void {
  const shell = prefixes.some(isNegation) ? { ...outerOptions, isTested: true } : outerOptions;
  const isInverted = prefixes.filter(isNegation).length % 2 === 1;
  const ownStatus = isInverted ? invert(status) : status;
  const isLone = commands.length === 1;
  // The shell may have been started with `pipefail`.
  const isPipefail = shell.pipefail || (ownStatus === "nonzero" && cannotFail(commands.at(-1)!));
  commands.forEach((command: CommandNode, at) => {
    const isLast = at === commands.length - 1;
    if (isPipefail && !isLone && ownStatus === "nonzero")
      readNode(reading, command, cannotFail(command) ? "unknown" : "suspect", shell, depth);
    else readNode(reading, command, isPipefail || isLast ? ownStatus : "unknown", shell, depth);
  });
}

function invert(status: InferredStatus): InferredStatus {
  if (status === "zero") return "nonzero";
  return status === "nonzero" ? "zero" : "unknown";
}

function readCommand(
  reading: Reading,
  node: Command,
  status: InferredStatus,
  shell: ShellOptions,
  depth: number,
): void {
  const words = wordsOf(node);
  readSubstitutions(reading, node, shell, depth);
  if (words.length === 0) return;
  if (words[0] === "exit" || words[0] === "return" || words[0] === "trap") reading.mayExitEarly = true;
  const inner = depth < MAX_DEPTH ? innerScript(words, shell) : null;
  const script = inner === null ? null : parseLine(inner.text);
  if (inner === null || script === null) {
    add(reading, node, words, inner !== null || isOpaque(words) ? "unknown" : status);
    return;
  }
  const place = reading.outerSpan ?? { start: node.pos, end: node.end };
  const within: Reading = { ...reading, line: inner.text, outerSpan: place, mayExitEarly: false };
  const ownStatus = inner.isOwnShell
    ? withoutExit(inner.text, script.commands)
    : { statements: script.commands, carrier: null };
  readList(within, ownStatus, status, inner.options, depth + 1);
  reading.mayExitEarly ||= within.mayExitEarly;
}

function add(reading: Reading, node: CommandNode, words: readonly string[], status: InferredStatus): void {
  const { start, end } = reading.outerSpan ?? { start: node.pos, end: node.end };
  reading.results.push({ start, end, text: textOf(reading.line, node), words, status });
}
