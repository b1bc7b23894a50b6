import type { Card } from "./control-contract.ts";
import type { EnvelopePlace } from "./control-ports.ts";
import { foldCards } from "./driven-cards.ts";
import { createJournal, type Journal, type JournalOptions } from "./journal.ts";
import { lastWords } from "./past-life.ts";

/** One journal per session for the life of the process: only one may number its envelopes. */
export interface Journals {
  open(sessionId: string, place: EnvelopePlace): Journal;
  /** Also of a session that only the store knows. */
  find(sessionId: string): Journal | undefined;
  /** Ends what an earlier life left open; what can be answered no more. */
  recover(): readonly Card[];
  flush(): Promise<void>;
}

/** So many envelopes may come before the agent says where it is. */
const BEGINNING = 50;

export function createJournals(options: Omit<JournalOptions, "sessionId" | "place">): Journals {
  const { store } = options;
  const journals = new Map<string, Journal>();

  function open(sessionId: string, place: EnvelopePlace): Journal {
    const known = journals.get(sessionId);
    known?.moveTo(place);
    const journal = known ?? createJournal({ ...options, sessionId, place });
    journals.set(sessionId, journal);
    return journal;
  }

  return {
    open,
    find(sessionId) {
      const known = journals.get(sessionId);
      if (known !== undefined || store.lastSeq(sessionId) === 0) return known;
      const init = store.read(sessionId, 0, BEGINNING).find((envelope) => envelope.type === "init");
      return open(sessionId, { projectPath: null, cwd: init?.cwd ?? "" });
    },
    recover: () =>
      store.unfinished().flatMap(({ sessionId, place }) => {
        const journal = open(sessionId, place);
        journal.write(lastWords(sessionId, place, journal.read(0)));
        const cards = [...foldCards(sessionId, place, journal.read(0)).values()];
        return cards.filter(({ status }) => status === "lost");
      }),
    async flush() {
      await Promise.all([...journals.values()].map((journal) => journal.flush()));
    },
  };
}
