import type { Position } from "../log/log.ts";
import type { AskSessionRows, SessionRow } from "../store/session-rows.ts";
import type { SessionBook } from "./session-book.ts";
import { toRow } from "./session-rows.ts";

/** Saves rows of watched sessions. One write runs at a time, so that an older row never replaces a newer one. */
export interface RowSaver {
  /** To be saved with the next save, which comes by itself a little later. */
  changed(sessionId: string): void;
  /** Saves what changed since it was last saved. Failures are reported, and tried again later. */
  save(): Promise<void>;
  /** The store is another one: the next save gives it the position, also if no row is to be saved. */
  moved(): void;
  /** Runs a write of others when no other runs. */
  inTurn<T>(write: () => Promise<T>): Promise<T>;
  forget(sessionId: string): void;
  /** Saves a last time. */
  close(): Promise<void>;
}

export interface RowSaverOptions {
  readonly book: SessionBook;
  readonly rows: AskSessionRows;
  /** Takes note of all that changed, before it is saved. */
  readonly emit: () => void;
  /** Up to where everything in the log was told to the book. */
  readonly position: () => Position | undefined;
  readonly onDrop: (sessionId: string) => void;
  readonly onTrouble: (error: unknown) => void;
}

const SAVE_MS = 5_000;
const SAVED_AT_ONCE = 100;

export function createRowSaver(options: RowSaverOptions): RowSaver {
  const { book, rows } = options;
  const unsaved = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  let isClosed = false;
  let hasMoved = false;

  const inTurn: RowSaver["inTurn"] = (write) => {
    const written = last.then(write);
    last = written.catch(() => undefined);
    return written;
  };

  const save = (): Promise<void> => {
    // One that has not begun yet is enough for all who ask until it does.
    next ??= inTurn(async () => {
      next = null;
      await saveChanged();
    });
    return next;
  };

  const saveSoon = (): void => {
    if (!isClosed) timer ??= setTimeout(() => void save(), SAVE_MS).unref();
  };

  const saveChanged = async (): Promise<void> => {
    // In one turn: what was told up to the position is among what is saved with it. What changes from here on, while
    // rows are being written, is for the next save.
    options.emit();
    const upTo = options.position();
    const ids = [...unsaved];
    unsaved.clear();
    clearTimeout(timer ?? undefined);
    timer = null;
    let saved = 0;
    try {
      while (saved < ids.length || (hasMoved && upTo !== undefined)) {
        const part = ids.slice(saved, saved + SAVED_AT_ONCE);
        const isLast = saved + part.length === ids.length;
        await rows((store) => store.saveSessions(rowsOf(book, part), isLast ? upTo : undefined));
        saved += part.length;
        if (isLast) hasMoved = false;
      }
      await dropOver(options);
    } catch (error) {
      // A locked or full database: they are saved later, and until then the position does not move.
      for (const sessionId of ids.slice(saved)) unsaved.add(sessionId);
      options.onTrouble(error);
      saveSoon();
    }
  };

  return {
    changed(sessionId) {
      unsaved.add(sessionId);
      saveSoon();
    },
    save,
    moved() {
      hasMoved = true;
    },
    inTurn,
    forget: (sessionId) => void unsaved.delete(sessionId),
    async close() {
      isClosed = true;
      await save();
      clearTimeout(timer ?? undefined);
    },
  };
}

/** Those that are watched, as they are now. */
function rowsOf(book: SessionBook, sessionIds: readonly string[]): SessionRow[] {
  return sessionIds.flatMap((sessionId) => {
    const snapshot = book.snapshot(sessionId);
    return snapshot === undefined ? [] : [toRow(snapshot, book.view(sessionId))];
  });
}

/** Of these the rows may still say that they run: time alone has ended some. So the rows come first. */
async function dropOver({ book, rows, onDrop }: RowSaverOptions): Promise<void> {
  const over = book.over();
  if (over.length > 0) await rows((store) => store.saveSessions(over.map((one) => toRow(one, undefined))));
  // One of which something was told meanwhile stays.
  const saved = new Set(over.map(({ sessionId }) => sessionId));
  for (const { sessionId } of book.prune(saved)) onDrop(sessionId);
}
