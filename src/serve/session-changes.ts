import { isDeepStrictEqual } from "node:util";
import type { SessionSnapshot } from "../monitor/session-snapshot.ts";

export type Field = keyof SessionSnapshot;

/** What nobody looks at the moment it changes: it may wait for a change that matters. */
const QUIET: ReadonlySet<Field> = new Set(["lastEventAtIso"]);

/** The top-level fields whose values differ; all of them of a session that was not known before. */
export function changedFields(before: SessionSnapshot | undefined, after: SessionSnapshot): Field[] {
  const fields = Object.keys(after) as Field[];
  return before === undefined
    ? fields
    : fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

export function pickFields(snapshot: SessionSnapshot, fields: ReadonlySet<Field>): Partial<SessionSnapshot> {
  return Object.fromEntries(Object.entries(snapshot).filter(([field]) => fields.has(field as Field)));
}

export function areQuiet(fields: ReadonlySet<Field>): boolean {
  return [...fields].every((field) => QUIET.has(field));
}

/** How long until a session may send again. A clock that was set back does not hold anything up. */
export function restMs(sentAtMs: number | null, nowMs: number, perSessionMs: number): number {
  if (sentAtMs === null || nowMs < sentAtMs) return 0;
  return Math.max(0, perSessionMs - (nowMs - sentAtMs));
}
