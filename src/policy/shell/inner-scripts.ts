import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";

export interface InnerScript {
  /** Undefined where it cannot be parsed. */
  readonly script: ParsedScript | undefined;
  /** `>(…)`: the output of the command around it is its input. */
  readonly readsOutput: boolean;
}

/** Every script inside a node that runs with it. */
export function innerScriptsOf(node: SyntaxNode): readonly InnerScript[] {
  const found: InnerScript[] = [];
  const visit = (child: SyntaxNode): void => {
    // `$((` may also start a subshell in a substitution: anything but arithmetic counts as unparsable.
    if (isNotArithmetic(child) || isPromptExpansion(child))
      found.push({ script: undefined, readsOutput: false });
    if (
      child.type === "CommandExpansion" ||
      child.type === "ProcessSubstitution" ||
      child.type === "ArithmeticCommandExpansion"
    )
      found.push({
        script: child.script,
        readsOutput: child.type === "ProcessSubstitution" && child.operator === ">",
      });
    else forEachChild(child, visit);
  };
  visit(node);
  return found;
}

/** `${x@P}` runs the variable's value. */
function isPromptExpansion(node: SyntaxNode): boolean {
  return (
    node.type === "ParameterExpansion" &&
    node.operation?.type === "Transform" &&
    node.operation.operand.value === "P"
  );
}

function isNotArithmetic(node: SyntaxNode): boolean {
  if (node.type !== "ArithmeticWord") return false;
  if (node.parts === undefined) return !SUMMAND.test(node.value.trim());
  return node.parts.some((part) =>
    part.type === "Literal" ? !SUMMAND.test(part.value) : !SUMMAND_TYPES.has(part.type),
  );
}

const SUMMAND = /^\$?[\w#@.?[\]]+$/;
const SUMMAND_TYPES: ReadonlySet<string> = new Set([
  "SimpleExpansion",
  "ParameterExpansion",
  "CommandExpansion",
  "ArithmeticExpansion",
]);
