import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";

/** A sentence that the source makes, with `⟦1⟧` for its first value, and where it is made. */
export interface SourceSentence {
  readonly text: string;
  readonly place: string;
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

type Pick = (node: Node) => readonly (Node | null | undefined)[];

/** Sentences that `pick` selects from the syntax tree of every file of a folder, in each of their variants. */
export function sentencesOf(folder: string, pick: Pick): SourceSentence[] {
  return sourcesOf(folder).flatMap((file) => {
    const found: SourceSentence[] = [];
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) for (const one of value) visit(one);
      if (typeof value !== "object" || value === null || Array.isArray(value)) return;
      const node = value as Node;
      for (const picked of pick(node))
        for (const text of picked == null ? [] : variantsOf(picked, { n: 0 }))
          if (/[a-z]/i.test(text.replace(/⟦\d+⟧/g, ""))) found.push({ text, place: file });
      for (const inner of Object.values(node)) visit(inner);
    };
    visit(parseAst(readFileSync(file, "utf8"), { lang: "ts" }).body);
    return found;
  });
}

/** The argument at `at` of every call of one of these functions. */
export function argumentOf(names: readonly string[], at: number): Pick {
  return (node) => {
    const callee = node["callee"] as Node | undefined;
    if (node.type !== "CallExpression" || !names.includes(String(callee?.["name"]))) return [];
    return [(node["arguments"] as Node[])[at]];
  };
}

/** The value of every property and variable of one of these names. */
export function namedValue(names: readonly string[]): Pick {
  return (node) => {
    const key = (node.type === "Property" ? node["key"] : node["id"]) as Node | undefined;
    if (node.type !== "Property" && node.type !== "VariableDeclarator") return [];
    if (!names.includes(String(key?.["name"]))) return [];
    return [(node.type === "Property" ? node["value"] : node["init"]) as Node];
  };
}

/** What functions of these names return. */
export function returnOf(names: readonly string[]): Pick {
  return (node) => {
    const id = node["id"] as Node | null | undefined;
    if (node.type !== "FunctionDeclaration" || !names.includes(String(id?.["name"]))) return [];
    const returned: Node[] = [];
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) for (const one of value) visit(one);
      else if (typeof value === "object" && value !== null) {
        if ((value as Node).type === "ReturnStatement") returned.push((value as Node)["argument"] as Node);
        for (const inner of Object.values(value)) visit(inner);
      }
    };
    visit(node["body"]);
    return returned;
  };
}

/** The texts an expression can have: both sides of a condition; a value that is not in the source is a slot. */
function variantsOf(node: Node, slots: { n: number }): readonly string[] {
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? [node["value"]] : [];
    case "ConditionalExpression":
      return [node["consequent"], node["alternate"]].flatMap((side) => variantsOf(side as Node, slots));
    case "TemplateLiteral": {
      const texts = (node["quasis"] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
      const values = (node["expressions"] as Node[]).map((one) => {
        const variants = variantsOf(one, slots);
        return variants.length > 0 ? variants : [`⟦${++slots.n}⟧`];
      });
      return values.reduce<readonly string[]>(
        (heads, tails, at) => heads.flatMap((head) => tails.map((tail) => `${head}${tail}${texts[at + 1]}`)),
        [texts[0]!],
      );
    }
    default:
      return [];
  }
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.testing)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
