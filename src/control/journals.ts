import type { Card } from "./control-contract.ts";
import type { EnvelopePlace, EnvelopeStore } from "./control-ports.ts";
import { foldCards } from "./driven-cards.ts";
import { type Journal, type JournalOptions, openJournal } from "./journal.ts";
import { lastWords, lostAtEnd } from "./past-life.ts";
import { createUseCount } from "./use-count.ts";

/**
 * One journal per session: only one may number its envelopes. Those that are at rest are let go, but none while `work`
 * that was given it runs.
 */
export interface Journals {
  open<T>(sessionId: string, place: EnvelopePlace, work: (journal: Journal) => T): Promise<Awaited<T>>;
  /** Also of a session that only the store knows; undefined, and no work done, when it does not either. */
  find<T>(sessionId: string, work: (journal: Journal) => T): Promise<Awaited<T> | undefined>;
  /** Ends what an earlier life left open; what can be answered no more, also since then. */
  recover(sinceIso: string): Promise<readonly Card[]>;
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
  const opening = new Map<string, Promise<Journal>>();
  const uses = createUseCount();

  /** Two who open it at once get the same. */
  async function openOnce(sessionId: string, place: EnvelopePlace): Promise<Journal> {
    const known = journals.get(sessionId);
    if (known !== undefined) return known;
    const begun = opening.get(sessionId) ?? openJournal({ ...options, sessionId, place });
    opening.set(sessionId, begun);
    try {
      const journal = await begun;
      journals.set(sessionId, journal);
      return journal;
    } finally {
      opening.delete(sessionId);
    }
  }

  const open = <T>(
    sessionId: string,
    place: EnvelopePlace,
    work: (journal: Journal) => T,
  ): Promise<Awaited<T>> =>
    uses.during(sessionId, async (): Promise<Awaited<T>> => {
      const journal = await openOnce(sessionId, place);
      journal.moveTo(place);
      await letGo();
      return await work(journal);
    });

  async function letGo(): Promise<void> {
    for (const [sessionId, journal] of journals) {
      if (journals.size <= mostOpen) return;
      if (uses.isUsed(sessionId) || isInUse(sessionId)) continue;
      await journal.lookUp();
      if (!uses.isUsed(sessionId) && !isInUse(sessionId) && journal.isAtRest()) journals.delete(sessionId);
    }
  }

  return {
    open,
    find: <T>(sessionId: string, work: (journal: Journal) => T): Promise<Awaited<T> | undefined> =>
      uses.during(sessionId, async (): Promise<Awaited<T> | undefined> => {
        const known = journals.get(sessionId) ?? (await opening.get(sessionId));
        if (known !== undefined) return await work(known);
        if ((await store.lastSeq(sessionId)) === 0) return undefined;
        const beginning = await store.read(sessionId, 0, BEGINNING);
        const init = beginning.find((envelope) => envelope.type === "init");
        const place = { projectPath: null, cwd: init?.cwd ?? "" };
        // Somebody may have opened it meanwhile, and knows better where it is.
        const journal = await openOnce(sessionId, place);
        await letGo();
        return await work(journal);
      }),
    recover: (sinceIso) => recover({ open }, store, sinceIso),
    async flush() {
      await Promise.all([...journals.values()].map((journal) => journal.flush()));
    },
  };
}

async function recover(
  { open }: Pick<Journals, "open">,
  store: EnvelopeStore,
  sinceIso: string,
): Promise<readonly Card[]> {
  const left = await store.unfinished();
  const lost = await store.lost(sinceIso);
  for (const { sessionId, place } of left)
    await open(sessionId, place, async (journal) =>
      journal.write(lastWords(sessionId, place, await journal.read(0))),
    );
  const places = new Map([...lost, ...left].map(({ sessionId, place }) => [sessionId, place]));
  const cards: Card[] = [];
  for (const [sessionId, place] of places) {
    const envelopes = await open(sessionId, place, (journal) => journal.read(0));
    const ids = lostAtEnd(envelopes);
    const ofSession = foldCards(sessionId, place, envelopes).values();
    cards.push(...[...ofSession].filter(({ id }) => ids.has(id)));
  }
  return cards;
}
