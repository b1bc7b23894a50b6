import { forEachChild, type ParsedScript, type PipelineNode, type SyntaxNode } from "unbash";

/** Whether a function calls itself in a pipeline or in the background. */
export function isForkBomb(name: string, body: SyntaxNode): boolean {
  let found = false;
  const visit = (node: SyntaxNode, multiplies: boolean): void => {
    if (node.type === "Command" && node.name?.value === name && multiplies) found = true;
    const isMultiplied =
      multiplies ||
      (node.type === "Pipeline" && node.commands.length > 1) ||
      (node.type === "Statement" && node.background === true) ||
      node.type === "Coproc";
    forEachChild(node, (child) => visit(child, isMultiplied));
  };
  visit(body, false);
  return found;
}

/** `cd x || exit`: the rest runs only if the first succeeded. */
export function exitsOnFailure(nodes: readonly PipelineNode[], operators: readonly string[]): boolean {
  const last = nodes.at(-1);
  return (
    operators.length === 1 &&
    operators[0] === "||" &&
    last?.type === "Command" &&
    /^(?:exit|return)$/.test(last.name?.value ?? "")
  );
}

/** `a && b && c`, and nothing else: a failure ends it. */
export function isAndChain({ commands }: ParsedScript): boolean {
  const [statement] = commands;
  return (
    commands.length === 1 &&
    statement!.background !== true &&
    statement!.command.type === "AndOr" &&
    statement!.command.operators.every((operator) => operator === "&&")
  );
}
