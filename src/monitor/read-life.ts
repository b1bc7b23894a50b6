import { endOf } from "./read-turns.ts";
import type { Reading } from "./reading.ts";
import type { Evidence } from "./session-snapshot.ts";
import type { ProcessView } from "./session-view.ts";

/** How a session that no longer runs came to its end. */
export interface Ended {
  readonly state: "completed" | "lost";
  readonly process: ProcessView | null;
  readonly atIso: string;
  readonly why: string;
  readonly evidence: Evidence;
  readonly reason: string | null;
}

/** Null while it runs, as far as anybody knows. */
export function readEnd({ view, living }: Reading): Ended | null {
  if (living !== null) return null;
  if (view.processes.size === 0) {
    // Nobody but the transcript tells of it: the agent writes its totals when it ends.
    if (view.exitedAt === null || view.exitedAt < view.lastAt) return null;
    const atIso = view.exitedAt;
    const evidence: Evidence = { source: "transcript", what: "cost-state", atIso };
    const why = "Its transcript ends with the agent's totals.";
    return { state: "completed", process: null, atIso, why, evidence, reason: null };
  }
  const { process, end } = [...view.processes.values()]
    .map((one) => ({ process: one, end: endOf(one)! }))
    .reduce((last, one) => (one.end.at > last.end.at ? one : last));
  const atIso = end.at;
  if (end.kind === "gone") {
    const evidence: Evidence = { source: "process", what: "gone", atIso };
    const why = `Its process ${process.pid} is gone, and it never said that it ended.`;
    return { state: "lost", process, atIso, why, evidence, reason: null };
  }
  const evidence: Evidence = { source: end.isHook ? "hook" : "stream", what: "SessionEnd", atIso };
  const why = `It ended${end.reason === null ? "" : ` (${end.reason})`}.`;
  return { state: "completed", process, atIso, why, evidence, reason: end.reason };
}
