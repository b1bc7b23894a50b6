import type { Key } from "./key-result.ts";

export type TerminalInput =
  | { readonly type: "key"; readonly key: Key }
  | { readonly type: "focus"; readonly isFocused: boolean };

export interface KeyParser {
  /** Parses a chunk of terminal input. A sequence may be split across chunks. */
  parse(chunk: string): TerminalInput[];
  /** Whether an escape waits for the rest of its sequence. */
  isPending(): boolean;
  /** Call when nothing followed the escape: it was the Escape key, or an unknown sequence. */
  flush(): TerminalInput[];
}

/** A complete escape sequence, a key that is its own event, or a run of text. */
const TOKEN =
  /\u001b\u001b?\[\[?[0-?]*[ -/]*[@-~]|\u001b\u001b?O[0-9;]*[A-Za-z]|\u001b[^[O\u001b]|\u001b\u001b(?![[O])|[\u0003\b\u007f]|[^\u001b\u0003\b\u007f]+/gu;

/** The start of a sequence whose rest may come in the next chunk. */
const INCOMPLETE = /\u001b\u001b?(?:\[\[?[0-?]*[ -/]*|O[0-9;]*)?$/u;

export function createKeyParser(): KeyParser {
  let pending = "";
  return {
    parse(chunk) {
      const input = pending + chunk;
      pending = INCOMPLETE.exec(input)?.[0] ?? "";
      const complete = input.slice(0, input.length - pending.length);
      return [...complete.matchAll(TOKEN)].flatMap(([token]) => toInputs(token));
    },
    isPending: () => pending !== "",
    flush() {
      const sequence = pending;
      pending = "";
      if (sequence === "") return [];
      return [toInput(sequence === "\u001b" ? "escape" : "char")];
    },
  };
}

function toInputs(token: string): TerminalInput[] {
  if (token === "\u001b[I" || token === "\u001b[O")
    return [{ type: "focus", isFocused: token.endsWith("I") }];
  if (token === "\u001b\u001b") return [toInput("escape")];
  if (token.startsWith("\u001b")) return [toInput(nameOfSequence(token))];
  const characters = [...token];
  // Several characters in one chunk were pasted, or typed while the process was stalled.
  if (characters.length > 1)
    return characters.map((text) => ({ type: "key", key: { name: "char", text, isPasted: true } }));
  const name = CONTROLS[token];
  if (name !== undefined) return [toInput(name)];
  return [{ type: "key", key: { name: "char", text: token < " " ? "" : token } }];
}

function toInput(name: Key["name"]): TerminalInput {
  return { type: "key", key: { name, text: "" } };
}

const CONTROLS: Readonly<Record<string, Key["name"]>> = {
  "\u0003": "interrupt",
  "\b": "backspace",
  "\u007f": "backspace",
  "\t": "next",
  "\r": "enter",
  "\n": "enter",
};

const SEQUENCES: Readonly<Record<string, Key["name"]>> = {
  A: "up",
  B: "down",
  C: "next",
  D: "previous",
  F: "end",
  H: "home",
  Z: "previous",
  "1~": "home",
  "3~": "backspace",
  "4~": "end",
  "5~": "pageUp",
  "6~": "pageDown",
  "7~": "home",
  "8~": "end",
};

/** Unknown sequences and Alt or Ctrl combinations become a key without text. */
function nameOfSequence(sequence: string): Key["name"] {
  const body = /^\u001b[[O](.*)$/s.exec(sequence)?.[1] ?? "";
  const [, number = "", modifier = "1", end = ""] = /^(\d*)(?:;(\d+))?(.)$/s.exec(body) ?? [];
  const isShiftOrNone = modifier === "1" || modifier === "2";
  return (isShiftOrNone && SEQUENCES[end === "~" ? `${number}~` : end]) || "char";
}
