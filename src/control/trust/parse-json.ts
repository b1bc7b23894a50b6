import { asObject, type Json } from "../../agents/read-json.ts";
import { isPlainObject } from "../../event/canonical.ts";
import { JsonSyntaxError, readJsonTree } from "../../hook/json-tree.ts";

export type ParsedJson =
  | { readonly type: "parsed"; readonly value: Json }
  | { readonly type: "problem"; readonly problem: string };

/** Parses a JSON object, or reports the problem and its line. */
export function parseJsonFile(text: string): ParsedJson {
  const plain = text.replace(/^\uFEFF/, "");
  try {
    const value: unknown = JSON.parse(plain);
    if (isPlainObject(value)) return { type: "parsed", value: asObject(value) };
    return { type: "problem", problem: "line 1: it is not a JSON object" };
  } catch {
    return { type: "problem", problem: problemOf(plain) };
  }
}

function problemOf(text: string): string {
  try {
    readJsonTree(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return `line ${error.line}: it is not JSON: ${error.message}`;
  }
  return "line 1: it is not JSON";
}
