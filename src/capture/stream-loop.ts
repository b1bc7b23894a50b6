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
  onError: (error: unknown) => void,
): StreamLoop {
  let running: Promise<void> = Promise.resolve();
  let isRequested = false;

  const captureAll = async (): Promise<void> => {
    isRequested = false;
    for (const path of paths) {
      try {
        await capture(path);
      } catch (error) {
        onError(error);
      }
    }
  };
  const requestRun = (): void => {
    if (isRequested) return;
    isRequested = true;
    running = running.then(captureAll);
  };
  if (paths.length === 0) return { flush: async () => undefined, close: async () => undefined };
  requestRun();
  const folders = new Set(paths.map((path) => dirname(path)));
  const watches = [...folders].map((folder) => watchFolder(folder, requestRun, SWEEP_MS));
  return {
    async flush() {
      requestRun();
      await running;
    },
    async close() {
      for (const watch of watches) watch.close();
      await running;
    },
  };
}
