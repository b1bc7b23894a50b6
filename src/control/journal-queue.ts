import { type Envelope, type EnvelopeBody, isTransient } from "./envelope.ts";

/** What was written and not told yet, with what is never kept in its place between the others. */
export interface JournalQueue {
  /** `body`: what the envelope says, before it was masked. */
  add(envelope: Envelope, body: EnvelopeBody): void;
  isEmpty(): boolean;
  all(): readonly Envelope[];
  /** The first so many were kept. */
  remove(count: number): void;
  /** Nothing can be kept now: drops the pieces of text, which are many and of no use later. */
  fail(): void;
  /** Since the last failure nothing was kept. */
  isFailing(): boolean;
}

export function createJournalQueue(): JournalQueue {
  let queue: Envelope[] = [];
  let isFailing = false;
  /** Pieces of the text under way were dropped: what follows them would be read as one with what was told. */
  let isTorn = false;
  return {
    add(envelope, body) {
      const isPiece = isTransient(body);
      // While nothing can be kept, pieces of text would only pile up.
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
