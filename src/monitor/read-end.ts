import { processEndOf } from "./read-turns.ts";
import type { Reading } from "./reading.ts";
import type { Evidence } from "./session-snapshot.ts";
import { isAfter, type ProcessView, type SessionView } from "./session-view.ts";

/** How a session that no longer runs ended. */
export interface SessionEndState {
  readonly state: "completed" | "lost";
  readonly process: ProcessView | null;
  readonly atIso: string;
  readonly why: string;
  readonly evidence: Evidence;
  readonly reason: string | null;
}

/** How long a session without a checkable process is retained. */
const ABANDONED_MS = 24 * 3_600_000;

/** A session without a process never reports its end: after a day without events it counts as over. */
export function readAbandoned(lastAtIso: string, quietMs: number): SessionEndState | null {
  if (quietMs < ABANDONED_MS) return null;
  const evidence: Evidence = { source: "timer", what: "quiet", atIso: lastAtIso };
  const why = "No activity for a day, and no known process.";
  return { state: "completed", process: null, atIso: lastAtIso, why, evidence, reason: null };
}

/**
 * Returns null while the session runs, as far as known. One that ended with a lost request can ask it
 * again.
 */
export function readEnd(reading: Reading): SessionEndState | null {
  const ended = readProcessEnd(reading);
  const lost = ended === null ? null : lostRequest(reading.view);
  if (ended === null || lost === null) return ended;
  const evidence: Evidence = { source: "driver", what: "lost request", atIso: lost.at };
  const why = `The request was lost${lost.text}. You can ask it again.`;
  return { ...ended, state: "lost", why, evidence };
}

/** The first request lost with the last driver; ignored once the session has continued. */
function lostRequest({ lostRequests, resumedSeq, waits }: SessionView): { at: string; text: string } | null {
  for (const [id, { seq, at }] of lostRequests) {
    if (seq < resumedSeq) continue;
    const wait = [...waits.values()].find(({ drivenId }) => drivenId === id);
    const request = [wait?.toolName, wait?.text].filter(Boolean).join(": ");
    return { at, text: request === "" ? "" : `: ${request}` };
  }
  return null;
}

function readProcessEnd({ view, runningProcess, moment }: Reading): SessionEndState | null {
  if (runningProcess === null ? view.processes.size === 0 : runningProcess.pid === 0) {
    const abandoned = readAbandoned(view.lastAt || view.firstAt, moment.quietMs);
    if (abandoned !== null) return abandoned;
  }
  if (runningProcess !== null) return null;
  if (view.processes.size === 0) {
    // Known only from the transcript: the agent writes its totals when it ends.
    if (view.exitedAt === null || view.exitedAt < view.lastAt) return null;
    const atIso = view.exitedAt;
    const evidence: Evidence = { source: "transcript", what: "total cost", atIso };
    const why = "The transcript ends with the agent's totals.";
    return { state: "completed", process: null, atIso, why, evidence, reason: null };
  }
  const ends = [...view.processes.values()].flatMap((process) => {
    const end = processEndOf(process);
    return end === null ? [] : [{ process, end }];
  });
  if (ends.length === 0) return null;
  const { process, end } = ends.reduce((last, candidate) =>
    isAfter(candidate.end, last.end) ? candidate : last,
  );
  const atIso = end.at;
  if (end.kind === "gone") {
    const evidence: Evidence = { source: "process", what: "gone", atIso };
    const why = `Process ${process.pid} exited without ending the session.`;
    return { state: "lost", process, atIso, why, evidence, reason: null };
  }
  const evidence: Evidence = { source: end.isHook ? "hook" : "stream", what: "session ended", atIso };
  const why = endText(end.reason);
  return { state: "completed", process, atIso, why, evidence, reason: end.reason };
}

function endText(reason: string | null): string {
  if (reason === null || reason === "other") return "Ended.";
  return reason === "prompt_input_exit" ? "Exited." : `Ended (${reason}).`;
}
