import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { Position } from "../log/log.ts";
import type { AskSessionRows } from "../store/session-rows.ts";
import { whenFree } from "../store/when-free.ts";
import { createEmitter } from "./emit-changes.ts";
import { createImported } from "./imported-sessions.ts";
import { createRowMaker } from "./make-rows.ts";
import { createViewMaker } from "./make-views.ts";
import { WATCH_MS } from "./read-entry.ts";
import { createRowSaver } from "./save-rows.ts";
import { createSessionBook, type SessionBook } from "./session-book.ts";
import { createIntake } from "./session-intake.ts";
import { SessionSnapshot } from "./session-snapshot.ts";

/** The watched sessions beside their rows in the store: reports changes, saves them a little later. */
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
  readonly prices: UsageSource;
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

const MOST_RECALLED = 5_000;

export async function keepSessions(options: KeepSessionsOptions): Promise<SessionKeeper> {
  const { rows, nowMs, monotonicMs } = options;
  const book = createSessionBook({ prices: options.prices, nowMs, monotonicMs, loadOf: options.loadOf });
  const views = createViewMaker(book, rows);
  const intake = createIntake(views);
  let position: Position | undefined;

  await whenFree(() => rows((store) => store.placeRows()));
  await recall(rows, book, nowMs());

  const emitter = createEmitter(monotonicMs, () => {
    for (const sessionId of book.takeChanged()) {
      saver.changed(sessionId);
      const snapshot = book.snapshot(sessionId);
      // What ended long ago and was only told now is nothing to watch.
      if (snapshot !== undefined && isWatched(snapshot, nowMs())) options.onChange(snapshot);
    }
  });
  const { onDrop, onTrouble } = options;
  const saver = createRowSaver({
    book,
    rows,
    emit: emitter.emit,
    position: () => position,
    onDrop,
    onTrouble,
  });
  const maker = createRowMaker({
    ...{ rows, saver, views, nowMs },
    prices: options.prices,
    onMade(snapshot) {
      const { sessionId } = snapshot;
      // Of one that is watched, a view is at least as new; a snapshot from before is not.
      if (book.has(sessionId) ? !book.isAsleep(sessionId) : !isWatched(snapshot, nowMs())) return;
      if (book.recall(snapshot)) options.onChange(snapshot);
    },
  });
  const imported = createImported({ book, intake, maker, isImporting: options.isImporting });

  return {
    book,
    told: (events, next) =>
      intake.add({
        events,
        missing: (meant) => book.lacking(meant.filter((event) => !imported.isLeftOut(event))),
        apply(meant, made) {
          for (const event of meant) {
            if (imported.isLeftOut(event)) imported.leaveOut(event.sessionId);
            else book.tell(event, made.get(event.sessionId));
          }
          // Until they are read, a next start reads from before them.
          if (imported.isDone()) position = next ?? position;
          emitter.emitSoon();
        },
      }),
    unrecorded(event) {
      const done = intake.add({
        events: [event],
        missing: (meant) => meant.filter(book.lacksView).map(({ sessionId }) => sessionId),
        apply(meant, made) {
          for (const one of meant) book.unrecorded(one, made.get(one.sessionId));
          emitter.emitSoon();
        },
      });
      done.catch(options.onTrouble);
    },
    wake: views.wake,
    emit: emitter.emit,
    save: saver.save,
    again() {
      // The others are made from the facts, one by one, with all that have no row.
      for (const sessionId of book.ids()) if (!book.isAsleep(sessionId)) saver.changed(sessionId);
      saver.moved();
      return saver.save();
    },
    forget(sessionIds) {
      views.erased();
      intake.forget(new Set(sessionIds));
      for (const sessionId of sessionIds) {
        book.forget(sessionId);
        saver.forget(sessionId);
        options.onDrop(sessionId);
      }
    },
    readImported: imported.read,
    fill: maker.fill,
    async close() {
      emitter.stop();
      imported.close();
      await intake.idle();
      emitter.cancel();
      await maker.close();
      await saver.close();
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
  // Older versions wrote none of these.
  const missing = { driven: false, requests: [], stoppedMs: 0 };
  const parsed = SessionSnapshot.safeParse({ ...missing, ...(JSON.parse(json) as object) });
  return parsed.success ? parsed.data : null;
}
