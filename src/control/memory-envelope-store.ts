import type { EnvelopePlace, EnvelopeStore } from "./control-ports.ts";
import type { Envelope } from "./envelope.ts";

/** Envelopes in memory, for a driver without a database. */
export function createMemoryEnvelopeStore(): EnvelopeStore {
  const kept = new Map<string, { place: EnvelopePlace; envelopes: Envelope[] }>();
  const lastOf = (sessionId: string): Envelope | undefined => kept.get(sessionId)?.envelopes.at(-1);
  return {
    append(place, envelopes) {
      for (const envelope of envelopes) {
        const session = kept.get(envelope.sessionId) ?? { place, envelopes: [] };
        kept.set(envelope.sessionId, session);
        if (envelope.seq > (session.envelopes.at(-1)?.seq ?? 0)) session.envelopes.push(envelope);
      }
      return Promise.resolve();
    },
    read: (sessionId, afterSeq, limit) =>
      (kept.get(sessionId)?.envelopes ?? []).filter(({ seq }) => seq > afterSeq).slice(0, limit),
    unfinished: () =>
      [...kept].flatMap(([sessionId, { place }]) => {
        const last = lastOf(sessionId);
        if (last === undefined || (last.type === "state" && last.state === "closed")) return [];
        return [{ sessionId, lastSeq: last.seq, place }];
      }),
    lastSeq: (sessionId) => lastOf(sessionId)?.seq ?? 0,
  };
}
