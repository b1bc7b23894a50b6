import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";

export interface StreamLoop {
  flush(): Promise<void>;
  close(): Promise<void>;
}

const SWEEP_MS = 5_000;

/** Reads each foreign stream when its folder changes, and periodically in case a notification is lost. */
export function openStreamLoop(
  paths: readonly string[],
  capture: (path: string) => Promise<unknown>,
  onTrouble: (error: unknown) => void,
): StreamLoop {
  const watchers = new Map<string, FSWatcher>();
  let running: Promise<void> = Promise.resolve();
  let isAsked = false;

  const run = async (): Promise<void> => {
    isAsked = false;
    for (const path of paths) {
      try {
        await capture(path);
      } catch (error) {
        onTrouble(error);
      }
    }
  };
  const ask = (): void => {
    if (isAsked) return;
    isAsked = true;
    running = running.then(run);
  };
  const follow = (): void => {
    for (const dir of new Set(paths.map((path) => dirname(path)))) {
      if (watchers.has(dir)) continue;
      try {
        const watcher = watch(dir, { persistent: false }, ask);
        watcher.on("error", () => watchers.delete(dir));
        watchers.set(dir, watcher);
      } catch {
        // No such folder yet.
      }
    }
  };

  if (paths.length === 0) return { flush: async () => undefined, close: async () => undefined };
  follow();
  ask();
  const timer = setInterval(() => {
    follow();
    ask();
  }, SWEEP_MS);
  return {
    async flush() {
      ask();
      await running;
    },
    async close() {
      clearInterval(timer);
      for (const watcher of watchers.values()) watcher.close();
      await running;
    },
  };
}
