import { setImmediate as nextTurn } from "node:timers/promises";
import type { HooklineEvent } from "../event/event.ts";
import type { RowBuilder } from "./build-rows.ts";
import type { SessionQueue } from "./session-queue.ts";
import type { WatchedSessions } from "./watched-sessions.ts";

/** Unwatched sessions in an import: each is read once when the import has ended. */
export interface ImportedSessions {
  /** Applied one by one, each event would cause a long session to be read in full again. */
  isDeferred(event: HooklineEvent): boolean;
  defer(sessionId: string): void;
  /** Whether the rows of all deferred sessions are saved. */
  isDone(): boolean;
  readDeferred(): Promise<void>;
  close(): void;
}

interface ImportedOptions {
  readonly watched: WatchedSessions;
  readonly queue: Pick<SessionQueue, "idle">;
  readonly rowBuilder: Pick<RowBuilder, "build">;
  readonly isImporting: (() => boolean) | undefined;
}

export function createImportedSessions({
  watched,
  queue,
  rowBuilder,
  isImporting,
}: ImportedOptions): ImportedSessions {
  const left = new Set<string>();
  let reading = 0;
  let isClosed = false;

  const readOne = async (sessionId: string): Promise<void> => {
    left.delete(sessionId);
    reading++;
    try {
      if (!watched.has(sessionId)) await rowBuilder.build(sessionId);
    } catch (error) {
      left.add(sessionId);
      throw error;
    } finally {
      reading--;
    }
  };

  return {
    isDeferred: (event) =>
      event.origin === "transcript" && !watched.has(event.sessionId) && isImporting?.() === true,
    defer: (sessionId) => void left.add(sessionId),
    isDone: () => left.size === 0 && reading === 0,
    async readDeferred() {
      await queue.idle();
      for (const sessionId of left) {
        if (isClosed) return;
        await readOne(sessionId);
        await nextTurn();
      }
    },
    close() {
      isClosed = true;
    },
  };
}
