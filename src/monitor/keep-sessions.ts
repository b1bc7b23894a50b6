import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { Position } from "../log/log.ts";
import type { SessionRows } from "../store/session-rows.ts";
import { foldEvent } from "./fold-event.ts";
import { readSession } from "./read-session.ts";
import { createSessionBook, type SessionBook, WATCH_MS } from "./session-book.ts";
import { toRow } from "./session-rows.ts";
import { SessionSnapshot } from "./session-snapshot.ts";
import { createView } from "./session-view.ts";

/** The watched sessions beside their rows in the database: tells of changes, saves them a little later. */
export interface SessionKeeper {
  readonly book: SessionBook;
  /** What the database has taken; with a position, all that the log told up to it was told here. */
  told(events: readonly HooklineEvent[], next: Position | undefined): void;
  /** What must not be recorded, and may end a request all the same. */
  unrecorded(event: HooklineEvent): void;
  /** Tells at once of what changed, for an answer that must not be newer than what was told. */
  emit(): void;
  /** Saves what changed since it was last saved. */
  save(): void;
  /** The rows are gone with the database they were in: saves what is watched again. */
  again(): void;
  /** The database has lost these sessions. */
  forget(sessionIds: readonly string[]): void;
  /** Reads the sessions that an import told of. */
  readImported(): Promise<void>;
  /** Makes the rows that are missing; ends when there are none or it is closed. */
  fill(): Promise<void>;
  close(): Promise<void>;
}

export interface KeepSessionsOptions {
  readonly prices: UsageSource;
  /** Asks the database, which may be another one the next time. */
  readonly rows: <T>(work: (rows: SessionRows) => T) => T;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** A session as it is now. */
  readonly onChange: (snapshot: SessionSnapshot) => void;
  /** No longer watched. */
  readonly onDrop: (sessionId: string) => void;
  readonly onTrouble: (error: unknown) => void;
  /** What a process takes of the machine, where that is measured. */
  readonly loadOf?: ((pid: number) => SessionSnapshot["process"]) | undefined;
  /** While an import runs, sessions that nobody watches are left out until `readImported`. */
  readonly isImporting?: (() => boolean) | undefined;
}

const EMIT_MS = 20;
const SAVE_MS = 5_000;
const MOST_RECALLED = 5_000;
const SAVED_AT_ONCE = 100;

export function keepSessions(options: KeepSessionsOptions): SessionKeeper {
  const { rows, nowMs, monotonicMs } = options;
  const book = createSessionBook({
    prices: options.prices,
    nowMs,
    monotonicMs,
    loadOf: options.loadOf,
    remembered: (sessionId) => rows((store) => [...store.sessionFacts(sessionId)]),
  });
  const unsaved = new Set<string>();
  const imported = new Set<string>();
  let position: Position | undefined;
  let emitting: NodeJS.Timeout | NodeJS.Immediate | null = null;
  let emittedAtMs = Number.NEGATIVE_INFINITY;
  let saving: NodeJS.Timeout | null = null;
  let filling: Promise<void> | null = null;
  let isClosed = false;

  recall(rows, book, nowMs());

  const emit = (): void => {
    emitting = null;
    emittedAtMs = monotonicMs();
    for (const sessionId of book.takeChanged()) {
      unsaved.add(sessionId);
      const snapshot = book.snapshot(sessionId);
      // What ended long ago and was only told now is nothing to watch.
      if (snapshot !== undefined && isWatched(snapshot, nowMs())) options.onChange(snapshot);
    }
    if (unsaved.size > 0) saving ??= setTimeout(save, SAVE_MS).unref();
  };

  const emitSoon = (): void => {
    if (emitting !== null) return;
    const restMs = emittedAtMs + EMIT_MS - monotonicMs();
    emitting = restMs <= 0 ? setImmediate(emit) : setTimeout(emit, restMs);
  };

  const save = (): void => {
    // What was told up to the position must be among what is saved with it.
    emit();
    clearTimeout(saving ?? undefined);
    saving = null;
    try {
      const ids = [...unsaved];
      while (ids.length > 0) {
        const part = ids.splice(0, SAVED_AT_ONCE).flatMap((sessionId) => {
          const snapshot = book.snapshot(sessionId);
          return snapshot === undefined ? [] : [toRow(snapshot, book.view(sessionId))];
        });
        rows((store) => store.saveSessions(part, ids.length === 0 ? position : undefined));
        for (const { sessionId } of part) unsaved.delete(sessionId);
      }
      unsaved.clear();
      const gone = book.prune();
      for (const { sessionId } of gone) options.onDrop(sessionId);
      // Of these the rows may still say that they run: time alone has ended some.
      if (gone.length > 0) rows((store) => store.saveSessions(gone.map((one) => toRow(one, undefined))));
    } catch (error) {
      // A locked or full database: they are saved later, and until then the position does not move.
      options.onTrouble(error);
      if (!isClosed) saving ??= setTimeout(save, SAVE_MS).unref();
    }
  };

  /** Makes a session's row from all its facts, one after the other. False when there are none. */
  const readWhole = (sessionId: string): boolean =>
    rows((store) => {
      const view = createView(sessionId, options.prices);
      for (const event of store.sessionFacts(sessionId)) foldEvent(view, event);
      if (view.firstAt === "") return false;
      const quietMs = Math.max(0, nowMs() - Date.parse(view.lastAt));
      const snapshot = readSession(view, { nowMs: nowMs(), quietMs });
      store.saveSessions([toRow(snapshot, view)]);
      if (isWatched(snapshot, nowMs()) && book.snapshot(sessionId) === undefined) {
        book.recall(snapshot);
        options.onChange(snapshot);
      }
      return true;
    });

  const readImported = async (): Promise<void> => {
    for (const sessionId of imported) {
      if (isClosed) return;
      imported.delete(sessionId);
      if (!book.has(sessionId)) readWhole(sessionId);
      await nextTurn();
    }
  };

  const fill = async (): Promise<void> => {
    const passed = new Set<string>();
    while (!isClosed) {
      const ids = rows((store) => store.unsavedSessions(SAVED_AT_ONCE + passed.size)).filter(
        (id) => !passed.has(id),
      );
      if (ids.length === 0) return;
      for (const sessionId of ids) {
        if (isClosed) return;
        passed.add(sessionId);
        if (readWhole(sessionId)) passed.delete(sessionId);
        await nextTurn();
      }
      await sleep(5);
    }
  };

  return {
    book,
    told(events, next) {
      const isImporting = options.isImporting?.() === true;
      for (const event of events) {
        // Read once at the end: one by one, a long session would be read whole again and again.
        const isOld = isImporting && event.origin === "transcript" && !book.has(event.sessionId);
        if (isOld) imported.add(event.sessionId);
        else book.tell(event);
      }
      // Until they are read, a next start reads from before them.
      if (imported.size === 0) position = next ?? position;
      emitSoon();
    },
    unrecorded(event) {
      book.unrecorded(event);
      emitSoon();
    },
    emit,
    save,
    again() {
      // The others are made from the facts, one by one, with all that have no row.
      for (const sessionId of book.ids()) if (!book.isAsleep(sessionId)) unsaved.add(sessionId);
      save();
    },
    forget(sessionIds) {
      for (const sessionId of sessionIds) {
        book.forget(sessionId);
        unsaved.delete(sessionId);
        options.onDrop(sessionId);
      }
    },
    readImported,
    fill() {
      filling ??= fill().finally(() => {
        filling = null;
      });
      return filling;
    },
    async close() {
      isClosed = true;
      clearTimeout(emitting as NodeJS.Timeout);
      clearImmediate(emitting as NodeJS.Immediate);
      await filling?.catch(() => undefined);
      save();
      clearTimeout(saving ?? undefined);
    },
  };
}

export function isWatched(snapshot: SessionSnapshot, nowMs: number): boolean {
  const isOver = snapshot.state === "completed" || snapshot.state === "lost";
  return !isOver || nowMs - Date.parse(snapshot.lastEventAtIso) < WATCH_MS;
}

/** Sessions that ran when they were last saved, and those of the last day. */
function recall(rows: KeepSessionsOptions["rows"], book: SessionBook, nowMs: number): void {
  const sinceIso = new Date(nowMs - WATCH_MS).toISOString();
  const kept = rows((store) => [
    ...store.sessionRows({ sinceIso, limit: MOST_RECALLED }),
    ...store.sessionRows({ states: ["active", "idle"], limit: MOST_RECALLED }),
  ]);
  for (const json of kept) {
    const snapshot = fromRow(json);
    if (snapshot !== null) book.recall(snapshot);
  }
}

/** Null for a row of another version, which is made again when something is told of its session. */
export function fromRow(json: string): SessionSnapshot | null {
  // Older versions wrote neither.
  const missing = { driven: false, requests: [] };
  const parsed = SessionSnapshot.safeParse({ ...missing, ...(JSON.parse(json) as object) });
  return parsed.success ? parsed.data : null;
}
