import { controlEnvelopeEvent } from "../event/control-events.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { ControlRows } from "../store/control-rows.ts";
import type { EnvelopeStore } from "./control-ports.ts";
import type { Envelope } from "./envelope.ts";

export interface LogEnvelopeStoreOptions {
  readonly rows: <T>(work: (rows: ControlRows) => Promise<T>) => Promise<T>;
  /** Resolves when the log has them; the database follows. */
  readonly write: (events: readonly HooklineEvent[]) => Promise<void>;
}

/** Stores envelopes as events of the log, and reads them from the database that follows it. */
export function createLogEnvelopeStore({ rows, write }: LogEnvelopeStoreOptions): EnvelopeStore {
  return {
    append: ({ projectPath, cwd }, envelopes) =>
      write(
        envelopes.map((envelope) => {
          const base = { sessionId: envelope.sessionId, projectPath, cwd, occurredAtIso: envelope.ts };
          return controlEnvelopeEvent(base, { ...envelope });
        }),
      ),
    // Written by us, in the format of this or an earlier version.
    read: async (sessionId, afterSeq, limit) =>
      (await rows((control) => control.envelopes(sessionId, afterSeq, limit))) as unknown as Envelope[],
    unfinished: async () =>
      (await rows((control) => control.unfinishedSessions())).map(
        ({ sessionId, lastSeq, projectPath, cwd }) => ({
          sessionId,
          lastSeq,
          place: { projectPath, cwd: cwd ?? projectPath ?? "/" },
        }),
      ),
    lost: async (sinceIso) =>
      (await rows((control) => control.sessionsWithLostRequests(sinceIso))).map(
        ({ sessionId, projectPath, cwd }) => ({
          sessionId,
          place: { projectPath, cwd: cwd ?? projectPath ?? "/" },
        }),
      ),
    lastSeq: (sessionId) => rows((control) => control.lastEnvelopeSeq(sessionId)),
  };
}
