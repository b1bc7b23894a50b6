import type { LiveStore } from "./live-store.ts";

/** How long ingestion of spool files waits for the store. */
const MAX_WAIT_MS = 250;
/** A backlog waits longer: a store that falls behind must read and parse all of it again. */
const BACKLOG_MAX_WAIT_MS = 5_000;
/** An import can wait longer, but a locked database must not stop it. */
const IMPORT_MAX_WAIT_MS = 10_000;
const BACKLOG_FILES = 200;

/**
 * Slows producers down to the store's pace, so that little queues in memory. A locked store does not block
 * them.
 */
export interface StoreBackpressure {
  /** Call after this many spool files. */
  afterFiles(files: number): Promise<void>;
  afterImportedBatch(): Promise<void>;
}

export interface StoreBackpressureOptions {
  readonly follow: LiveStore["follow"];
  /** Much was ingested: release heap. */
  readonly onLargeBatch: () => void;
  readonly onError: (error: unknown) => void;
}

export function createStoreBackpressure({
  follow,
  onLargeBatch,
  onError,
}: StoreBackpressureOptions): StoreBackpressure {
  const followWithin = async (maxMs: number): Promise<void> => {
    const limit = new Promise((resolve) => setTimeout(resolve, maxMs).unref());
    await Promise.race([follow().catch(onError), limit]);
  };
  return {
    async afterFiles(files) {
      if (files >= BACKLOG_FILES) onLargeBatch();
      await followWithin(files >= BACKLOG_FILES ? BACKLOG_MAX_WAIT_MS : MAX_WAIT_MS);
    },
    async afterImportedBatch() {
      onLargeBatch();
      await followWithin(IMPORT_MAX_WAIT_MS);
    },
  };
}
