import { asObject, type Json } from "../../agents/read-json.ts";
import { isPlainObject } from "../../event/canonical.ts";
import { JsonTrouble, readJsonTree } from "../../hook/json-tree.ts";

export type ParsedJson =
  | { readonly type: "parsed"; readonly value: Json }
  | { readonly type: "problem"; readonly problem: string };

/** A JSON object, or what is wrong with it and in which line. */
export function parseJsonFile(text: string): ParsedJson {
  const plain = text.replace(/^\uFEFF/, "");
  try {
    const value: unknown = JSON.parse(plain);
    if (isPlainObject(value)) return { type: "parsed", value: asObject(value) };
    return { type: "problem", problem: "line 1: it is not a JSON object" };
  } catch {
    return { type: "problem", problem: troubleOf(plain) };
  }
}

function troubleOf(text: string): string {
  try {
    readJsonTree(text);
  } catch (error) {
    if (error instanceof JsonTrouble) return `line ${error.line}: it is not JSON: ${error.message}`;
  }
  return "line 1: it is not JSON";
}
