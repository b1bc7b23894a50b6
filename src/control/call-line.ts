import { type GivenCall, subjectOfCall } from "../agents/tool-call.ts";
import { oneLine } from "./trust/one-line.ts";

const MOST = 300;

/** What a call is about, in one line: its command, its file; null when its input names nothing. */
export function callLine({ toolName, toolKind, toolInput }: GivenCall): string | null {
  const about = subjectOfCall({ toolName, toolKind, toolInput });
  if (about === null) return null;
  const text = oneLine(about);
  return text.length > MOST ? `${text.slice(0, MOST - 1).toWellFormed()}…` : text;
}
