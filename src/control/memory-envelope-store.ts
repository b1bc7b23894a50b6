import type { EnvelopeStore, SessionLocation } from "./control-ports.ts";
import type { Envelope } from "./envelope.ts";

const MAX_SESSIONS = 200;

/** In-memory envelopes, for a driver without a database. Of closed sessions, only the latest are retained. */
export function createMemoryEnvelopeStore(maxSessions: number = MAX_SESSIONS): EnvelopeStore {
  const sessions = new Map<string, { place: SessionLocation; envelopes: Envelope[] }>();
  const lastOf = (sessionId: string): Envelope | undefined => sessions.get(sessionId)?.envelopes.at(-1);
  const isOver = (sessionId: string): boolean => {
    const last = lastOf(sessionId);
    return last === undefined || (last.type === "state" && last.state === "closed");
  };
  const forgetOldest = (): void => {
    for (const sessionId of sessions.keys()) {
      if (sessions.size <= maxSessions) return;
      if (isOver(sessionId)) sessions.delete(sessionId);
    }
  };
  return {
    append(place, envelopes) {
      for (const envelope of envelopes) {
        const session = sessions.get(envelope.sessionId) ?? { place, envelopes: [] };
        sessions.set(envelope.sessionId, session);
        if (envelope.seq > (session.envelopes.at(-1)?.seq ?? 0)) session.envelopes.push(envelope);
      }
      forgetOldest();
      return Promise.resolve();
    },
    read: async (sessionId, afterSeq, limit) =>
      (sessions.get(sessionId)?.envelopes ?? []).filter(({ seq }) => seq > afterSeq).slice(0, limit),
    unfinished: async () =>
      [...sessions].flatMap(([sessionId, { place }]) => {
        if (isOver(sessionId)) return [];
        return [{ sessionId, lastSeq: lastOf(sessionId)!.seq, place }];
      }),
    lost: async (sinceIso) =>
      [...sessions].flatMap(([sessionId, { place, envelopes }]) => {
        const isLost = envelopes.some(
          (envelope) => "outcome" in envelope && envelope.outcome === "lost" && envelope.ts >= sinceIso,
        );
        return isLost ? [{ sessionId, place }] : [];
      }),
    lastSeq: async (sessionId) => lastOf(sessionId)?.seq ?? 0,
  };
}
