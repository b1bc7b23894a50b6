import { type SpoolWatch, watchSpool } from "../spool/watch-spool.ts";
import type { DrainReport } from "./capture-spool.ts";

export interface CaptureDrive {
  /** From now on what comes is drained by itself. */
  start(): void;
  /** Drains now, also before the start; resolves when nothing complete is left. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface CaptureDriveOptions {
  readonly spoolDir: string;
  readonly drain: () => Promise<DrainReport>;
  /** Nothing is lost: the files stay, and are tried again. */
  readonly onTrouble: (error: unknown) => void;
}

/** From the notice that a file is there to the reading: by then its hook is normally done, and others came too. */
const GATHER_MS = 6;
const RETRY_FIRST_MS = 5;
const RETRY_MOST_MS = 1_000;
const TROUBLE_MOST_MS = 10_000;

/** Drains whenever the spool changes, one drain at a time. */
export function driveCapture(options: CaptureDriveOptions): CaptureDrive {
  let isClosed = false;
  let asked = false;
  let running: Promise<void> | null = null;
  let retryMs = RETRY_FIRST_MS;
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
        // A hook is still writing: its next write wakes us, and so does the timer if that notice is lost.
        if (report.incomplete > 0) later(retryMs);
        retryMs = report.incomplete > 0 ? Math.min(retryMs * 2, RETRY_MOST_MS) : RETRY_FIRST_MS;
      } catch (error) {
        options.onTrouble(error);
        asked = false;
        later(troubleMs);
        troubleMs = Math.min(troubleMs * 2, TROUBLE_MOST_MS);
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
    }, GATHER_MS);
  };
  let watch: SpoolWatch | null = null;
  return {
    start() {
      if (isClosed) return;
      watch ??= watchSpool(options.spoolDir, gather);
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
