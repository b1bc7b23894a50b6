import { scriptOfWords } from "./carried-commands.ts";
import { isProgramName } from "./text-scripts.ts";

const DEEPEST = 8;
const MAX_PAIRS = 8;
const MAX_WORDS = 500;

/** The words of a command, in one list or in lists of lists. */
export function wordLists(list: readonly unknown[]): readonly string[] {
  const words = list.flat(DEEPEST);
  const isWords = words.every((each) => typeof each === "string" || typeof each === "number");
  if (!isWords || words.length < 2) return [];
  const first = String(words[0]);
  // With a blank in it, it is a whole command or a sentence, and is judged by itself.
  const isSaid = /\s/.test(first) && !/^[-/~.]/.test(String(words[1]));
  return isSaid ? [] : [scriptOfWords(words.map(String))];
}

/** `{ program: "rm", arguments: ["-rf", "/"] }`: a name, and beside it words. */
export function programs(value: object, isSaid: (key: string) => boolean): readonly string[] {
  const fields = Object.entries(value).flatMap(([key, each]) => (isSaid(key) ? [] : [each as unknown]));
  const names = fields
    .filter((each): each is string => typeof each === "string" && /^[\w./~+-]{1,200}$/.test(each))
    .filter((each) => isProgramName(each.slice(each.lastIndexOf("/") + 1)))
    .slice(0, MAX_PAIRS);
  if (names.length === 0) return [];
  const words = fields.flatMap((each) => (names.includes(each as string) ? [] : wordsOf(each)));
  const rests = words.length > 1 ? [...words.slice(0, MAX_PAIRS), words.join(" ")] : words;
  return names.flatMap((name) => rests.map((rest) => `${name} ${rest}`));
}

function wordsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value.length < 5_000 ? [value] : [];
  if (Array.isArray(value))
    return value.every((one) => typeof one === "string" || typeof one === "number")
      ? [scriptOfWords(value.slice(0, MAX_WORDS).map(String))]
      : [];
  const options = typeof value === "object" && value !== null ? optionsOf(value) : [];
  return options.length === 0 ? [] : [scriptOfWords(options)];
}

/** `{ recursive: true, mode: "x" }` */
function optionsOf(value: object): readonly string[] {
  return Object.entries(value)
    .slice(0, MAX_WORDS)
    .flatMap(([name, inner]) => {
      const option = name.startsWith("-") ? name : name.length === 1 ? `-${name}` : `--${name}`;
      if (inner === true) return [option];
      return typeof inner === "string" || typeof inner === "number" ? [option, String(inner)] : [];
    });
}

const TOOL_PROGRAM =
  /^(?:git|docker|podman|kubectl|helm|npm|pnpm|yarn|pip|gh|aws|gcloud|make|cargo|brew|systemctl|launchctl|crontab|hookline|claude|rsync|tar|curl|wget|find|sed|tee|rm|cp|mv|cat|chmod|dd)$/;
const SAYS_NOTHING = /^(?:run|exec|execute|command|cmd|call|do|tool|mcp|cli|shell)$/;

/** A tool that is called like a program: its words are that program's. `isText` tells what is for people, or names no file. */
export function scriptOfTool(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  isText: (key: string, value: string) => boolean,
): string | undefined {
  const [server = "", verb = ""] = toolName.split("__").slice(-2);
  const tokens = verb.toLowerCase().split(/[_-]+/);
  const program = [tokens[0] ?? "", server.toLowerCase()].find((each) => TOOL_PROGRAM.test(each));
  if (program === undefined) return undefined;
  const verbs = tokens.filter((token) => token !== program && !SAYS_NOTHING.test(token));
  const words = Object.entries(input).flatMap(([key, value]): readonly string[] => {
    if (isText(key, String(value))) return [];
    if (value === true) return [`--${key}`];
    if (typeof value === "string")
      return /^(?:args|arguments|command|cmd|options)$/i.test(key) ? value.split(/\s+/) : [value];
    if (Array.isArray(value)) return value.flat(DEEPEST).filter((each) => typeof each === "string");
    return typeof value === "object" && value !== null ? optionsOf(value) : [];
  });
  const all = [...verbs, ...words.filter((word) => word !== program)].slice(0, MAX_WORDS);
  return scriptOfWords([program, ...all]);
}
