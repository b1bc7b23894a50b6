import { endOf } from "./read-turns.ts";
import type { Reading } from "./reading.ts";
import type { Evidence } from "./session-snapshot.ts";
import { isAfter, type ProcessView, type SessionView } from "./session-view.ts";

/** How a session that no longer runs came to its end. */
export interface Ended {
  readonly state: "completed" | "lost";
  readonly process: ProcessView | null;
  readonly atIso: string;
  readonly why: string;
  readonly evidence: Evidence;
  readonly reason: string | null;
}

/** How long a session stays of which nobody knows a process that could be looked at. */
const LEFT_MS = 24 * 3_600_000;

/** Nobody will tell the end of a session that only its words are known of: after a day it is over. */
export function readLeft(lastAtIso: string, quietMs: number): Ended | null {
  if (quietMs < LEFT_MS) return null;
  const evidence: Evidence = { source: "timer", what: "quiet", atIso: lastAtIso };
  const why = "Nothing has been heard of it for a day, and no process of it is known.";
  return { state: "completed", process: null, atIso: lastAtIso, why, evidence, reason: null };
}

/** Null while it runs, as far as anybody knows. A session that ended with a lost request can still ask it again. */
export function readEnd(reading: Reading): Ended | null {
  const ended = readOwnEnd(reading);
  const lost = ended === null ? null : lostRequest(reading.view);
  if (ended === null || lost === null) return ended;
  const evidence: Evidence = { source: "driver", what: "lost request", atIso: lost.at };
  const why = `Its request was lost${lost.text}. It can be asked again.`;
  return { ...ended, state: "lost", why, evidence };
}

/** The first of the requests that were lost with the last driver; of no account once the session went on. */
function lostRequest({ lostRequests, wentOnSeq, waits }: SessionView): { at: string; text: string } | null {
  for (const [id, { seq, at }] of lostRequests) {
    if (seq < wentOnSeq) continue;
    const wait = [...waits.values()].find(({ drivenId }) => drivenId === id);
    const asked = [wait?.toolName, wait?.text].filter(Boolean).join(": ");
    return { at, text: asked === "" ? "" : `: ${asked}` };
  }
  return null;
}

function readOwnEnd({ view, living, moment }: Reading): Ended | null {
  if (living === null ? view.processes.size === 0 : living.pid === 0) {
    const left = readLeft(view.lastAt || view.firstAt, moment.quietMs);
    if (left !== null) return left;
  }
  if (living !== null) return null;
  if (view.processes.size === 0) {
    // Nobody but the transcript tells of it: the agent writes its totals when it ends.
    if (view.exitedAt === null || view.exitedAt < view.lastAt) return null;
    const atIso = view.exitedAt;
    const evidence: Evidence = { source: "transcript", what: "total cost", atIso };
    const why = "Its transcript ends with the agent's totals.";
    return { state: "completed", process: null, atIso, why, evidence, reason: null };
  }
  const ends = [...view.processes.values()].flatMap((process) => {
    const end = endOf(process);
    return end === null ? [] : [{ process, end }];
  });
  if (ends.length === 0) return null;
  const { process, end } = ends.reduce((last, one) => (isAfter(one.end, last.end) ? one : last));
  const atIso = end.at;
  if (end.kind === "gone") {
    const evidence: Evidence = { source: "process", what: "gone", atIso };
    const why = `Its process ${process.pid} is gone, and it never said that it ended.`;
    return { state: "lost", process, atIso, why, evidence, reason: null };
  }
  const evidence: Evidence = { source: end.isHook ? "hook" : "stream", what: "session ended", atIso };
  const why = `It ended${end.reason === null || end.reason === "other" ? "" : ` (${end.reason})`}.`;
  return { state: "completed", process, atIso, why, evidence, reason: end.reason };
}
