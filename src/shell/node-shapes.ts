import type { Command, CommandNode, PipelineNode, Statement } from "unbash";
import { wordsOf } from "./simple-command.ts";

export function simpleCommands(node: Statement["command"]): readonly Command[] {
  if (node.type === "Command") return [node];
  return node.type === "AndOr" ? node.commands.flatMap(simpleCommands) : [];
}

/** `command || exit 1`: whoever comes past it has seen the command succeed. */
export function isGuard(node: Statement["command"]): boolean {
  return node.type === "AndOr" && node.operators.at(-1) === "||" && leaves(node.commands.at(-1)!);
}

export function leaves(node: PipelineNode): boolean {
  if (node.type === "BraceGroup") {
    const last = node.body.commands.at(-1)?.command;
    return last?.type === "Command" && leaves(last);
  }
  return (
    node.type === "Command" && wordsOf(node)[0] === "exit" && /^[1-9]\d{0,2}$/.test(wordsOf(node)[1] ?? "")
  );
}

export function alwaysFails(node: PipelineNode): boolean {
  if (node.type === "Subshell" || node.type === "BraceGroup") {
    const last = node.body.commands.at(-1)?.command;
    return last !== undefined && last.type !== "AndOr" && alwaysFails(last);
  }
  return node.type === "Command" && (wordsOf(node)[0] === "false" || leaves(node));
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
