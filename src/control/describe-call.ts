import { type CallWithInput, subjectOfCall } from "../agents/tool-call.ts";
import { toSafeLine } from "./trust/safe-line.ts";

const MAX_CHARS = 300;

/** Summarizes a call in one line (its command or file); null if its input names nothing. */
export function describeCall({ toolName, toolKind, toolInput }: CallWithInput): string | null {
  const about = subjectOfCall({ toolName, toolKind, toolInput });
  if (about === null) return null;
  const text = toSafeLine(about);
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1).toWellFormed()}…` : text;
}
