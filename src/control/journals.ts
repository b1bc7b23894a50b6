import type { Card } from "./control-contract.ts";
import type { EnvelopePlace } from "./control-ports.ts";
import { foldCards } from "./driven-cards.ts";
import { createJournal, type Journal, type JournalOptions } from "./journal.ts";
import { lastWords, lostAtEnd } from "./past-life.ts";

/** One journal per session: only one may number its envelopes. Those that are at rest are let go. */
export interface Journals {
  open(sessionId: string, place: EnvelopePlace): Journal;
  /** Also of a session that only the store knows. */
  find(sessionId: string): Journal | undefined;
  /** Ends what an earlier life left open; what can be answered no more, also since then. */
  recover(sinceIso: string): readonly Card[];
  flush(): Promise<void>;
}

const MOST_OPEN = 500;
/** So many envelopes may come before the agent says where it is. */
const BEGINNING = 50;

export interface JournalsOptions extends Omit<JournalOptions, "sessionId" | "place"> {
  /** Whether somebody writes in it, or may. */
  readonly isInUse: (sessionId: string) => boolean;
  readonly mostOpen?: number;
}

export function createJournals(options: JournalsOptions): Journals {
  const { store, isInUse, mostOpen = MOST_OPEN } = options;
  const journals = new Map<string, Journal>();

  function open(sessionId: string, place: EnvelopePlace): Journal {
    const known = journals.get(sessionId);
    known?.moveTo(place);
    const journal = known ?? createJournal({ ...options, sessionId, place });
    journals.set(sessionId, journal);
    letGo(sessionId);
    return journal;
  }

  function letGo(opened: string): void {
    for (const [sessionId, journal] of journals) {
      if (journals.size <= mostOpen) return;
      if (sessionId !== opened && !isInUse(sessionId) && journal.isAtRest()) journals.delete(sessionId);
    }
  }

  return {
    open,
    find(sessionId) {
      const known = journals.get(sessionId);
      if (known !== undefined || store.lastSeq(sessionId) === 0) return known;
      const init = store.read(sessionId, 0, BEGINNING).find((envelope) => envelope.type === "init");
      return open(sessionId, { projectPath: null, cwd: init?.cwd ?? "" });
    },
    recover(sinceIso) {
      const left = store.unfinished();
      for (const { sessionId, place } of left) {
        const journal = open(sessionId, place);
        journal.write(lastWords(sessionId, place, journal.read(0)));
      }
      const places = new Map(
        [...store.lost(sinceIso), ...left].map(({ sessionId, place }) => [sessionId, place]),
      );
      return [...places].flatMap(([sessionId, place]) => {
        const envelopes = [...open(sessionId, place).read(0)];
        const lost = lostAtEnd(envelopes);
        return [...foldCards(sessionId, place, envelopes).values()].filter(({ id }) => lost.has(id));
      });
    },
    async flush() {
      await Promise.all([...journals.values()].map((journal) => journal.flush()));
    },
  };
}
