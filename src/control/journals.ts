import type { Card } from "./control-contract.ts";
import type { EnvelopeStore, SessionLocation } from "./control-ports.ts";
import { foldCards } from "./driven-cards.ts";
import { type Journal, type JournalOptions, openJournal } from "./journal.ts";
import { closingEnvelopes, lostRequestIds } from "./past-session.ts";
import { createUseCount } from "./use-count.ts";

/**
 * One journal per session, because only one may number its envelopes. Idle journals are released, but never
 * while `work` on them runs.
 */
export interface Journals {
  open<T>(sessionId: string, place: SessionLocation, work: (journal: Journal) => T): Promise<Awaited<T>>;
  /**
   * Like `open`, also for sessions known only to the store; undefined, without running `work`, if unknown
   * there too.
   */
  find<T>(sessionId: string, work: (journal: Journal) => T): Promise<Awaited<T> | undefined>;
  /** Closes what an earlier process left open. Returns the requests lost now or since then. */
  recover(sinceIso: string): Promise<readonly Card[]>;
  flush(): Promise<void>;
}

const MAX_OPEN = 500;
/** How many envelopes may precede the one in which the agent reports its folder. */
const FIRST_PAGE = 50;

export interface JournalsOptions extends Omit<JournalOptions, "sessionId" | "location"> {
  /** Whether the session has a writer, or may get one. */
  readonly isInUse: (sessionId: string) => boolean;
  readonly maxOpen?: number;
}

export function createJournals(options: JournalsOptions): Journals {
  const { store, isInUse, maxOpen = MAX_OPEN } = options;
  const journals = new Map<string, Journal>();
  const opening = new Map<string, Promise<Journal>>();
  const uses = createUseCount();

  /** Concurrent callers get the same journal. */
  async function openOnce(sessionId: string, place: SessionLocation): Promise<Journal> {
    const known = journals.get(sessionId);
    if (known !== undefined) return known;
    const pendingOpen = opening.get(sessionId) ?? openJournal({ ...options, sessionId, location: place });
    opening.set(sessionId, pendingOpen);
    try {
      const journal = await pendingOpen;
      journals.set(sessionId, journal);
      return journal;
    } finally {
      opening.delete(sessionId);
    }
  }

  const open = <T>(
    sessionId: string,
    place: SessionLocation,
    work: (journal: Journal) => T,
  ): Promise<Awaited<T>> =>
    uses.during(sessionId, async (): Promise<Awaited<T>> => {
      const journal = await openOnce(sessionId, place);
      journal.setLocation(place);
      await releaseIdle();
      return await work(journal);
    });

  async function releaseIdle(): Promise<void> {
    for (const [sessionId, journal] of journals) {
      if (journals.size <= maxOpen) return;
      if (uses.isUsed(sessionId) || isInUse(sessionId)) continue;
      await journal.dropStored();
      if (!uses.isUsed(sessionId) && !isInUse(sessionId) && journal.canRelease()) journals.delete(sessionId);
    }
  }

  return {
    open,
    find: <T>(sessionId: string, work: (journal: Journal) => T): Promise<Awaited<T> | undefined> =>
      uses.during(sessionId, async (): Promise<Awaited<T> | undefined> => {
        const known = journals.get(sessionId) ?? (await opening.get(sessionId));
        if (known !== undefined) return await work(known);
        if ((await store.lastSeq(sessionId)) === 0) return undefined;
        const firstEnvelopes = await store.read(sessionId, 0, FIRST_PAGE);
        const init = firstEnvelopes.find((envelope) => envelope.type === "init");
        const place = { projectPath: null, cwd: init?.cwd ?? "" };
        // It may have been opened meanwhile, by a caller that knows its location better.
        const journal = await openOnce(sessionId, place);
        await releaseIdle();
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
  const unfinished = await store.unfinished();
  const lost = await store.lost(sinceIso);
  for (const { sessionId, place } of unfinished)
    await open(sessionId, place, async (journal) =>
      journal.write(closingEnvelopes(sessionId, place, await journal.read(0))),
    );
  const places = new Map([...lost, ...unfinished].map(({ sessionId, place }) => [sessionId, place]));
  const cards: Card[] = [];
  for (const [sessionId, place] of places) {
    const envelopes = await open(sessionId, place, (journal) => journal.read(0));
    const ids = lostRequestIds(envelopes);
    const sessionCards = foldCards(sessionId, place, envelopes).values();
    cards.push(...[...sessionCards].filter(({ id }) => ids.has(id)));
  }
  return cards;
}
