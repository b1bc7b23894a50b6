import type { DigestKeeper } from "../../memory/give-digests.ts";
import { keepMemory, type MemoryKeeper } from "../../memory/keep-memory.ts";
import type { MemoryIndex } from "../../memory/search/memory-index.ts";
import { createThrottle } from "../../memory/throttle.ts";
import type { MemoryRows } from "../../store/memory-rows.ts";
import type { LongWork } from "../long-work.ts";
import type { TurnModel } from "./open-model.ts";

/** Digests ask git: at 50 events/s of one project that was a tenth of the main thread's time. */
const DIGEST_REST_MS = 1_000;

export interface MakingParts {
  readonly rows: MemoryRows;
  readonly index: MemoryIndex;
  readonly digests: DigestKeeper;
  readonly model: TurnModel;
  readonly long: LongWork;
  readonly onTrouble: (error: unknown) => void;
}

/** Makes what is remembered of what is recorded, and lets index, digests and model know. */
export interface Making extends Pick<MemoryKeeper, "told" | "waiting"> {
  /** Makes what waits; the digests are written soon after. */
  drain(): Promise<void>;
  /** All that was told is made, and the digests are written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function startMaking({ rows, index, digests, model, long, onTrouble }: MakingParts): Making {
  const touched = new Set<string>();
  const refreshDigests = createThrottle(() => {
    digests.touched(touched);
    touched.clear();
  }, DIGEST_REST_MS);
  let hasNews = false;
  const makes = keepMemory({
    rows,
    // While long work is under way: all is remembered at once after it.
    isHeld: () => long.name() !== null,
    onWritten(write) {
      hasNews ||= (write.items?.length ?? 0) + (write.gone?.length ?? 0) > 0;
      for (const { project } of write.items ?? []) if (project !== null) touched.add(project);
      model.written(write);
    },
    onLevel() {
      if (hasNews) index.changed();
      hasNews = false;
      if (touched.size > 0) refreshDigests.ask();
    },
    onTrouble,
  });
  return {
    told: makes.told,
    waiting: makes.waiting,
    drain: () => makes.drain(),
    async flush() {
      await makes.drain();
      refreshDigests.run();
      await digests.settle();
    },
    async close() {
      await makes.close();
      refreshDigests.run();
      refreshDigests.close();
      await digests.close();
    },
  };
}
