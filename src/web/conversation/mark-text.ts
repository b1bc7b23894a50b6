import { visibleText } from "../../shown/visible-text.ts";
import type { Strings } from "../i18n/en.ts";
import type { Entry } from "./entry.ts";

/** The text of a mark; `startup` and `other` add nothing to "Session started" and "Session ended". */
export function markText(
  { kind, text }: Extract<Entry, { type: "mark" }>,
  { session, steer }: Strings,
): string {
  if (kind === "settled")
    return (steer.outcome as Readonly<Record<string, string>>)[text] ?? visibleText(text);
  if (kind !== "started" && kind !== "ended" && kind !== "compaction") return visibleText(text);
  if (text === "" || text === "startup" || text === "other") return "";
  return `(${(session.markDetail as Readonly<Record<string, string>>)[text] ?? visibleText(text)})`;
}
