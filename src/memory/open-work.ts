import type { MemoryRows } from "../store/memory-rows.ts";
import { openWork } from "./compress/summarise-turn.ts";
import { readTurn } from "./make-turn.ts";

/** What sessions were at when they lost their context. */
export interface OpenWork {
  note(sessionId: string, work: SessionWork): void;
  /** Of the sessions of a project, by their ids; what was noted long ago is forgotten. */
  of(project: string): readonly (readonly [sessionId: string, text: string])[];
}

export interface SessionWork {
  readonly project: string;
  readonly text: string;
}

const COMPACTING_MS = 3_600_000;

export function createOpenWork(nowMs: () => number): OpenWork {
  const open = new Map<string, SessionWork & { readonly atMs: number }>();
  return {
    note(sessionId, work) {
      open.set(sessionId, { ...work, atMs: nowMs() });
    },
    of(project) {
      for (const [sessionId, work] of open) if (nowMs() - work.atMs > COMPACTING_MS) open.delete(sessionId);
      return [...open].flatMap(([sessionId, work]) =>
        work.project === project ? [[sessionId, work.text] as const] : [],
      );
    },
  };
}

/** What a session is at, of which its project's digest tells; null when there is nothing to tell. */
export async function readOpenWork(rows: MemoryRows, sessionId: string): Promise<SessionWork | null> {
  const promptId = await rows.latestTurn(sessionId);
  const project = (await rows.sessionRow(sessionId))?.project ?? null;
  if (promptId === null || project === null) return null;
  const turn = await readTurn(rows, sessionId, promptId);
  const text = turn.isPrivate ? null : openWork(turn.telling);
  return text === null ? null : { project, text };
}
