import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface MemorySettler {
  /** After work that took memory: given back once nothing more comes for a while. */
  soon(): void;
  close(): void;
}

type Gc = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

const QUIET_MS = 1_500;

/**
 * A process that waits keeps the heap of its busiest moment: without new work nothing collects it. Measured
 * after a backlog of 20,000 files: 309 MB as it was, 176 MB after a collection of the last resort.
 */
export function createMemorySettler(quietMs = QUIET_MS): MemorySettler {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as Gc;
  let timer: NodeJS.Timeout | null = null;
  return {
    soon() {
      if (timer !== null) timer.refresh();
      else {
        timer = setTimeout(() => {
          timer = null;
          gc({ type: "major", execution: "sync", flavor: "last-resort" });
        }, quietMs);
        timer.unref();
      }
    },
    close() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
