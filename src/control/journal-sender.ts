import { type Envelope, isTransient } from "./envelope.ts";
import type { JournalQueue } from "./journal-queue.ts";

/** Stores the queue, then publishes it in order: envelopes wait behind one that cannot be stored. */
export interface JournalSender {
  /** Envelopes added before the next tick are stored in the same batch. */
  start(): void;
  isSending(): boolean;
  /** Seq of the last stored envelope that was published. */
  publishedUpTo(): number;
  /** Resolves when the whole queue is stored, or cannot be for now. */
  flush(): Promise<void>;
}

export interface JournalSenderOptions {
  readonly queue: JournalQueue;
  readonly publishedUpTo: number;
  readonly retryMs: number;
  /** Durable when it resolves. */
  readonly append: (envelopes: readonly Envelope[]) => Promise<void>;
  readonly publish: (envelope: Envelope) => void;
  /** Called after a batch is published. If it fails, the next batch is delayed as after a failed append. */
  readonly onPublished: () => Promise<void>;
  /** Called once per failure period, however long it lasts. */
  readonly onFailing: (error: unknown) => void;
}

const MAX_TRIES = 5;

export function createJournalSender(options: JournalSenderOptions): JournalSender {
  const { queue, retryMs, append, publish, onPublished, onFailing } = options;
  let { publishedUpTo } = options;
  let sending: Promise<void> | null = null;
  let retryTimer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    for (let tries = 0; !queue.isEmpty() && tries < MAX_TRIES; ) {
      const batch = queue.all();
      const durable = batch.filter((envelope) => !isTransient(envelope));
      try {
        if (durable.length > 0) await append(durable);
        queue.remove(batch.length);
        tries = 0;
        for (const envelope of batch) {
          if (!isTransient(envelope)) publishedUpTo = envelope.seq;
          publish(envelope);
        }
        await onPublished();
      } catch (error) {
        tries += 1;
        if (!queue.isFailing()) onFailing(error);
        queue.fail();
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
    sending = null;
    // Retry without new input: the session may stay silent while a pending request must become visible.
    if (!queue.isEmpty()) retryTimer = setTimeout(start, 10 * retryMs).unref();
  }

  function start(): void {
    clearTimeout(retryTimer);
    sending ??= Promise.resolve().then(send);
  }

  return {
    start: start,
    isSending: () => sending !== null,
    publishedUpTo: () => publishedUpTo,
    async flush() {
      while (sending !== null) await sending;
    },
  };
}
