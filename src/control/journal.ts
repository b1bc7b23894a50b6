import type { EnvelopePlace, EnvelopeStore } from "./control-ports.ts";
import { type Envelope, type EnvelopeBody, isTransient } from "./envelope.ts";
import { createJournalQueue, type JournalQueue } from "./journal-queue.ts";
import { createJournalSender, type JournalSender } from "./journal-sender.ts";
import { createJournalTail, type JournalTail } from "./journal-tail.ts";
import { createJournalWatchers, type JournalWatchers } from "./journal-watchers.ts";
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

const TRY_AGAIN_MS = 500;

/** Only one journal of a session may be open: it numbers. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { sessionId, store, epoch, nowIso, onNotice, tryAgainMs = TRY_AGAIN_MS } = options;
  const mask: MaskEnvelope = options.createMask?.() ?? ((body) => body);
  let { place } = options;
  let seq = await store.lastSeq(sessionId);
  const tail = createJournalTail({ sessionId, store, toldUpTo: () => sender.toldUpTo() });
  const watchers = createJournalWatchers((error) =>
    onNotice(`a client of ${sessionId} was left: ${messageOf(error)}`),
  );
  const queue = createJournalQueue();
  const sender = createJournalSender({
    queue,
    toldUpTo: seq,
    tryAgainMs,
    keep: (envelopes) => store.append(place, envelopes),
    tell: watchers.tell,
    onTold: tail.lookUp,
    onFailing: (error) =>
      onNotice(`what happens in the driven session ${sessionId} cannot be kept: ${messageOf(error)}`),
  });
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
        if (isKept) tail.add(envelope);
        queue.add(envelope, body);
      }
      sender.begin();
    },
    lastSeq: () => seq,
    read: tail.read,
    attach: (after, onEnvelope, onAttached) =>
      attach({ tail, watchers, queue, sender }, after, onEnvelope, onAttached),
    watchers: watchers.count,
    isAtRest: () => watchers.count() === 0 && queue.isEmpty() && !sender.isAtWork() && tail.isEmpty(),
    lookUp: tail.lookUp,
    flush: sender.flush,
  };
}

interface AttachParts {
  readonly tail: JournalTail;
  readonly watchers: JournalWatchers;
  readonly queue: JournalQueue;
  readonly sender: JournalSender;
}

async function attach(
  { tail, watchers, queue, sender }: AttachParts,
  after: number,
  onEnvelope: (envelope: Envelope) => void,
  onAttached: (() => void) | undefined,
): Promise<() => void> {
  let known: ReadonlySet<Envelope> = new Set();
  const upTo = sender.toldUpTo();
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
    for (const envelope of await tail.read(after)) if (envelope.seq <= upTo) onEnvelope(envelope);
    for (const envelope of meanwhile) onEnvelope(envelope);
  } catch (error) {
    watchers.delete(watch);
    throw error;
  }
  meanwhile = null;
  // Who attaches is told the text under way as it is now: with the pieces that are still to be told.
  known = new Set(queue.all().filter(isTransient));
  onAttached?.();
  return () => watchers.delete(watch);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
