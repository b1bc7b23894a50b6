import { type Envelope, isTransient } from "./envelope.ts";
import type { JournalQueue } from "./journal-queue.ts";

/** Keeps what is in the queue, then tells it, in order: what follows one that cannot be kept waits for it. */
export interface JournalSender {
  /** What is added before the next pause is kept in the same batch. */
  begin(): void;
  isAtWork(): boolean;
  /** The seq of the last kept envelope that was told. */
  toldUpTo(): number;
  /** All in the queue is kept, or cannot be now. */
  flush(): Promise<void>;
}

export interface JournalSenderOptions {
  readonly queue: JournalQueue;
  readonly toldUpTo: number;
  readonly tryAgainMs: number;
  /** Durable when it resolves. */
  readonly keep: (envelopes: readonly Envelope[]) => Promise<void>;
  readonly tell: (envelope: Envelope) => void;
  /** Called when a batch was told. When it fails, the next batch waits as after one that could not be kept. */
  readonly onTold: () => Promise<void>;
  /** Called once, however long it lasts. */
  readonly onFailing: (error: unknown) => void;
}

const TRIES = 5;

export function createJournalSender(options: JournalSenderOptions): JournalSender {
  const { queue, tryAgainMs, keep, tell, onTold, onFailing } = options;
  let { toldUpTo } = options;
  let sending: Promise<void> | null = null;
  let later: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    for (let tries = 0; !queue.isEmpty() && tries < TRIES; ) {
      const batch = queue.all();
      const kept = batch.filter((envelope) => !isTransient(envelope));
      try {
        if (kept.length > 0) await keep(kept);
        queue.remove(batch.length);
        tries = 0;
        for (const envelope of batch) {
          if (!isTransient(envelope)) toldUpTo = envelope.seq;
          tell(envelope);
        }
        await onTold();
      } catch (error) {
        tries += 1;
        if (!queue.isFailing()) onFailing(error);
        queue.fail();
        await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
      }
    }
    sending = null;
    // Nothing else may happen in the session for long: a request that waits for an answer is to be seen.
    if (!queue.isEmpty()) later = setTimeout(begin, 10 * tryAgainMs).unref();
  }

  function begin(): void {
    clearTimeout(later);
    sending ??= Promise.resolve().then(send);
  }

  return {
    begin,
    isAtWork: () => sending !== null,
    toldUpTo: () => toldUpTo,
    async flush() {
      while (sending !== null) await sending;
    },
  };
}
