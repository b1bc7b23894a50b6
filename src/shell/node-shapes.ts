import { type CommandNode, forEachChild, type PipelineNode, type Statement, type SyntaxNode } from "unbash";
import { wordsOf } from "./simple-command.ts";

/** `command || exit 1`: whoever comes past it has seen the command succeed. */
export function isGuard(node: Statement["command"]): boolean {
  return node.type === "AndOr" && node.operators.at(-1) === "||" && leaves(node.commands.at(-1)!);
}

export function leaves(node: PipelineNode): boolean {
  if (node.type === "BraceGroup") {
    const last = lastOf(node.body.commands);
    return last?.type === "Command" && leaves(last);
  }
  if (node.type !== "Command" || wordsOf(node)[0] !== "exit") return false;
  const [, code = "", ...rest] = wordsOf(node);
  return rest.length === 0 && /^\d{1,6}$/.test(code) && Number(code) % 256 !== 0;
}

export function alwaysFails(node: PipelineNode): boolean {
  if (node.type === "Subshell" || node.type === "BraceGroup") {
    const last = lastOf(node.body.commands);
    return last !== null && last.type !== "AndOr" && alwaysFails(last);
  }
  return node.type === "Command" && (wordsOf(node)[0] === "false" || leaves(node));
}

/** What a list ends with; null where it may end before, or does not wait for it. */
function lastOf(statements: readonly Statement[]): Statement["command"] | null {
  const last = statements.at(-1);
  if (last === undefined || last.background === true || statements.slice(0, -1).some(mayLeave)) return null;
  return last.command;
}

function mayLeave(node: SyntaxNode): boolean {
  if (
    node.type === "Command" &&
    /^(?:exit|return|trap|exec|eval|break|continue)$/.test(wordsOf(node)[0] ?? "")
  )
    return true;
  let isFound = false;
  forEachChild(node, (child) => {
    isFound ||= mayLeave(child);
  });
  return isFound;
}

/** Whose failure does not end a shell with `errexit`: what is tested, and a group that ends so. */
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

/** Shows what it reads. */
export function cannotFail(node: CommandNode): boolean {
  if (node.type !== "Command" || node.redirects.length > 0) return false;
  const [name = "", ...args] = wordsOf(node);
  return /^(?:head|tail|cat|wc)$/.test(name) && args.every((word) => /^[-+]?\d+$|^-/.test(word));
}

export function isNegation({ type }: { readonly type: string }): boolean {
  return type === "Negation";
}
