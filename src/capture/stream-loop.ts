import { dirname } from "node:path";
import { watchFolder } from "../files/watch-folder.ts";

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
  if (paths.length === 0) return { flush: async () => undefined, close: async () => undefined };
  ask();
  const folders = new Set(paths.map((path) => dirname(path)));
  const watches = [...folders].map((folder) => watchFolder(folder, ask, SWEEP_MS));
  return {
    async flush() {
      ask();
      await running;
    },
    async close() {
      for (const watch of watches) watch.close();
      await running;
    },
  };
}
