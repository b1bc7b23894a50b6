import { spend } from "./work.ts";

/** One plain value of a tool's input, with the key that it stands under, however deep. */
export interface Field {
  readonly key: string;
  readonly value: string | number | boolean;
}

const MAX_FIELDS = 500;
const DEEPEST = 8;
const FIELD_COST = 100;

/** The plain values of an input, in its order. What stands in a list has the key of the list. */
export function fieldsOf(input: unknown): readonly Field[] {
  const found: Field[] = [];
  const visit = (value: unknown, key: string, depth: number): void => {
    if (found.length >= MAX_FIELDS || depth > DEEPEST) return;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      spend(FIELD_COST);
      found.push({ key, value });
    } else if (Array.isArray(value)) for (const each of value) visit(each, key, depth + 1);
    else if (typeof value === "object" && value !== null)
      for (const [name, each] of Object.entries(value)) visit(each, name, depth + 1);
    const inner = typeof value === "string" ? parsedText(value) : undefined;
    if (inner !== undefined) visit(inner, key, depth + 1);
  };
  visit(input, "", 0);
  return found;
}

const LONGEST_JSON = 50_000;

/** What a text holds that is JSON. */
export function parsedText(text: string): unknown {
  if (!/^\s*[[{"]/.test(text) || !/[\]}"]$/.test(text.trimEnd()) || text.length > LONGEST_JSON)
    return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Keys that say what a tool of many acts is to do. */
const ACT_KEY =
  /^(?:action|act|op|operation|verb|method|mode|state|status|command|cmd|do|task|type|kind|event|signal|sig|subcommand|request|args|arguments|argv)$/i;

/** The words that say what a tool does, in small letters: of its name, and of values that choose among its acts. */
export interface ToolWords {
  /** `kill process` of `mcp__x__killProcess`. */
  readonly acts: string;
  /** With the name of its server before. */
  readonly all: string;
}

export function toolWords(toolName: string, fields: readonly Field[]): ToolWords {
  const parts = toolName.split("__");
  const chosen = fields.flatMap(({ key, value }) =>
    ACT_KEY.test(key) && typeof value === "string" && /^[a-z][\w.:-]{1,40}$/i.test(value) ? [value] : [],
  );
  const acts = [parts.at(-1) ?? "", ...chosen].map(wordsOf).join(" ");
  return { acts, all: `${parts.slice(0, -1).map(wordsOf).join(" ")} ${acts}` };
}

/** `killProcess`, `kill_process` and `kill-process` are two words. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[^a-zA-Z\d]+/g, " ")
    .toLowerCase()
    .trim();
}
