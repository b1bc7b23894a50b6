import { type FSWatcher, statSync, watch } from "node:fs";

export interface SpoolWatch {
  close(): void;
}

/** For what kernel notifications miss (network homes, a recreated folder). */
const SWEEP_MS = 5_000;

/** Calls `onChange` when the folder may contain something, without saying what. */
export function watchSpool(dir: string, onChange: () => void, sweepMs = SWEEP_MS): SpoolWatch {
  let watcher: FSWatcher | null = null;
  let watched: bigint | null = null;

  const follow = (): void => {
    const inode = statSync(dir, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
    if (inode === watched) return;
    watcher?.close();
    watcher = null;
    watched = null;
    if (inode === null) return;
    try {
      watcher = watch(dir, { persistent: false }, onChange);
      watcher.on("error", () => {
        watched = null;
      });
      watched = inode;
    } catch {
      // Out of watches: the sweep alone still finds everything, later.
    }
  };

  follow();
  const timer = setInterval(() => {
    follow();
    onChange();
  }, sweepMs);
  return {
    close() {
      clearInterval(timer);
      watcher?.close();
    },
  };
}
