import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";

export interface InnerScript {
  /** Undefined where it is not understood. */
  readonly script: ParsedScript | undefined;
  /** `>(…)`: what the command around it prints is its input. */
  readonly isFed: boolean;
}

/** Every script that stands inside a node and runs with it. */
export function scriptsIn(node: SyntaxNode): readonly InnerScript[] {
  const found: InnerScript[] = [];
  const visit = (child: SyntaxNode): void => {
    // `$((` may also begin a subshell in a substitution: what is no sum is not understood.
    if (isNoSum(child) || isPrompt(child)) found.push({ script: undefined, isFed: false });
    if (
      child.type === "CommandExpansion" ||
      child.type === "ProcessSubstitution" ||
      child.type === "ArithmeticCommandExpansion"
    )
      found.push({
        script: child.script,
        isFed: child.type === "ProcessSubstitution" && child.operator === ">",
      });
    else forEachChild(child, visit);
  };
  visit(node);
  return found;
}

/** `${x@P}` runs what stands in the variable. */
function isPrompt(node: SyntaxNode): boolean {
  return (
    node.type === "ParameterExpansion" &&
    node.operation?.type === "Transform" &&
    node.operation.operand.value === "P"
  );
}

function isNoSum(node: SyntaxNode): boolean {
  if (node.type !== "ArithmeticWord") return false;
  if (node.parts === undefined) return !SUMMAND.test(node.value.trim());
  return node.parts.some((part) =>
    part.type === "Literal" ? !SUMMAND.test(part.value) : !SUMMED.has(part.type),
  );
}

const SUMMAND = /^\$?[\w#@.?[\]]+$/;
const SUMMED: ReadonlySet<string> = new Set([
  "SimpleExpansion",
  "ParameterExpansion",
  "CommandExpansion",
  "ArithmeticExpansion",
]);
