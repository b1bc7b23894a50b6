import { setImmediate as nextTurn } from "node:timers/promises";
import type { HooklineEvent } from "../event/event.ts";
import type { RowBuilder } from "./build-rows.ts";
import type { SessionQueue } from "./session-queue.ts";
import type { WatchedSessions } from "./watched-sessions.ts";

/** Unwatched sessions in an import: each is read once when the import has ended. */
export interface ImportedSessions {
  /** Deferred because applying events one by one would read a long session again for each. */
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
  const deferred = new Set<string>();
  let readsInProgress = 0;
  let isClosed = false;

  const readSession = async (sessionId: string): Promise<void> => {
    deferred.delete(sessionId);
    readsInProgress++;
    try {
      if (!watched.has(sessionId)) await rowBuilder.build(sessionId);
    } catch (error) {
      deferred.add(sessionId);
      throw error;
    } finally {
      readsInProgress--;
    }
  };

  return {
    isDeferred: (event) =>
      event.origin === "transcript" && !watched.has(event.sessionId) && isImporting?.() === true,
    defer: (sessionId) => void deferred.add(sessionId),
    isDone: () => deferred.size === 0 && readsInProgress === 0,
    async readDeferred() {
      await queue.idle();
      for (const sessionId of deferred) {
        if (isClosed) return;
        await readSession(sessionId);
        await nextTurn();
      }
    },
    close() {
      isClosed = true;
    },
  };
}
