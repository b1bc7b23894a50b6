import { type Envelope, type EnvelopeBody, isTransient } from "./envelope.ts";

/** Envelopes written but not published yet, in order, including the transient ones never stored. */
export interface JournalQueue {
  /** `body`: the envelope's content before masking. */
  add(envelope: Envelope, body: EnvelopeBody): void;
  isEmpty(): boolean;
  all(): readonly Envelope[];
  /** Removes the first `count`, which are stored. */
  remove(count: number): void;
  /** Storing fails: drops text deltas, which are many and of no use later. */
  fail(): void;
  /** Whether nothing has been stored since the last failure. */
  isFailing(): boolean;
}

export function createJournalQueue(): JournalQueue {
  let queue: Envelope[] = [];
  let isFailing = false;
  /**
   * Set once deltas of the current text were dropped: later ones would seem to continue what was published.
   */
  let hasDroppedDeltas = false;
  return {
    add(envelope, body) {
      const isDelta = isTransient(body);
      // While storing fails, deltas would only pile up.
      if (isDelta && isFailing) hasDroppedDeltas = true;
      if (body.type === "text" || body.type === "result") hasDroppedDeltas = false;
      if (!isDelta || !hasDroppedDeltas) queue.push(envelope);
    },
    isEmpty: () => queue.length === 0,
    all: () => [...queue],
    remove(count) {
      queue = queue.slice(count);
      isFailing = false;
    },
    fail() {
      isFailing = true;
      hasDroppedDeltas ||= queue.some(isTransient);
      queue = queue.filter((envelope) => !isTransient(envelope));
    },
    isFailing: () => isFailing,
  };
}
