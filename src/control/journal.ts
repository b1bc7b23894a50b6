import type { EnvelopeStore, SessionLocation } from "./control-ports.ts";
import { type Envelope, type EnvelopeBody, isTransient } from "./envelope.ts";
import { createJournalQueue, type JournalQueue } from "./journal-queue.ts";
import { createJournalSender, type JournalSender } from "./journal-sender.ts";
import { createJournalTail, type JournalTail } from "./journal-tail.ts";
import { createJournalWatchers, type JournalWatchers } from "./journal-watchers.ts";
import type { MaskEnvelope } from "./mask-envelopes.ts";

/**
 * The envelopes of one session, numbered without gaps and stored in order. They are published only once
 * stored, so a client never sees something that a crash takes back.
 */
export interface Journal {
  location(): SessionLocation;
  /** A resumed session may be in another folder. */
  setLocation(place: SessionLocation): void;
  write(bodies: readonly EnvelopeBody[]): void;
  lastSeq(): number;
  /** Envelopes after that seq that are stored or about to be. */
  read(after: number): Promise<readonly Envelope[]>;
  /**
   * Delivers everything stored after that seq before it resolves, then new envelopes: no gaps, no duplicates.
   * Of the current text's deltas, it delivers those written after `onAttached`.
   */
  attach(
    after: number,
    onEnvelope: (envelope: Envelope) => void,
    onAttached?: () => void,
  ): Promise<() => void>;
  watcherCount(): number;
  /** No watcher is attached, and the store shows all of it: another journal could continue from there. */
  canRelease(): boolean;
  /** Checks what the store shows by now, and drops that. */
  dropStored(): Promise<void>;
  /** Resolves when all written so far is stored, or cannot be for now. */
  flush(): Promise<void>;
}

export interface JournalOptions {
  readonly sessionId: string;
  readonly location: SessionLocation;
  readonly store: EnvelopeStore;
  readonly epoch: string;
  readonly nowIso: () => string;
  readonly onNotice: (text: string) => void;
  /** Creates the mask for one session, which removes what must not be stored. */
  readonly createMask?: (() => MaskEnvelope) | undefined;
  readonly retryMs?: number;
}

const RETRY_MS = 500;

/** Only one journal per session may be open, because it assigns the numbers. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { sessionId, store, epoch, nowIso, onNotice, retryMs = RETRY_MS } = options;
  const mask: MaskEnvelope = options.createMask?.() ?? ((body) => body);
  let { location } = options;
  let seq = await store.lastSeq(sessionId);
  const tail = createJournalTail({ sessionId, store, publishedUpTo: () => sender.publishedUpTo() });
  const watchers = createJournalWatchers((error) =>
    onNotice(`a client of ${sessionId} was left: ${messageOf(error)}`),
  );
  const queue = createJournalQueue();
  const sender = createJournalSender({
    queue,
    publishedUpTo: seq,
    retryMs,
    append: (envelopes) => store.append(location, envelopes),
    publish: watchers.notify,
    onPublished: tail.dropStored,
    onFailing: (error) =>
      onNotice(`what happens in the driven session ${sessionId} cannot be kept: ${messageOf(error)}`),
  });
  return {
    location: () => location,
    setLocation(to) {
      location = to;
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
      sender.start();
    },
    lastSeq: () => seq,
    read: tail.read,
    attach: (after, onEnvelope, onAttached) =>
      attach({ tail, watchers, queue, sender }, after, onEnvelope, onAttached),
    watcherCount: watchers.count,
    canRelease: () => watchers.count() === 0 && queue.isEmpty() && !sender.isSending() && tail.isEmpty(),
    dropStored: tail.dropStored,
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
  const upTo = sender.publishedUpTo();
  /** Envelopes published while the store is being read: delivered after the store's. */
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
  // A new watcher gets the current text as it is now, including deltas not published yet.
  known = new Set(queue.all().filter(isTransient));
  onAttached?.();
  return () => watchers.delete(watch);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
