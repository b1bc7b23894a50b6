import { isDeepStrictEqual } from "node:util";
import type { SessionSnapshot } from "../monitor/session-snapshot.ts";

export type SnapshotField = keyof SessionSnapshot;

/** Fields that need no immediate update: they wait for a change that matters. */
const QUIET_FIELDS: ReadonlySet<SnapshotField> = new Set(["lastEventAtIso"]);

/** The top-level fields whose values differ; all fields for a new session. */
export function changedFields(before: SessionSnapshot | undefined, after: SessionSnapshot): SnapshotField[] {
  const fields = Object.keys(after) as SnapshotField[];
  return before === undefined
    ? fields
    : fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

export function pickFields(
  snapshot: SessionSnapshot,
  fields: ReadonlySet<SnapshotField>,
): Partial<SessionSnapshot> {
  return Object.fromEntries(Object.entries(snapshot).filter(([field]) => fields.has(field as SnapshotField)));
}

export function areQuiet(fields: ReadonlySet<SnapshotField>): boolean {
  return [...fields].every((field) => QUIET_FIELDS.has(field));
}

/** How long until a session may send again. A clock that was set back delays nothing. */
export function cooldownMs(sentAtMs: number | null, nowMs: number, perSessionMs: number): number {
  if (sentAtMs === null || nowMs < sentAtMs) return 0;
  return Math.max(0, perSessionMs - (nowMs - sentAtMs));
}
