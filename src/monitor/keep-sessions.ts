import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { HooklineEvent } from "../event/event.ts";
import type { Position } from "../log/log.ts";
import type { AskSessionRows } from "../store/session-rows.ts";
import { createViewMaker, foldAll } from "./make-views.ts";
import { readSession } from "./read-session.ts";
import { createSessionBook, type SessionBook, WATCH_MS } from "./session-book.ts";
import { createIntake } from "./session-intake.ts";
import { toRow } from "./session-rows.ts";
import { SessionSnapshot } from "./session-snapshot.ts";

/**
 * The watched sessions beside their rows in the store: reports changes, saves them a little later.
 * Rows are written one call after the other, so that an older row never replaces a newer one.
 */
export interface SessionKeeper {
  readonly book: SessionBook;
  /**
   * What the store has taken; with a position, all that the log told up to it was told here. Batches are applied in
   * order, at once unless a view has to be read for one; resolves when this one is applied.
   */
  told(events: readonly HooklineEvent[], next: Position | undefined): Promise<void>;
  /** What must not be recorded, and may end a request all the same. In order with `told`. */
  unrecorded(event: HooklineEvent): void;
  /** Wakes the sessions that `wanted` names, then runs `act` in the same turn. */
  wake<T>(wanted: () => readonly string[], act: () => T): Promise<T>;
  /** Reports at once what changed, for an answer that must not be newer than what was reported. */
  emit(): void;
  /** Saves what changed since it was last saved. Failures are reported, and tried again later. */
  save(): Promise<void>;
  /** The rows are gone with the store they were in: saves what is watched again. */
  again(): Promise<void>;
  /** The store has lost these sessions: nothing that was read of them before is shown or saved. */
  forget(sessionIds: readonly string[]): void;
  /** Reads the sessions that an import told of. */
  readImported(): Promise<void>;
  /** Makes the rows that are missing; ends when there are none or it is closed. */
  fill(): Promise<void>;
  /** Applies and saves what was told before. */
  close(): Promise<void>;
}

export interface KeepSessionsOptions {
  readonly rows: AskSessionRows;
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

export async function keepSessions(options: KeepSessionsOptions): Promise<SessionKeeper> {
  const { rows, nowMs, monotonicMs } = options;
  const book = createSessionBook({ nowMs, monotonicMs, loadOf: options.loadOf });
  const views = createViewMaker(book, rows);
  const intake = createIntake(views);
  const unsaved = new Set<string>();
  const imported = new Set<string>();
  let importedInRead = 0;
  let position: Position | undefined;
  let emitting: NodeJS.Timeout | NodeJS.Immediate | null = null;
  let emittedAtMs = Number.NEGATIVE_INFINITY;
  let saving: NodeJS.Timeout | null = null;
  let lastWrite: Promise<unknown> = Promise.resolve();
  let nextSave: Promise<void> | null = null;
  let filling: Promise<void> | null = null;
  let isClosed = false;

  await recall(rows, book, nowMs());

  const emit = (): void => {
    emitting = null;
    emittedAtMs = monotonicMs();
    for (const sessionId of book.takeChanged()) {
      unsaved.add(sessionId);
      const snapshot = book.snapshot(sessionId);
      // What ended long ago and was only told now is nothing to watch.
      if (snapshot !== undefined && isWatched(snapshot, nowMs())) options.onChange(snapshot);
    }
    if (unsaved.size > 0) saveSoon();
  };

  const emitSoon = (): void => {
    if (emitting !== null || isClosed) return;
    const restMs = emittedAtMs + EMIT_MS - monotonicMs();
    emitting = restMs <= 0 ? setImmediate(emit) : setTimeout(emit, restMs);
  };

  const inTurn = <T>(write: () => Promise<T>): Promise<T> => {
    const next = lastWrite.then(write);
    lastWrite = next.catch(() => undefined);
    return next;
  };

  const save = (): Promise<void> => {
    // One that has not begun yet is enough for all who ask until it does.
    nextSave ??= inTurn(async () => {
      nextSave = null;
      await saveChanged();
    });
    return nextSave;
  };

  const saveSoon = (): void => {
    if (!isClosed) saving ??= setTimeout(() => void save(), SAVE_MS).unref();
  };

  const saveChanged = async (): Promise<void> => {
    // In one turn: what was told up to the position is among what is saved with it. What changes from here on, while
    // rows are being written, is for the next save.
    emit();
    const upTo = position;
    const ids = [...unsaved];
    unsaved.clear();
    clearTimeout(saving ?? undefined);
    saving = null;
    let saved = 0;
    try {
      while (saved < ids.length) {
        const part = ids.slice(saved, saved + SAVED_AT_ONCE);
        const isLast = saved + part.length === ids.length;
        await rows((store) => store.saveSessions(part.flatMap(rowOf), isLast ? upTo : undefined));
        saved += part.length;
      }
      await dropOver();
    } catch (error) {
      // A locked or full database: they are saved later, and until then the position does not move.
      for (const sessionId of ids.slice(saved)) unsaved.add(sessionId);
      options.onTrouble(error);
      saveSoon();
    }
  };

  const rowOf = (sessionId: string) => {
    const snapshot = book.snapshot(sessionId);
    return snapshot === undefined ? [] : [toRow(snapshot, book.view(sessionId))];
  };

  /** Of these the rows may still say that they run: time alone has ended some. So the rows come first. */
  const dropOver = async (): Promise<void> => {
    const over = book.over();
    if (over.length > 0) await rows((store) => store.saveSessions(over.map((one) => toRow(one, undefined))));
    // One of which something was told meanwhile stays.
    const saved = new Set(over.map(({ sessionId }) => sessionId));
    for (const { sessionId } of book.prune(saved)) options.onDrop(sessionId);
  };

  /** Makes a session's row from all its facts. False when there are none. */
  const readWhole = (sessionId: string): Promise<boolean> =>
    inTurn(async () => {
      for (;;) {
        const before = views.erasures();
        const made: { snapshot?: SessionSnapshot | undefined } = {};
        await rows((store) =>
          store.makeSession(sessionId, (facts) => {
            // An open view is newer than the facts that were read, or as new.
            const [known] = book.isAsleep(sessionId) ? [] : rowOf(sessionId);
            if (known !== undefined) {
              made.snapshot = book.snapshot(sessionId);
              return known;
            }
            const view = foldAll(sessionId, facts);
            if (view.firstAt === "") return undefined;
            const quietMs = Math.max(0, nowMs() - Date.parse(view.lastAt));
            made.snapshot = readSession(view, { nowMs: nowMs(), quietMs });
            return toRow(made.snapshot, view);
          }),
        );
        if (views.erasures() !== before) continue;
        const { snapshot } = made;
        if (snapshot === undefined) return false;
        if (isWatched(snapshot, nowMs()) && book.snapshot(sessionId) === undefined) {
          book.recall(snapshot);
          options.onChange(snapshot);
        }
        return true;
      }
    });

  const readImported = async (): Promise<void> => {
    await intake.idle();
    for (const sessionId of imported) {
      if (isClosed) return;
      imported.delete(sessionId);
      importedInRead++;
      try {
        if (!book.has(sessionId)) await readWhole(sessionId);
      } catch (error) {
        imported.add(sessionId);
        throw error;
      } finally {
        importedInRead--;
      }
      await nextTurn();
    }
  };

  const fill = async (): Promise<void> => {
    const passed = new Set<string>();
    while (!isClosed) {
      const found = await rows((store) => store.unsavedSessions(SAVED_AT_ONCE + passed.size));
      const ids = found.filter((id) => !passed.has(id));
      if (ids.length === 0) return;
      for (const sessionId of ids) {
        if (isClosed) return;
        passed.add(sessionId);
        if (await readWhole(sessionId)) passed.delete(sessionId);
        await nextTurn();
      }
      await sleep(5);
    }
  };

  /** Read once at the end: one by one, a long session would be read whole again and again. */
  const isLeftOut = (event: HooklineEvent): boolean =>
    event.origin === "transcript" && !book.has(event.sessionId) && options.isImporting?.() === true;

  return {
    book,
    told: (events, next) =>
      intake.add({
        events,
        missing: (meant) => book.lacking(meant.filter((event) => !isLeftOut(event))),
        apply(meant, made) {
          for (const event of meant) {
            if (isLeftOut(event)) imported.add(event.sessionId);
            else book.tell(event, made.get(event.sessionId));
          }
          // Until they are read, a next start reads from before them.
          if (imported.size === 0 && importedInRead === 0) position = next ?? position;
          emitSoon();
        },
      }),
    unrecorded(event) {
      const done = intake.add({
        events: [event],
        missing: (meant) => meant.filter(book.lacksView).map(({ sessionId }) => sessionId),
        apply(meant, made) {
          for (const one of meant) book.unrecorded(one, made.get(one.sessionId));
          emitSoon();
        },
      });
      done.catch(options.onTrouble);
    },
    wake: views.wake,
    emit,
    save,
    again() {
      // The others are made from the facts, one by one, with all that have no row.
      for (const sessionId of book.ids()) if (!book.isAsleep(sessionId)) unsaved.add(sessionId);
      return save();
    },
    forget(sessionIds) {
      views.erased();
      intake.forget(new Set(sessionIds));
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
      await intake.idle();
      clearTimeout(emitting as NodeJS.Timeout);
      clearImmediate(emitting as NodeJS.Immediate);
      await filling?.catch(() => undefined);
      await save();
      clearTimeout(saving ?? undefined);
    },
  };
}

export function isWatched(snapshot: SessionSnapshot, nowMs: number): boolean {
  const isOver = snapshot.state === "completed" || snapshot.state === "lost";
  return !isOver || nowMs - Date.parse(snapshot.lastEventAtIso) < WATCH_MS;
}

/** Sessions that ran when they were last saved, and those of the last day. */
async function recall(rows: AskSessionRows, book: SessionBook, nowMs: number): Promise<void> {
  const sinceIso = new Date(nowMs - WATCH_MS).toISOString();
  const kept = [
    ...(await rows((store) => store.sessionRows({ sinceIso, limit: MOST_RECALLED }))),
    ...(await rows((store) => store.sessionRows({ states: ["active", "idle"], limit: MOST_RECALLED }))),
  ];
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
