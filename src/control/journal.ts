import type { EnvelopePlace, EnvelopeStore } from "./control-ports.ts";
import { type Envelope, type EnvelopeBody, isTransient } from "./envelope.ts";
import type { MaskEnvelope } from "./mask-envelopes.ts";

/**
 * The envelopes of one session: numbered without a gap, kept in order, and told to everybody who is attached once they
 * are kept: what a client has seen is never taken back, whatever dies.
 */
export interface Journal {
  place(): EnvelopePlace;
  /** A resumed session may be in another folder. */
  moveTo(place: EnvelopePlace): void;
  write(bodies: readonly EnvelopeBody[]): void;
  lastSeq(): number;
  /** What is kept or about to be, after that seq. */
  read(after: number): Promise<readonly Envelope[]>;
  /**
   * Gives all that is kept after that seq before it resolves, then what comes: nothing missing, nothing twice. Of the
   * pieces of text under way it gives those that are written after `onAttached`.
   */
  attach(
    after: number,
    onEnvelope: (envelope: Envelope) => void,
    onAttached?: () => void,
  ): Promise<() => void>;
  /** How many are attached. */
  watchers(): number;
  /** Nobody is attached, and the store was seen to show all of it: another journal could go on from there. */
  isAtRest(): boolean;
  /** Looks what of it the store shows by now. */
  lookUp(): Promise<void>;
  /** All written so far is kept, or cannot be now. */
  flush(): Promise<void>;
}

export interface JournalOptions {
  readonly sessionId: string;
  readonly place: EnvelopePlace;
  readonly store: EnvelopeStore;
  readonly epoch: string;
  readonly nowIso: () => string;
  readonly onNotice: (text: string) => void;
  /** Makes, for one session, what of its envelopes may be kept. */
  readonly createMask?: (() => MaskEnvelope) | undefined;
  readonly tryAgainMs?: number;
}

const PAGE = 500;
const TRIES = 5;
const TRY_AGAIN_MS = 500;
/** What is told and the store never shows, as of a project that is not recorded. */
const MOST_UNSEEN = 10_000;

/** Only one journal of a session may be open: it numbers. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { sessionId, store, epoch, nowIso, onNotice, tryAgainMs = TRY_AGAIN_MS } = options;
  const mask: MaskEnvelope = options.createMask?.() ?? ((body) => body);
  const watchers = new Set<(envelope: Envelope) => void>();
  /** Not seen in the store yet. */
  let tail: Envelope[] = [];
  /** Not told yet, with what is never kept in its place between the others. */
  let outbox: Envelope[] = [];
  let { place } = options;
  let toldUpTo = await store.lastSeq(sessionId);
  let seq = toldUpTo;
  let keeping: Promise<void> | null = null;
  let later: NodeJS.Timeout | undefined;
  let isFailing = false;
  /** Pieces of the text under way were dropped: what follows them would be read as one with what was told. */
  let isTorn = false;

  /** In order: what follows one that cannot be kept waits for it. */
  async function keep(): Promise<void> {
    for (let tries = 0; outbox.length > 0 && tries < TRIES; ) {
      const batch = [...outbox];
      const kept = batch.filter((envelope) => !isTransient(envelope));
      try {
        if (kept.length > 0) await store.append(place, kept);
        outbox = outbox.slice(batch.length);
        tries = 0;
        isFailing = false;
        for (const envelope of batch) {
          if (!isTransient(envelope)) toldUpTo = envelope.seq;
          for (const watch of [...watchers]) tell(watch, envelope);
        }
        await lookUp();
      } catch (error) {
        tries += 1;
        const why = error instanceof Error ? error.message : String(error);
        // Once, however long it lasts.
        if (!isFailing) onNotice(`what happens in the driven session ${sessionId} cannot be kept: ${why}`);
        isFailing = true;
        // They are of no use later, and many.
        isTorn ||= outbox.some(isTransient);
        outbox = outbox.filter((envelope) => !isTransient(envelope));
        await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
      }
    }
    keeping = null;
    // Nothing else may happen in it for long: one that waits for an answer is to be seen.
    if (outbox.length > 0) later = setTimeout(begin, 10 * tryAgainMs).unref();
  }

  function begin(): void {
    clearTimeout(later);
    // What follows at once is kept in the same batch.
    keeping ??= Promise.resolve().then(keep);
  }

  async function lookUp(): Promise<void> {
    const visible = await store.lastSeq(sessionId);
    tail = tail.filter((envelope) => envelope.seq > visible);
    const told = tail.filter((envelope) => envelope.seq <= toldUpTo).length;
    if (told > MOST_UNSEEN) tail = tail.slice(told - MOST_UNSEEN);
  }

  /** One who cannot listen does not keep the session from going on. */
  function tell(watch: (envelope: Envelope) => void, envelope: Envelope): void {
    try {
      watch(envelope);
    } catch (error) {
      watchers.delete(watch);
      onNotice(
        `a client of ${sessionId} was left: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async function read(after: number): Promise<Envelope[]> {
    const found: Envelope[] = [];
    const last = (): number => found.at(-1)?.seq ?? after;
    // What leaves the tail while the store is asked may be too new for what the store answers.
    for (let page: readonly Envelope[]; ; ) {
      const known = tail;
      page = await store.read(sessionId, last(), PAGE);
      found.push(...page);
      if (page.length === PAGE) continue;
      for (const envelope of known === tail ? tail : [...known, ...tail])
        if (envelope.seq > last()) found.push(envelope);
      return found;
    }
  }

  return {
    place: () => place,
    moveTo(to) {
      place = to;
    },
    write(bodies) {
      for (const body of bodies) {
        const isKept = !isTransient(body);
        if (isKept) seq += 1;
        const head = { v: 1, epoch, sessionId, seq: isKept ? seq : 0, ts: nowIso() } as const;
        const envelope: Envelope = { ...head, ...(isKept ? mask(body) : body) };
        if (isKept) tail.push(envelope);
        // While nothing can be kept, pieces of text would only pile up.
        if (!isKept && isFailing) isTorn = true;
        if (body.type === "text" || body.type === "result") isTorn = false;
        if (isKept || !isTorn) outbox.push(envelope);
      }
      begin();
    },
    lastSeq: () => seq,
    read,
    async attach(after, onEnvelope, onAttached) {
      let known: ReadonlySet<Envelope> = new Set();
      const upTo = toldUpTo;
      /** What is told while the store is read: given after what the store has. */
      let meanwhile: Envelope[] | null = [];
      const watch = (envelope: Envelope): void => {
        const isPiece = isTransient(envelope);
        if (isPiece ? known.has(envelope) : envelope.seq <= after) return;
        if (meanwhile === null) onEnvelope(envelope);
        else if (!isPiece) meanwhile.push(envelope);
      };
      watchers.add(watch);
      try {
        for (const envelope of await read(after)) if (envelope.seq <= upTo) onEnvelope(envelope);
        for (const envelope of meanwhile) onEnvelope(envelope);
      } catch (error) {
        watchers.delete(watch);
        throw error;
      }
      meanwhile = null;
      // Who attaches is told the text under way as it is now: with the pieces that are still to be told.
      known = new Set(outbox.filter(isTransient));
      onAttached?.();
      return () => void watchers.delete(watch);
    },
    watchers: () => watchers.size,
    isAtRest() {
      return watchers.size === 0 && outbox.length === 0 && keeping === null && tail.length === 0;
    },
    lookUp,
    async flush() {
      while (keeping !== null) await keeping;
    },
  };
}
