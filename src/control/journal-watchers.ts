import type { Envelope } from "./envelope.ts";

export type EnvelopeListener = (envelope: Envelope) => void;

/** All clients attached to a session. */
export interface JournalWatchers {
  add(watch: EnvelopeListener): void;
  delete(watch: EnvelopeListener): void;
  count(): number;
  notify(envelope: Envelope): void;
}

/** A watcher that throws is detached, and the session continues. */
export function createJournalWatchers(onLeft: (error: unknown) => void): JournalWatchers {
  const watchers = new Set<EnvelopeListener>();
  return {
    add: (watch) => void watchers.add(watch),
    delete: (watch) => void watchers.delete(watch),
    count: () => watchers.size,
    notify(envelope) {
      for (const watch of [...watchers])
        try {
          watch(envelope);
        } catch (error) {
          watchers.delete(watch);
          onLeft(error);
        }
    },
  };
}
