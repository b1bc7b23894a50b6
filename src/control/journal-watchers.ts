import type { Envelope } from "./envelope.ts";

export type EnvelopeListener = (envelope: Envelope) => void;

/** All clients attached to a session. */
export interface JournalWatchers {
  add(listener: EnvelopeListener): void;
  delete(listener: EnvelopeListener): void;
  count(): number;
  notify(envelope: Envelope): void;
}

/** A watcher that throws is detached, and the session continues. */
export function createJournalWatchers(onDetached: (error: unknown) => void): JournalWatchers {
  const watchers = new Set<EnvelopeListener>();
  return {
    add: (listener) => void watchers.add(listener),
    delete: (listener) => void watchers.delete(listener),
    count: () => watchers.size,
    notify(envelope) {
      for (const listener of [...watchers])
        try {
          listener(envelope);
        } catch (error) {
          watchers.delete(listener);
          onDetached(error);
        }
    },
  };
}
