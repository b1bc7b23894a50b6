import type { EnvelopeStore } from "./control-ports.ts";
import type { Envelope } from "./envelope.ts";

/** The end of a journal: what was not seen in the store yet, so that a reader misses nothing. */
export interface JournalTail {
  add(envelope: Envelope): void;
  isEmpty(): boolean;
  /** Lets go of what the store shows by now. */
  lookUp(): Promise<void>;
  /** What is in the store or here, after that seq. */
  read(after: number): Promise<readonly Envelope[]>;
}

export interface JournalTailOptions {
  readonly sessionId: string;
  readonly store: EnvelopeStore;
  readonly toldUpTo: () => number;
}

const PAGE = 500;
/** What is told and the store never shows, as of a project that is not recorded. */
const MAX_UNSEEN = 10_000;

export function createJournalTail({ sessionId, store, toldUpTo }: JournalTailOptions): JournalTail {
  let tail: Envelope[] = [];
  return {
    add: (envelope) => void tail.push(envelope),
    isEmpty: () => tail.length === 0,
    async lookUp() {
      const visible = await store.lastSeq(sessionId);
      tail = tail.filter((envelope) => envelope.seq > visible);
      const told = tail.filter((envelope) => envelope.seq <= toldUpTo()).length;
      if (told > MAX_UNSEEN) tail = tail.slice(told - MAX_UNSEEN);
    },
    async read(after) {
      const found: Envelope[] = [];
      const last = (): number => found.at(-1)?.seq ?? after;
      for (let page: readonly Envelope[]; ; ) {
        const known = tail;
        page = await store.read(sessionId, last(), PAGE);
        found.push(...page);
        if (page.length === PAGE) continue;
        // What leaves the tail while the store is asked may be too new for what the store answers.
        for (const envelope of known === tail ? tail : [...known, ...tail])
          if (envelope.seq > last()) found.push(envelope);
        return found;
      }
    },
  };
}
