import { type FolderWatch, watchFolder } from "../files/watch-folder.ts";
import type { DrainReport } from "./capture-spool.ts";

export interface CaptureLoop {
  /** Starts draining automatically. */
  start(): void;
  /** Drains now, even before `start`; resolves when nothing complete is left. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface CaptureLoopOptions {
  readonly spoolDir: string;
  readonly drain: () => Promise<DrainReport>;
  /** Nothing is lost: the files stay and are retried. */
  readonly onError: (error: unknown) => void;
}

/**
 * Delay between a notification and reading the file: by then its hook is usually done, and others have
 * arrived.
 */
const DEBOUNCE_MS = 6;
const SWEEP_MS = 5_000;
const MIN_RETRY_MS = 5;
const MAX_RETRY_MS = 1_000;
const MAX_ERROR_RETRY_MS = 10_000;

/** Drains whenever the spool changes, one drain at a time. */
export function openCaptureLoop(options: CaptureLoopOptions): CaptureLoop {
  let isClosed = false;
  let isRequested = false;
  let running: Promise<void> | null = null;
  let retryMs = MIN_RETRY_MS;
  let errorRetryMs = 100;
  let retryTimer: NodeJS.Timeout | null = null;

  const retryIn = (ms: number): void => {
    if (isClosed) return;
    if (retryTimer !== null) clearTimeout(retryTimer);
    retryTimer = setTimeout(requestDrain, ms);
  };

  const drainWhileRequested = async (): Promise<void> => {
    while (isRequested) {
      isRequested = false;
      try {
        const report = await options.drain();
        errorRetryMs = 100;
        // A hook is still writing: its next write wakes us, or the timer does if that notification is lost.
        if (report.incomplete > 0) retryIn(retryMs);
        retryMs = report.incomplete > 0 ? Math.min(retryMs * 2, MAX_RETRY_MS) : MIN_RETRY_MS;
      } catch (error) {
        options.onError(error);
        isRequested = false;
        retryIn(errorRetryMs);
        errorRetryMs = Math.min(errorRetryMs * 2, MAX_ERROR_RETRY_MS);
      }
    }
  };

  const requestDrain = (): void => {
    if (isClosed) return;
    isRequested = true;
    running ??= drainWhileRequested().finally(() => {
      running = null;
      if (isRequested) requestDrain();
    });
  };

  let debounce: NodeJS.Timeout | null = null;
  const requestSoon = (): void => {
    debounce ??= setTimeout(() => {
      debounce = null;
      requestDrain();
    }, DEBOUNCE_MS);
  };
  let watch: FolderWatch | null = null;
  return {
    start() {
      if (isClosed) return;
      watch ??= watchFolder(options.spoolDir, requestSoon, SWEEP_MS);
      requestDrain();
    },
    async flush() {
      requestDrain();
      await running;
    },
    async close() {
      isClosed = true;
      watch?.close();
      clearTimeout(debounce ?? undefined);
      if (retryTimer !== null) clearTimeout(retryTimer);
      isRequested = false;
      await running;
    },
  };
}
