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
  read(after: number): Generator<Envelope>;
  /** Gives all that is kept after that seq before it returns, then what comes: nothing missing, nothing twice. */
  attach(after: number, onEnvelope: (envelope: Envelope) => void): () => void;
  /** How many are attached. */
  watchers(): number;
  /** Nobody is attached, and the store shows all of it: another journal could go on from there. */
  isAtRest(): boolean;
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

export function createJournal(options: JournalOptions): Journal {
  const { sessionId, store, epoch, nowIso, onNotice, tryAgainMs = TRY_AGAIN_MS } = options;
  const mask: MaskEnvelope = options.createMask?.() ?? ((body) => body);
  const watchers = new Set<(envelope: Envelope) => void>();
  /** Not seen in the store yet. */
  let tail: Envelope[] = [];
  /** Not told yet, with what is never kept in its place between the others. */
  let outbox: Envelope[] = [];
  let { place } = options;
  let toldUpTo = store.lastSeq(sessionId);
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
        forgetSeen();
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

  function forgetSeen(): void {
    const visible = store.lastSeq(sessionId);
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

  function* read(after: number): Generator<Envelope> {
    let last = after;
    for (;;) {
      const page = store.read(sessionId, last, PAGE);
      for (const envelope of page) {
        yield envelope;
        last = envelope.seq;
      }
      if (page.length < PAGE) break;
    }
    for (const envelope of tail) if (envelope.seq > last) yield envelope;
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
    attach(after, onEnvelope) {
      for (const envelope of read(after)) if (envelope.seq <= toldUpTo) onEnvelope(envelope);
      // Who attaches is told the text under way as it is now: with the pieces that are still to be told.
      const known = new Set(outbox.filter(isTransient));
      const watch = (envelope: Envelope): void => {
        if (isTransient(envelope) ? !known.has(envelope) : envelope.seq > after) onEnvelope(envelope);
      };
      watchers.add(watch);
      return () => void watchers.delete(watch);
    },
    watchers: () => watchers.size,
    isAtRest() {
      if (watchers.size > 0 || outbox.length > 0 || keeping !== null) return false;
      forgetSeen();
      return tail.length === 0;
    },
    async flush() {
      while (keeping !== null) await keeping;
    },
  };
}
