import type { Redirection } from "unbash";
import { expandText, expandWord } from "./expand-word.ts";
import { type ShellRedirect, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import { around, type Flow, type Walk } from "./walk.ts";

/** One for each file that the word after it may name. */
export function readRedirects(walk: Walk, node: Redirection, flow: Flow): readonly ShellRedirect[] {
  const { operator } = node;
  if (node.type === "HereDoc") {
    const { parts } = node.body;
    const fed =
      parts === undefined ? { text: node.body.text, variables: [] } : expandText(parts, around(walk, flow));
    return [{ operator, target: null, ...fed }];
  }
  const words = node.target === undefined ? [] : expandWord(node.target, around(walk, flow)).flat();
  const variables = words.flatMap((word) => word.variables);
  if (node.type === "HereString")
    return [{ operator, target: null, text: words.map((word) => word.text).join(" "), variables }];
  return (words.length > 0 ? words : [NO_WORD]).map((target) => ({
    operator,
    target,
    text: null,
    variables: [],
  }));
}

const NO_WORD: ShellWord = { text: UNKNOWN, shown: "…", isGlob: false, variables: [], isProcess: false };
