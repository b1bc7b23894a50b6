import { parseAst } from "rolldown/parseAst";

export interface FunctionLines {
  /** Its own name, or that of the variable it is assigned to; otherwise named after the enclosing function. */
  readonly name: string;
  readonly startLine: number;
  readonly lines: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const TEXTS = new Set(["TemplateElement", "JSXText"]);

/**
 * Every function of a source text with its lines, counted as biome's noExcessiveLinesPerFunction does with
 * `skipBlankLines`: the rows of its body, nested functions included, without blank ones, comments, braces, and rows
 * within a text.
 */
export function functionLines(path: string, source: string): FunctionLines[] {
  const program = parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }) as unknown as Node;
  const rows = source.split("\n");
  const rowAt = rowFinder(rows);
  const isCounted = countedRows(rows);
  const isFirst = (offset: number): boolean =>
    /(?:^|\n)\s*$/.test(source.slice(Math.max(0, offset - 200), offset));
  const found: { readonly name: string; readonly node: Node; readonly body: Node }[] = [];
  const visit = (node: Node, around: string): void => {
    if (TEXTS.has(node.type)) isCounted.fill(false, rowAt(node.start) + 1, rowAt(node.end) + 1);
    const name = nameOf(node) ?? around;
    if (FUNCTIONS.has(node.type) && isNode(node["body"])) found.push({ name, node, body: node["body"] });
    for (const child of childrenOf(node)) visit(child, name);
  };
  visit(program, "");
  return found.map(({ name, node, body }) => {
    const first = rowAt(body.start);
    // An expression may start in the row after its arrow.
    const own = isCounted.slice(isFirst(body.start) ? first : first + 1, rowAt(node.end - 1) + 1);
    return { name, startLine: rowAt(node.start) + 1, lines: own.filter(Boolean).length };
  });
}

/** Rows that start with code other than a brace. */
function countedRows(rows: readonly string[]): boolean[] {
  let isInComment = false;
  return rows.map((row) => {
    const wasInComment = isInComment;
    if (wasInComment || /^\s*\/\*/.test(row)) isInComment = !row.includes("*/");
    return !wasInComment && !/^\s*(?:$|\/[/*]|[{}])/.test(row);
  });
}

function nameOf({ id, key }: Node): string | undefined {
  if (isNode(id) && typeof id["name"] === "string") return id["name"];
  const name = isNode(key) ? (key["name"] ?? key["value"]) : undefined;
  return typeof name === "string" ? name : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** Finds the row of an offset. */
function rowFinder(rows: readonly string[]): (offset: number) => number {
  const starts = [0];
  for (const row of rows) starts.push(starts.at(-1)! + row.length + 1);
  return (offset) => {
    let [low, high] = [0, rows.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}
