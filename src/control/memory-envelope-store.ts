import type { EnvelopeStore, SessionLocation } from "./control-ports.ts";
import type { Envelope } from "./envelope.ts";

const MAX_SESSIONS = 200;

/** In-memory envelopes, for a driver without a database. Of closed sessions, only the latest are retained. */
export function createMemoryEnvelopeStore(mostSessions: number = MAX_SESSIONS): EnvelopeStore {
  const kept = new Map<string, { place: SessionLocation; envelopes: Envelope[] }>();
  const lastOf = (sessionId: string): Envelope | undefined => kept.get(sessionId)?.envelopes.at(-1);
  const isOver = (sessionId: string): boolean => {
    const last = lastOf(sessionId);
    return last === undefined || (last.type === "state" && last.state === "closed");
  };
  const forgetOldest = (): void => {
    for (const sessionId of kept.keys()) {
      if (kept.size <= mostSessions) return;
      if (isOver(sessionId)) kept.delete(sessionId);
    }
  };
  return {
    append(place, envelopes) {
      for (const envelope of envelopes) {
        const session = kept.get(envelope.sessionId) ?? { place, envelopes: [] };
        kept.set(envelope.sessionId, session);
        if (envelope.seq > (session.envelopes.at(-1)?.seq ?? 0)) session.envelopes.push(envelope);
      }
      forgetOldest();
      return Promise.resolve();
    },
    read: async (sessionId, afterSeq, limit) =>
      (kept.get(sessionId)?.envelopes ?? []).filter(({ seq }) => seq > afterSeq).slice(0, limit),
    unfinished: async () =>
      [...kept].flatMap(([sessionId, { place }]) => {
        if (isOver(sessionId)) return [];
        return [{ sessionId, lastSeq: lastOf(sessionId)!.seq, place }];
      }),
    lost: async (sinceIso) =>
      [...kept].flatMap(([sessionId, { place, envelopes }]) => {
        const isLost = envelopes.some(
          (envelope) => "outcome" in envelope && envelope.outcome === "lost" && envelope.ts >= sinceIso,
        );
        return isLost ? [{ sessionId, place }] : [];
      }),
    lastSeq: async (sessionId) => lastOf(sessionId)?.seq ?? 0,
  };
}
