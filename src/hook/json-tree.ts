import { AppError } from "../app-error.ts";

/** Strict JSON with the position of every value, so that an edit can leave all other bytes unchanged. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

export interface JsonObject extends Span {
  readonly type: "object";
  readonly members: readonly JsonMember[];
}

interface JsonArray extends Span {
  readonly type: "array";
  readonly items: readonly JsonNode[];
}

export interface JsonScalar extends Span {
  readonly type: "scalar";
  readonly value: string | number | boolean | null;
}

/** From the key's quote to the end of the value. */
export interface JsonMember extends Span {
  readonly key: string;
  readonly value: JsonNode;
}

/** Offsets in UTF-16 units, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const MAX_DEPTH = 1000;
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const otherToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const space = /[ \t\r\n]*/y;

/** Thrown at the position where a text stops being JSON; the message says what was expected there. */
export class JsonSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, { line, column }: { line: number; column: number }) {
    super(message);
    this.name = "JsonSyntaxError";
    this.line = line;
    this.column = column;
  }
}

/** Parses a settings file. Throws `settings_invalid`. */
export function parseJsonTree(text: string, file: string): JsonNode {
  try {
    return readJsonTree(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new AppError(
      "settings_invalid",
      `${file}:${error.line}:${error.column} is not valid JSON: ${error.message}. Nothing was written.`,
    );
  }
}

/** Accepts what `JSON.parse` accepts, and a byte order mark. Throws JsonSyntaxError. */
export function readJsonTree(text: string): JsonNode {
  let at = text.startsWith("\ufeff") ? 1 : 0;

  function fail(what: string): never {
    throw new JsonSyntaxError(what, positionOf(text, at));
  }

  function match(token: RegExp): string | undefined {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  }

  function skip(character: string): boolean {
    match(space);
    if (text[at] !== character) return false;
    at++;
    return true;
  }

  function readKey(): string {
    match(space);
    const key = match(stringToken) ?? fail(`a property name was expected, ${found(text, at)} was found`);
    if (!skip(":")) fail(`":" was expected, ${found(text, at)} was found`);
    return JSON.parse(key) as string;
  }

  /** Reads up to the closing bracket; the opening one is already consumed. */
  function readList<T>(close: "]" | "}", read: () => T): T[] {
    const list: T[] = [];
    if (skip(close)) return list;
    do list.push(read());
    while (skip(","));
    if (!skip(close)) fail(`"," or "${close}" was expected, ${found(text, at)} was found`);
    return list;
  }

  function readValue(depth: number): JsonNode {
    if (depth > MAX_DEPTH) fail(`it is nested more than ${MAX_DEPTH} deep`);
    match(space);
    const start = at;
    if (skip("{")) {
      const members = readList("}", () => {
        match(space);
        const memberStart = at;
        const key = readKey();
        const value = readValue(depth + 1);
        return { key, value, start: memberStart, end: value.end };
      });
      return { type: "object", members, start, end: at };
    }
    if (skip("[")) {
      const items = readList("]", () => readValue(depth + 1));
      return { type: "array", items, start, end: at };
    }
    const token =
      match(stringToken) ?? match(otherToken) ?? fail(`a value was expected, ${found(text, at)} was found`);
    return {
      type: "scalar",
      value: JSON.parse(token) as JsonScalar["value"],
      start,
      end: at,
    };
  }

  const root = readValue(0);
  match(space);
  if (at < text.length) fail(`the end was expected, ${found(text, at)} was found`);
  return root;
}

/** The effective member: if a key occurs twice, readers use the last. */
export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.type === "object" ? node.members.findLast((member) => member.key === key) : undefined;
}

/** Line and column from 1, the column in characters; a byte order mark has no column. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).replace(/^\ufeff/, "");
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}

function found(text: string, at: number): string {
  if (at >= text.length) return "the end of the file";
  return `"${String.fromCodePoint(text.codePointAt(at)!)}"`;
}
