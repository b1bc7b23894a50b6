import type { MemoryRows } from "../store/memory-rows.ts";
import { readTurn } from "./build-turn-items.ts";
import { describeOpenWork } from "./compress/summarise-turn.ts";

/** Tracks what sessions were working on when they lost their context. */
export interface OpenWorkTracker {
  record(sessionId: string, work: SessionWork): void;
  /** By session id, for one project; old entries are dropped. */
  forProject(project: string): readonly (readonly [sessionId: string, text: string])[];
}

export interface SessionWork {
  readonly project: string;
  readonly text: string;
}

const MAX_AGE_MS = 3_600_000;

export function createOpenWorkTracker(nowMs: () => number): OpenWorkTracker {
  const workBySession = new Map<string, SessionWork & { readonly atMs: number }>();
  return {
    record(sessionId, work) {
      workBySession.set(sessionId, { ...work, atMs: nowMs() });
    },
    forProject(project) {
      for (const [sessionId, work] of workBySession)
        if (nowMs() - work.atMs > MAX_AGE_MS) workBySession.delete(sessionId);
      return [...workBySession].flatMap(([sessionId, work]) =>
        work.project === project ? [[sessionId, work.text] as const] : [],
      );
    },
  };
}

/** A session's current work for its project's digest; null when there is none. */
export async function readOpenWork(rows: MemoryRows, sessionId: string): Promise<SessionWork | null> {
  const promptId = await rows.latestTurn(sessionId);
  const project = (await rows.sessionRow(sessionId))?.project ?? null;
  if (promptId === null || project === null) return null;
  const turn = await readTurn(rows, sessionId, promptId);
  const text = turn.isPrivate ? null : describeOpenWork(turn.input);
  return text === null ? null : { project, text };
}
