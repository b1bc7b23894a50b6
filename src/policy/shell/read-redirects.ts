import type { Command, Redirection } from "unbash";
import { expandText, expandWord } from "./expand-word.ts";
import { type ShellRedirect, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import { type Flow, toExpansionContext, type Walk } from "./walk.ts";

/** One redirection per file that the word after the operator may name. */
export function readRedirects(walk: Walk, node: Redirection, flow: Flow): readonly ShellRedirect[] {
  const { operator } = node;
  if (node.type === "HereDoc") {
    const { parts } = node.body;
    const hereText =
      parts === undefined
        ? { text: node.body.text, variables: [] }
        : expandText(parts, toExpansionContext(walk, flow));
    return [{ operator, target: null, ...hereText }];
  }
  const words =
    node.target === undefined ? [] : expandWord(node.target, toExpansionContext(walk, flow)).flat();
  const variables = words.flatMap((word) => word.variables);
  if (node.type === "HereString")
    return [{ operator, target: null, text: words.map((word) => word.text).join(" "), variables }];
  // `>!file`, for zsh.
  const clobbered =
    operator.includes(">") && node.target?.text.startsWith("!")
      ? words.map((word) => toWriteRedirect({ ...word, text: word.text.slice(1) }))
      : [];
  const targets = words.length > 0 ? words : [NO_WORD];
  return [...targets.map((target) => ({ operator, target, text: null, variables: [] })), ...clobbered];
}

/** `>! file`: zsh overwrites the file; other shells write to `!` and pass the word on. Both count. */
export function readClobberRedirects(walk: Walk, node: Command, flow: Flow): readonly ShellRedirect[] {
  const inOrder = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  return inOrder.flatMap((item, index) => {
    const next = inOrder[index + 1];
    if (item.type !== "Redirect" || next?.type !== "Word") return [];
    if (!item.operator.includes(">") || item.target?.text !== "!") return [];
    return expandWord(next, toExpansionContext(walk, flow)).flat().map(toWriteRedirect);
  });
}

function toWriteRedirect(target: ShellWord): ShellRedirect {
  return { operator: ">", target, text: null, variables: [] };
}

const NO_WORD: ShellWord = { text: UNKNOWN, display: "…", isGlob: false, variables: [], isProcess: false };
