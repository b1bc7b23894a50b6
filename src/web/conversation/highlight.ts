import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import type { Language } from "./language-of-path.ts";

/** The only importer of the highlighter, in a chunk of its own: import it dynamically. */

export interface Token {
  readonly text: string;
  /** The highlighter's class, such as `hljs-string`; empty for plain text. */
  readonly className: string;
}

const GRAMMARS = {
  ...{ bash, c, cpp, css, go, java, json, kotlin, markdown, php },
  ...{ python, ruby, rust, sql, swift, typescript, xml, yaml },
} satisfies Record<Language, unknown>;
const lowlight = createLowlight(GRAMMARS);

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** The tokens of each line; joined, their texts equal the lines. */
export function highlightLines(lines: readonly string[], language: Language): Token[][] {
  const rows: Token[][] = [[]];
  const visit = (node: Node, className: string): void => {
    if (node.type === "text") {
      for (const [index, text] of node.value.split("\n").entries()) {
        if (index > 0) rows.push([]);
        if (text !== "") rows.at(-1)!.push({ text, className });
      }
    } else if (node.type === "element") {
      const [ownClass] = node.properties["className"] as string[];
      for (const child of node.children) visit(child as Node, ownClass ?? className);
    }
  };
  for (const node of lowlight.highlight(language, lines.join("\n")).children) visit(node, "");
  return rows;
}
