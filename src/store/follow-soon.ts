import type { StoreKeeper } from "./keep-store.ts";

/** How long whoever took so many files waits for the store. */
const FOLLOW_MS = 250;
/** A backlog waits longer: a database that falls behind must read and parse all of it again. */
const BACKLOG_FOLLOW_MS = 5_000;
/** An import is in no hurry; still, a locked database does not stop it. */
const IMPORT_FOLLOW_MS = 10_000;
const MANY_FILES = 200;

/** Lets those who bring events go no faster than the store can follow, so that little waits in memory; a locked one holds up nobody. */
export interface FollowSoon {
  /** After so many files of the spool. */
  afterFiles(files: number): Promise<void>;
  afterImportedBatch(): Promise<void>;
}

export interface FollowSoonOptions {
  readonly follow: StoreKeeper["follow"];
  /** Much was taken: there is memory to give back. */
  readonly onMany: () => void;
  readonly onTrouble: (error: unknown) => void;
}

export function createFollowSoon({ follow, onMany, onTrouble }: FollowSoonOptions): FollowSoon {
  const within = async (maxMs: number): Promise<void> => {
    const limit = new Promise((resolve) => setTimeout(resolve, maxMs).unref());
    await Promise.race([follow().catch(onTrouble), limit]);
  };
  return {
    async afterFiles(files) {
      if (files >= MANY_FILES) onMany();
      await within(files >= MANY_FILES ? BACKLOG_FOLLOW_MS : FOLLOW_MS);
    },
    async afterImportedBatch() {
      onMany();
      await within(IMPORT_FOLLOW_MS);
    },
  };
}
