import { type CommandNode, forEachChild, type PipelineNode, type Statement, type SyntaxNode } from "unbash";
import { wordsOf } from "./simple-command.ts";

/** `command || exit 1`: any later statement implies that the command succeeded. */
export function isExitGuard(node: Statement["command"]): boolean {
  return node.type === "AndOr" && node.operators.at(-1) === "||" && exitsNonzero(node.commands.at(-1)!);
}

export function exitsNonzero(node: PipelineNode): boolean {
  if (node.type === "BraceGroup") {
    const last = lastCommandOf(node.body.commands);
    return last?.type === "Command" && exitsNonzero(last);
  }
  if (node.type !== "Command" || wordsOf(node)[0] !== "exit") return false;
  const [, code = "", ...rest] = wordsOf(node);
  return rest.length === 0 && /^\d{1,6}$/.test(code) && Number(code) % 256 !== 0;
}

export function alwaysFails(node: PipelineNode): boolean {
  if (node.type === "Subshell" || node.type === "BraceGroup") {
    const last = lastCommandOf(node.body.commands);
    return last !== null && last.type !== "AndOr" && alwaysFails(last);
  }
  return node.type === "Command" && (wordsOf(node)[0] === "false" || exitsNonzero(node));
}

/** The last command of a list; null if the list may exit earlier or runs it in the background. */
function lastCommandOf(statements: readonly Statement[]): Statement["command"] | null {
  const last = statements.at(-1);
  if (last === undefined || last.background === true || statements.slice(0, -1).some(mayExit)) return null;
  return last.command;
}

function mayExit(node: SyntaxNode): boolean {
  if (
    node.type === "Command" &&
    /^(?:exit|return|trap|exec|eval|break|continue)$/.test(wordsOf(node)[0] ?? "")
  )
    return true;
  let isFound = false;
  forEachChild(node, (child) => {
    isFound ||= mayExit(child);
  });
  return isFound;
}

/** Whether `errexit` ignores this node's failure: a tested command, or a group that ends with one. */
export function isTested(node: Statement["command"]): boolean {
  switch (node.type) {
    case "AndOr":
      return true;
    case "Pipeline":
      return node.prefixes.some(isNegation) || node.commands.some(isTested);
    case "Redirected":
      return isTested(node.command);
    case "BraceGroup":
      return node.body.commands.slice(-1).some(({ command }) => isTested(command));
    default:
      return false;
  }
}

/** Commands that only print their input. */
export function cannotFail(node: CommandNode): boolean {
  if (node.type !== "Command" || node.redirects.length > 0) return false;
  const [name = "", ...args] = wordsOf(node);
  return /^(?:head|tail|cat|wc)$/.test(name) && args.every((word) => /^[-+]?\d+$|^-/.test(word));
}

export function isNegation({ type }: { readonly type: string }): boolean {
  return type === "Negation";
}
