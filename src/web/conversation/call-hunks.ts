import type { ToolKind } from "../../event/tool-kind.ts";
import { fieldsOf, numberOf, textOf } from "../session/session-event.ts";
import { diffLines, type Hunk, toLines } from "./diff-lines.ts";

export function isEdit(kind: ToolKind): boolean {
  return kind === "edit" || kind === "write";
}

/** The hunks of a call: from the agent's own patch, or else from its input. */
export function hunksOf(kind: ToolKind, input: unknown, patch: unknown): Hunk[] {
  const fromPatch = toHunks(patch);
  if (fromPatch.length > 0) return fromPatch;
  const fields = fieldsOf(input);
  const content = textOf(fields["content"]);
  if (kind === "write" && content !== null)
    return [{ oldStart: 0, newStart: 1, lines: toLines(content).map((line) => `+${line}`) }];
  const edits = Array.isArray(fields["edits"]) ? fields["edits"].map(fieldsOf) : [fields];
  return edits.flatMap((edit) => {
    const before = textOf(edit["old_string"]) ?? "";
    const after = textOf(edit["new_string"]) ?? textOf(edit["new_source"]) ?? "";
    // The position in the file is unknown.
    return before === after ? [] : [{ oldStart: 0, newStart: 0, lines: diffLines(before, after) }];
  });
}

/** Hunks of `structuredPatch`; entries of unknown shape are skipped. */
function toHunks(patch: unknown): Hunk[] {
  if (!Array.isArray(patch)) return [];
  return patch.map(fieldsOf).flatMap((hunk) => {
    const lines = hunk["lines"];
    if (!Array.isArray(lines) || !lines.every((line) => typeof line === "string")) return [];
    return [{ oldStart: numberOf(hunk["oldStart"]) ?? 0, newStart: numberOf(hunk["newStart"]) ?? 0, lines }];
  });
}

/** The hash under which the complete value is stored, if the row has only a preview. */
export function blobHashOf(value: unknown): string | null {
  const hash = textOf(fieldsOf(value)["$blob"]);
  return hash !== null && /^[\w-]+$/.test(hash) ? hash : null;
}
