import { setImmediate as nextTurn } from "node:timers/promises";
import type { CapturedPart, FollowedTranscript } from "./follow-transcript.ts";

/** Ingests what has grown, one part of each file in turn, so that a big file does not hold up others. */
export interface TranscriptQueue {
  /** Debounced together with other files that have grown. */
  schedule(file: FollowedTranscript): void;
  /** Resolves when everything pending was ingested, or failed. Never rejects. */
  run(): Promise<void>;
  drop(files: readonly FollowedTranscript[]): void;
  isClosed(): boolean;
  /** Resolves when the current part is ingested. */
  close(): Promise<void>;
}

export interface TranscriptQueueOptions {
  /** The session's own transcript, given a subagent's; undefined for the session's own. */
  readonly mainOf: (file: FollowedTranscript) => FollowedTranscript | undefined;
  /** Runs after each round: views may apply it while the next one is read. */
  readonly onBatch?: ((events: number) => Promise<void>) | undefined;
  /** Not repeated while the error persists. */
  readonly onError: (error: unknown) => void;
}

const DEBOUNCE_MS = 30;

export function createTranscriptQueue(options: TranscriptQueueOptions): TranscriptQueue {
  const behind = new Set<FollowedTranscript>();
  const { captureNext, hasFailed, forget } = createCaptureAttempts(options.onError);
  let debounce: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  const drain = async (): Promise<void> => {
    while (behind.size > 0 && !isClosed) {
      let events = 0;
      for (const file of [...behind]) {
        const main = options.mainOf(file);
        // A private prompt in the session's own transcript hides this one, so all of it is read first.
        if (main !== undefined && behind.has(main)) continue;
        behind.delete(file);
        if (main !== undefined && hasFailed(main)) continue;
        const part = await captureNext(file);
        events += part.events;
        if (part.hasMore) behind.add(file);
        if (isClosed) return;
      }
      if (events > 0) await options.onBatch?.(events);
      await nextTurn();
    }
  };

  const cancelDebounce = (): void => {
    if (debounce !== null) clearTimeout(debounce);
    debounce = null;
  };

  const run = (): Promise<void> => {
    cancelDebounce();
    running = running.then(drain).catch(options.onError);
    return running;
  };

  return {
    schedule(file) {
      behind.add(file);
      if (!isClosed) debounce ??= setTimeout(run, DEBOUNCE_MS);
    },
    run,
    drop(files) {
      for (const file of files) {
        behind.delete(file);
        forget(file);
      }
    },
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      cancelDebounce();
      return running;
    },
  };
}

interface CaptureAttempts {
  /** A failure is retried when the file grows, and by the sweep. */
  readonly captureNext: (file: FollowedTranscript) => Promise<CapturedPart>;
  readonly hasFailed: (file: FollowedTranscript) => boolean;
  readonly forget: (file: FollowedTranscript) => void;
}

/** Ingests files one by one and reports an error once, however many files have it. */
function createCaptureAttempts(onError: (error: unknown) => void): CaptureAttempts {
  const failed = new Set<FollowedTranscript>();
  let lastError: string | null = null;
  return {
    async captureNext(file) {
      try {
        const part = await file.captureNext();
        failed.delete(file);
        if (failed.size === 0) lastError = null;
        return part;
      } catch (error) {
        failed.add(file);
        if (String(error) !== lastError) onError(error);
        lastError = String(error);
        return { events: 0, hasMore: false };
      }
    },
    hasFailed: (file) => failed.has(file),
    forget: (file) => void failed.delete(file),
  };
}
