import type { DigestStore } from "../../memory/digest-store.ts";
import { type ItemBuilder, openItemBuilder } from "../../memory/item-builder.ts";
import type { MemoryIndex } from "../../memory/search/memory-index.ts";
import { createThrottle } from "../../memory/throttle.ts";
import type { MemoryRows } from "../../store/memory-rows.ts";
import type { LongWork } from "../long-work.ts";
import type { TurnModel } from "./open-model.ts";

/** Digests run git: at 50 events/s in one project, that took a tenth of the main thread's time. */
const DIGEST_INTERVAL_MS = 1_000;

export interface MemoryPipelineParts {
  readonly rows: MemoryRows;
  readonly index: MemoryIndex;
  readonly digests: DigestStore;
  readonly model: TurnModel;
  readonly long: LongWork;
  readonly onError: (error: unknown) => void;
}

/** Builds memory from recorded events, and notifies index, digests and model. */
export interface MemoryPipeline extends Pick<ItemBuilder, "onEvents" | "waiting"> {
  /** Processes the backlog; the digests are written soon after. */
  drain(): Promise<void>;
  /** Resolves when all events so far are processed and the digests are written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function startMemoryPipeline({
  rows,
  index,
  digests,
  model,
  long,
  onError,
}: MemoryPipelineParts): MemoryPipeline {
  const changedProjects = new Set<string>();
  const refreshDigests = createThrottle(() => {
    digests.markStale(changedProjects);
    changedProjects.clear();
  }, DIGEST_INTERVAL_MS);
  let hasChanges = false;
  const builder = openItemBuilder({
    rows,
    // During long work: everything is processed together after it.
    shouldYield: () => long.currentWork() !== null,
    onWritten(write) {
      hasChanges ||= (write.items?.length ?? 0) + (write.removed?.length ?? 0) > 0;
      for (const { project } of write.items ?? []) if (project !== null) changedProjects.add(project);
      model.onWritten(write);
    },
    onDrained() {
      if (hasChanges) index.changed();
      hasChanges = false;
      if (changedProjects.size > 0) refreshDigests.request();
    },
    onError,
  });
  return {
    onEvents: builder.onEvents,
    waiting: builder.waiting,
    drain: () => builder.drain(),
    async flush() {
      await builder.drain();
      refreshDigests.run();
      await digests.settle();
    },
    async close() {
      await builder.close();
      refreshDigests.run();
      refreshDigests.close();
      await digests.close();
    },
  };
}
