import { textOfCall } from "../agents/tool-call.ts";
import type { CallView } from "./session-view.ts";

/** What a call is about, verbatim. */
export function callText({
  toolName,
  toolKind,
  input,
}: Pick<CallView, "toolName" | "toolKind" | "input">): string {
  return textOfCall({ toolName, toolKind, toolInput: input });
}

/** The same in one line: as recorded with the call, else the first line of its text. */
export function callLine(call: Pick<CallView, "toolName" | "toolKind" | "subject" | "input">): string {
  return firstLine(call.subject ?? callText(call));
}

/** The first line, for a list. */
export function firstLine(text: string, maxChars = 200): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}

/** Like `firstLine`, for decisions: marks that more lines follow. */
export function firstLineWithEllipsis(text: string): string {
  const trimmed = text.trim();
  const line = firstLine(trimmed);
  return trimmed.includes("\n") && !line.endsWith("…") ? `${line} …` : line;
}
