import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { AskSessionRows, SessionRow } from "../store/session-rows.ts";
import { foldAll, type ViewMaker } from "./make-views.ts";
import { readSession } from "./read-session.ts";
import type { RowSaver } from "./save-rows.ts";
import { toRow } from "./session-rows.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";

/** Makes rows of sessions from all their facts, which the store has before anybody is told of them. */
export interface RowMaker {
  /** Makes one. False when there are no facts. */
  make(sessionId: string): Promise<boolean>;
  /** Makes those that are missing; ends when there are none, or when it is closed. */
  fill(): Promise<void>;
  close(): Promise<void>;
}

export interface RowMakerOptions {
  readonly prices: UsageSource;
  readonly rows: AskSessionRows;
  readonly saver: Pick<RowSaver, "inTurn">;
  readonly views: Pick<ViewMaker, "erasures">;
  readonly nowMs: () => number;
  /** In the turn in which it is known that it still holds. */
  readonly onMade: (snapshot: SessionSnapshot) => void;
}

interface MadeRow {
  readonly snapshot: SessionSnapshot;
  readonly row: SessionRow;
}

const AT_ONCE = 100;

export function createRowMaker(options: RowMakerOptions): RowMaker {
  const { rows, views, nowMs } = options;
  let filling: Promise<void> | null = null;
  let isClosed = false;

  const read = (sessionId: string, facts: Iterable<HooklineEvent>): MadeRow | undefined => {
    const view = foldAll(sessionId, facts, options.prices);
    if (view.firstAt === "") return undefined;
    const quietMs = Math.max(0, nowMs() - Date.parse(view.lastAt));
    const snapshot = readSession(view, { nowMs: nowMs(), quietMs });
    return { snapshot, row: toRow(snapshot, view) };
  };

  const makeOne = async (sessionId: string): Promise<boolean> => {
    for (;;) {
      const before = views.erasures();
      const last: { made?: MadeRow | undefined } = {};
      await rows((store) =>
        store.makeSession(sessionId, (facts) => {
          last.made = read(sessionId, facts);
          return last.made?.row;
        }),
      );
      // Something was erased before the answer came: what was read may be gone.
      if (views.erasures() !== before) continue;
      if (last.made !== undefined) options.onMade(last.made.snapshot);
      return last.made !== undefined;
    }
  };

  const make = (sessionId: string): Promise<boolean> => options.saver.inTurn(() => makeOne(sessionId));

  const fill = async (): Promise<void> => {
    const passed = new Set<string>();
    while (!isClosed) {
      const found = await rows((store) => store.unsavedSessions(AT_ONCE + passed.size));
      const ids = found.filter((id) => !passed.has(id));
      if (ids.length === 0) return;
      for (const sessionId of ids) {
        if (isClosed) return;
        passed.add(sessionId);
        if (await make(sessionId)) passed.delete(sessionId);
        await nextTurn();
      }
      await sleep(5);
    }
  };

  return {
    make,
    fill() {
      filling ??= fill().finally(() => {
        filling = null;
      });
      return filling;
    },
    async close() {
      isClosed = true;
      await filling?.catch(() => undefined);
    },
  };
}
