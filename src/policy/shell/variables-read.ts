import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { spend } from "../work.ts";

/**
 * The variables whose values a script reads, wherever they occur: in a word, in the default of another one, in a
 * comparison, in stdin. Each of these can print a value or reveal it letter by letter.
 */
export function variablesRead(script: ParsedScript): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    spend(8);
    if (node.type === "SimpleExpansion") names.add(node.text.slice(1));
    else if (node.type === "ParameterExpansion") names.add(node.parameter);
    else if (node.type === "ArithmeticWord" && /^[A-Za-z_]\w*$/.test(node.value)) names.add(node.value);
    forEachChild(node, visit);
  };
  for (const statement of script.commands) visit(statement);
  return names;
}
