import { controlEnvelopeEvent } from "../event/control-events.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { ControlRows } from "../store/control-rows.ts";
import type { EnvelopeStore } from "./control-ports.ts";
import type { Envelope } from "./envelope.ts";

export interface KeepOptions {
  readonly rows: <T>(work: (rows: ControlRows) => Promise<T>) => Promise<T>;
  /** Resolves when the log has them; the database follows. */
  readonly write: (events: readonly HooklineEvent[]) => Promise<void>;
}

/** Envelopes as events of the log, read from the database that follows it. */
export function keepEnvelopes({ rows, write }: KeepOptions): EnvelopeStore {
  return {
    append: ({ projectPath, cwd }, envelopes) =>
      write(
        envelopes.map((envelope) => {
          const base = { sessionId: envelope.sessionId, projectPath, cwd, occurredAtIso: envelope.ts };
          return controlEnvelopeEvent(base, { ...envelope });
        }),
      ),
    // Written by us, in the form of this or an earlier version.
    read: async (sessionId, afterSeq, limit) =>
      (await rows((control) => control.envelopes(sessionId, afterSeq, limit))) as unknown as Envelope[],
    unfinished: async () =>
      (await rows((control) => control.unfinished())).map(({ sessionId, lastSeq, projectPath, cwd }) => ({
        sessionId,
        lastSeq,
        place: { projectPath, cwd: cwd ?? projectPath ?? "/" },
      })),
    lost: async (sinceIso) =>
      (await rows((control) => control.lost(sinceIso))).map(({ sessionId, projectPath, cwd }) => ({
        sessionId,
        place: { projectPath, cwd: cwd ?? projectPath ?? "/" },
      })),
    lastSeq: (sessionId) => rows((control) => control.lastSeq(sessionId)),
  };
}
