import { giveUp, spend } from "./work.ts";

/** One plain value of a tool's input, with its key, at any depth. */
export interface Field {
  readonly key: string;
  readonly value: string | number | boolean;
}

const MAX_FIELDS = 2_000;
/** `guessInput` asks about what is deeper. */
const MAX_DEPTH = 8;
const FIELD_COST = 100;

/** The plain values of an input, in order. Elements of a list have the key of the list. */
export function fieldsOf(input: unknown): readonly Field[] {
  const found: Field[] = [];
  const visit = (value: unknown, key: string, depth: number): void => {
    if (found.length >= MAX_FIELDS) giveUp();
    if (depth > MAX_DEPTH) return;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      spend(FIELD_COST);
      found.push({ key, value });
    } else if (Array.isArray(value)) for (const element of value) visit(element, key, depth + 1);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, name, depth + 1);
    const parsed = typeof value === "string" ? parseIfJson(value) : undefined;
    if (parsed !== undefined) visit(parsed, key, depth + 1);
  };
  visit(input, "", 0);
  return found;
}

const MAX_JSON_LENGTH = 50_000;

/** The value of a text that is JSON. */
export function parseIfJson(text: string): unknown {
  if (!looksLikeJson(text) || text.length > MAX_JSON_LENGTH) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a text may be JSON, but is too long to parse. */
export function isLongJson(text: string): boolean {
  return text.length > MAX_JSON_LENGTH && looksLikeJson(text);
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{"]/.test(text) && /[\]}"]$/.test(text.trimEnd());
}

/** Keys that select the action of a multi-purpose tool. */
const ACTION_KEY =
  /^(?:action|act|op|operation|verb|method|mode|state|status|command|cmd|do|task|type|kind|event|signal|sig|subcommand|request|args|arguments|argv)$/i;

/** The words that say what a tool does, in lower case: of its name, and of values that select its action. */
export interface ToolWords {
  /** `kill process` of `mcp__x__killProcess`. */
  readonly action: string;
  /** With the name of its server first. */
  readonly all: string;
}

export function toolWords(toolName: string, fields: readonly Field[]): ToolWords {
  const parts = toolName.split("__");
  const chosen = fields.flatMap(({ key, value }) =>
    ACTION_KEY.test(key) && typeof value === "string" && /^[a-z][\w.:-]{1,40}$/i.test(value) ? [value] : [],
  );
  const action = [parts.at(-1) ?? "", ...chosen].map(wordsOf).join(" ");
  return { action, all: `${parts.slice(0, -1).map(wordsOf).join(" ")} ${action}` };
}

/** `killProcess`, `kill_process` and `kill-process` are two words. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[^a-zA-Z\d]+/g, " ")
    .toLowerCase()
    .trim();
}
