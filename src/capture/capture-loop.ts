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

/** From a file's notification to reading it: by then its hook is usually done, and others have arrived. */
const DEBOUNCE_MS = 6;
const SWEEP_MS = 5_000;
const MIN_RETRY_MS = 5;
const MAX_RETRY_MS = 1_000;
const MAX_ERROR_RETRY_MS = 10_000;

/** Drains whenever the spool changes, one drain at a time. */
export function openCaptureLoop(options: CaptureLoopOptions): CaptureLoop {
  let isClosed = false;
  let asked = false;
  let running: Promise<void> | null = null;
  let retryMs = MIN_RETRY_MS;
  let troubleMs = 100;
  let timer: NodeJS.Timeout | null = null;

  const later = (ms: number): void => {
    if (isClosed) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(ask, ms);
  };

  const run = async (): Promise<void> => {
    while (asked) {
      asked = false;
      try {
        const report = await options.drain();
        troubleMs = 100;
        // A hook is still writing: its next write wakes us, or the timer does if that notification is lost.
        if (report.incomplete > 0) later(retryMs);
        retryMs = report.incomplete > 0 ? Math.min(retryMs * 2, MAX_RETRY_MS) : MIN_RETRY_MS;
      } catch (error) {
        options.onError(error);
        asked = false;
        later(troubleMs);
        troubleMs = Math.min(troubleMs * 2, MAX_ERROR_RETRY_MS);
      }
    }
  };

  const ask = (): void => {
    if (isClosed) return;
    asked = true;
    running ??= run().finally(() => {
      running = null;
      if (asked) ask();
    });
  };

  let gathering: NodeJS.Timeout | null = null;
  const gather = (): void => {
    gathering ??= setTimeout(() => {
      gathering = null;
      ask();
    }, DEBOUNCE_MS);
  };
  let watch: FolderWatch | null = null;
  return {
    start() {
      if (isClosed) return;
      watch ??= watchFolder(options.spoolDir, gather, SWEEP_MS);
      ask();
    },
    async flush() {
      ask();
      await running;
    },
    async close() {
      isClosed = true;
      watch?.close();
      clearTimeout(gathering ?? undefined);
      if (timer !== null) clearTimeout(timer);
      asked = false;
      await running;
    },
  };
}
