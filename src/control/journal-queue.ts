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
  /** Nothing has been stored since the last failure. */
  isFailing(): boolean;
}

export function createJournalQueue(): JournalQueue {
  let queue: Envelope[] = [];
  let isFailing = false;
  /** Deltas of the current text were dropped, so later ones would seem to continue what was published. */
  let isTorn = false;
  return {
    add(envelope, body) {
      const isPiece = isTransient(body);
      // While storing fails, deltas would only pile up.
      if (isPiece && isFailing) isTorn = true;
      if (body.type === "text" || body.type === "result") isTorn = false;
      if (!isPiece || !isTorn) queue.push(envelope);
    },
    isEmpty: () => queue.length === 0,
    all: () => [...queue],
    remove(count) {
      queue = queue.slice(count);
      isFailing = false;
    },
    fail() {
      isFailing = true;
      isTorn ||= queue.some(isTransient);
      queue = queue.filter((envelope) => !isTransient(envelope));
    },
    isFailing: () => isFailing,
  };
}
