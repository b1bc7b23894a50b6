import type { Envelope } from "./envelope.ts";

export type Watch = (envelope: Envelope) => void;

/** Everybody who is attached to a session. */
export interface JournalWatchers {
  add(watch: Watch): void;
  delete(watch: Watch): void;
  count(): number;
  tell(envelope: Envelope): void;
}

/** One who throws is left, and does not keep the session from going on. */
export function createJournalWatchers(onLeft: (error: unknown) => void): JournalWatchers {
  const watchers = new Set<Watch>();
  return {
    add: (watch) => void watchers.add(watch),
    delete: (watch) => void watchers.delete(watch),
    count: () => watchers.size,
    tell(envelope) {
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
