import { quoteWords } from "./nested-commands.ts";
import { isProgramName } from "./text-scripts.ts";

const MAX_DEPTH = 8;
/** Longer values are prose. */
const MAX_WORD_LENGTH = 32_768;

/** The words of a command, in one list or in nested lists. */
export function scriptsFromWordLists(list: readonly unknown[]): readonly string[] {
  const words = list.flat(MAX_DEPTH);
  const isWords = words.every((word) => typeof word === "string" || typeof word === "number");
  if (!isWords || words.length < 2) return [];
  const first = String(words[0]);
  // With a space in it, it is a complete command or a sentence, and is judged separately.
  const isSentence = /\s/.test(first) && !/^[-/~.]/.test(String(words[1]));
  return isSentence ? [] : [quoteWords(words.map(String))];
}

/** `{ program: "rm", arguments: ["-rf", "/"] }`: a name with words next to it. */
export function scriptsFromFields(value: object, isText: (key: string) => boolean): readonly string[] {
  const fields = Object.entries(value).flatMap(([key, field]) => (isText(key) ? [] : [field as unknown]));
  const names = fields
    .filter((field): field is string => typeof field === "string" && /^[\w./~+-]+$/.test(field))
    .filter((name) => isProgramName(name.slice(name.lastIndexOf("/") + 1)));
  if (names.length === 0) return [];
  const words = fields.flatMap((field) => (names.includes(field as string) ? [] : wordsOf(field)));
  const rests = words.length > 1 ? [...words, words.join(" ")] : words;
  return names.flatMap((name) => rests.map((rest) => `${name} ${rest}`));
}

function wordsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value.length <= MAX_WORD_LENGTH ? [value] : [];
  if (Array.isArray(value))
    return value.every((word) => typeof word === "string" || typeof word === "number")
      ? [quoteWords(value.map(String))]
      : [];
  const options = typeof value === "object" && value !== null ? optionsOf(value) : [];
  return options.length === 0 ? [] : [quoteWords(options)];
}

/** `{ recursive: true, mode: "x" }` */
function optionsOf(value: object): readonly string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const option = name.startsWith("-") ? name : name.length === 1 ? `-${name}` : `--${name}`;
    if (inner === true) return [option];
    return typeof inner === "string" || typeof inner === "number" ? [option, String(inner)] : [];
  });
}

const TOOL_PROGRAM =
  /^(?:git|docker|podman|kubectl|helm|npm|pnpm|yarn|pip|gh|aws|gcloud|make|cargo|brew|systemctl|launchctl|crontab|hookline|claude|rsync|tar|curl|wget|find|sed|tee|rm|cp|mv|cat|chmod|dd)$/;
const GENERIC_VERB = /^(?:run|exec|execute|command|cmd|call|do|tool|mcp|cli|shell)$/;

/** A tool named like a program: its words are that program's. `isText`: for people, or not a file name. */
export function scriptFromToolName(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  isText: (key: string, value: string) => boolean,
): string | undefined {
  const [server = "", verb = ""] = toolName.split("__").slice(-2);
  const tokens = verb.toLowerCase().split(/[_-]+/);
  const program = [tokens[0] ?? "", server.toLowerCase()].find((name) => TOOL_PROGRAM.test(name));
  if (program === undefined) return undefined;
  const verbs = tokens.filter((token) => token !== program && !GENERIC_VERB.test(token));
  const words = Object.entries(input).flatMap(([key, value]): readonly string[] => {
    if (isText(key, String(value))) return [];
    if (value === true) return [`--${key}`];
    if (typeof value === "string")
      return /^(?:args|arguments|command|cmd|options)$/i.test(key) ? value.split(/\s+/) : [value];
    if (Array.isArray(value)) return value.flat(MAX_DEPTH).filter((element) => typeof element === "string");
    return typeof value === "object" && value !== null ? optionsOf(value) : [];
  });
  const allWords = [...verbs, ...words.filter((word) => word !== program)];
  return quoteWords([program, ...allWords]);
}
