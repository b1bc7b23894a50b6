import { asObject } from "../agents/read-json.ts";
import { oneLine } from "./trust/one-line.ts";

const FIELDS = ["command", "file_path", "notebook_path", "path", "url", "pattern", "query", "description"];
const MOST = 300;

/** What a call is about, in one line: its command, its file; null when its input names nothing. */
export function callLine(toolInput: unknown): string | null {
  const input = asObject(toolInput);
  const about = FIELDS.map((key) => input[key]).find((value) => typeof value === "string" && value !== "");
  if (about === undefined) return null;
  const text = oneLine(about);
  return text.length > MOST ? `${text.slice(0, MOST - 1).toWellFormed()}…` : text;
}
