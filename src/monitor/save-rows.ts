import type { Position } from "../log/log.ts";
import type { SessionRow, WithSessionRows } from "../store/session-rows.ts";
import { toSessionRow } from "./to-session-row.ts";
import type { WatchedSessions } from "./watched-sessions.ts";

/** Saves rows of watched sessions. Writes are serialized, so that an older row never replaces a newer one. */
export interface RowSaver {
  /** Includes the session in the next save, which runs automatically a little later. */
  markChanged(sessionId: string): void;
  /** Saves what changed since the last save. Failures are reported and retried later. */
  save(): Promise<void>;
  /** The store was replaced: the next save writes the position even without rows. */
  storeReplaced(): void;
  /** Runs another write while no save is running. */
  runExclusive<T>(write: () => Promise<T>): Promise<T>;
  forget(sessionId: string): void;
  /** Saves one last time. */
  close(): Promise<void>;
}

export interface RowSaverOptions {
  readonly watched: WatchedSessions;
  readonly rows: WithSessionRows;
  /** Collects all changes before a save. */
  readonly emit: () => void;
  /** The position up to which the log was applied to the watched sessions. */
  readonly position: () => Position | undefined;
  readonly onDrop: (sessionId: string) => void;
  readonly onError: (error: unknown) => void;
}

const SAVE_DELAY_MS = 5_000;
const ROWS_PER_SAVE = 100;

export function createRowSaver(options: RowSaverOptions): RowSaver {
  const { watched, rows } = options;
  const unsaved = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  let isClosed = false;
  let isStoreReplaced = false;

  const runExclusive: RowSaver["runExclusive"] = (write) => {
    const result = last.then(write);
    last = result.catch(() => undefined);
    return result;
  };

  const save = (): Promise<void> => {
    // A save that has not started yet serves all callers until it does.
    next ??= runExclusive(async () => {
      next = null;
      await saveChanged();
    });
    return next;
  };

  const saveSoon = (): void => {
    if (!isClosed) timer ??= setTimeout(() => void save(), SAVE_DELAY_MS).unref();
  };

  const saveChanged = async (): Promise<void> => {
    // In one tick, so that the saved rows cover everything up to the position. Later changes are for the
    // next save.
    options.emit();
    const position = options.position();
    const ids = [...unsaved];
    unsaved.clear();
    clearTimeout(timer ?? undefined);
    timer = null;
    let saved = 0;
    try {
      while (saved < ids.length || (isStoreReplaced && position !== undefined)) {
        const batch = ids.slice(saved, saved + ROWS_PER_SAVE);
        const isLast = saved + batch.length === ids.length;
        await rows((store) => store.saveSessions(rowsOf(watched, batch), isLast ? position : undefined));
        saved += batch.length;
        if (isLast) isStoreReplaced = false;
      }
      await dropExpired(options);
    } catch (error) {
      // The database is locked or full: the rows are saved later, and the position does not move until
      // then.
      for (const sessionId of ids.slice(saved)) unsaved.add(sessionId);
      options.onError(error);
      saveSoon();
    }
  };

  return {
    markChanged(sessionId) {
      unsaved.add(sessionId);
      saveSoon();
    },
    save,
    storeReplaced() {
      isStoreReplaced = true;
    },
    runExclusive: runExclusive,
    forget: (sessionId) => void unsaved.delete(sessionId),
    async close() {
      isClosed = true;
      await save();
      clearTimeout(timer ?? undefined);
    },
  };
}

/** The rows of those that are still watched, as they are now. */
function rowsOf(watched: WatchedSessions, sessionIds: readonly string[]): SessionRow[] {
  return sessionIds.flatMap((sessionId) => {
    const snapshot = watched.snapshot(sessionId);
    return snapshot === undefined ? [] : [toSessionRow(snapshot, watched.view(sessionId))];
  });
}

/** Rows are saved first: some sessions ended by time alone, and their rows may still say that they run. */
async function dropExpired({ watched, rows, onDrop }: RowSaverOptions): Promise<void> {
  const expired = watched.expired();
  if (expired.length > 0)
    await rows((store) => store.saveSessions(expired.map((snapshot) => toSessionRow(snapshot, undefined))));
  // A session with new events meanwhile stays.
  const saved = new Set(expired.map(({ sessionId }) => sessionId));
  for (const { sessionId } of watched.prune(saved)) onDrop(sessionId);
}
