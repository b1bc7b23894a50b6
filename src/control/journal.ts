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
    onNotice(`a client of ${sessionId} was detached after an error: ${messageOf(error)}`),
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
      onNotice(`cannot store envelopes of the driven session ${sessionId}; retrying: ${messageOf(error)}`),
  });
  return {
    location: () => location,
    setLocation(newLocation) {
      location = newLocation;
    },
    write(bodies) {
      for (const body of bodies) {
        const isStored = !isTransient(body);
        if (isStored) seq += 1;
        const head = { v: 1, epoch, sessionId, seq: isStored ? seq : 0, ts: nowIso() } as const;
        const envelope: Envelope = { ...head, ...(isStored ? mask(body) : body) };
        if (isStored) tail.add(envelope);
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
  let queuedDeltas: ReadonlySet<Envelope> = new Set();
  const publishedUpTo = sender.publishedUpTo();
  /** Envelopes published while the store is being read: delivered after the store's. */
  let buffered: Envelope[] | null = [];
  const listener = (envelope: Envelope): void => {
    const isDelta = isTransient(envelope);
    if (isDelta ? queuedDeltas.has(envelope) : envelope.seq <= after) return;
    if (buffered === null) onEnvelope(envelope);
    else if (!isDelta) buffered.push(envelope);
  };
  watchers.add(listener);
  try {
    for (const envelope of await tail.read(after)) if (envelope.seq <= publishedUpTo) onEnvelope(envelope);
    for (const envelope of buffered) onEnvelope(envelope);
  } catch (error) {
    watchers.delete(listener);
    throw error;
  }
  buffered = null;
  // A new watcher gets the current text as it is now, including deltas not published yet.
  queuedDeltas = new Set(queue.all().filter(isTransient));
  onAttached?.();
  return () => watchers.delete(listener);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
