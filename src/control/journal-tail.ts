import type { EnvelopeStore } from "./control-ports.ts";
import type { Envelope } from "./envelope.ts";

/** The end of a journal: envelopes not yet seen in the store, so that a reader misses nothing. */
export interface JournalTail {
  add(envelope: Envelope): void;
  isEmpty(): boolean;
  /** Drops what the store shows by now. */
  dropStored(): Promise<void>;
  /** Envelopes after that seq, from the store or the tail. */
  read(after: number): Promise<readonly Envelope[]>;
}

export interface JournalTailOptions {
  readonly sessionId: string;
  readonly store: EnvelopeStore;
  readonly publishedUpTo: () => number;
}

const PAGE_SIZE = 500;
/** Limit for published envelopes that the store never shows, as in a project that is not recorded. */
const MAX_UNSEEN = 10_000;

export function createJournalTail({ sessionId, store, publishedUpTo }: JournalTailOptions): JournalTail {
  let tail: Envelope[] = [];
  return {
    add: (envelope) => void tail.push(envelope),
    isEmpty: () => tail.length === 0,
    async dropStored() {
      const visible = await store.lastSeq(sessionId);
      tail = tail.filter((envelope) => envelope.seq > visible);
      const publishedCount = tail.filter((envelope) => envelope.seq <= publishedUpTo()).length;
      if (publishedCount > MAX_UNSEEN) tail = tail.slice(publishedCount - MAX_UNSEEN);
    },
    async read(after) {
      const found: Envelope[] = [];
      const last = (): number => found.at(-1)?.seq ?? after;
      for (let page: readonly Envelope[]; ; ) {
        const tailBefore = tail;
        page = await store.read(sessionId, last(), PAGE_SIZE);
        found.push(...page);
        if (page.length === PAGE_SIZE) continue;
        // Envelopes that leave the tail during the query may be too new for its result.
        for (const envelope of tailBefore === tail ? tail : [...tailBefore, ...tail])
          if (envelope.seq > last()) found.push(envelope);
        return found;
      }
    },
  };
}
