import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { SessionRow, WithSessionRows } from "../store/session-rows.ts";
import { foldSession, type ViewBuilder } from "./build-views.ts";
import { readSession } from "./read-session.ts";
import type { RowSaver } from "./save-rows.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { toSessionRow } from "./to-session-row.ts";

/** Builds session rows from all their facts, which the store has before anyone is notified of them. */
export interface RowBuilder {
  /** Builds one row. False when there are no facts. */
  build(sessionId: string): Promise<boolean>;
  /** Builds the missing rows; resolves when none are left or it is closed. */
  buildMissing(): Promise<void>;
  close(): Promise<void>;
}

export interface RowBuilderOptions {
  readonly prices: UsageSource;
  readonly rows: WithSessionRows;
  readonly saver: Pick<RowSaver, "runExclusive">;
  readonly views: Pick<ViewBuilder, "erasureCount">;
  readonly nowMs: () => number;
  /** Called in the same tick in which the snapshot is known to be still valid. */
  readonly onBuilt: (snapshot: SessionSnapshot) => void;
}

interface BuiltRow {
  readonly snapshot: SessionSnapshot;
  readonly row: SessionRow;
}

const SESSIONS_PER_QUERY = 100;

export function createRowBuilder(options: RowBuilderOptions): RowBuilder {
  const { rows, views, nowMs } = options;
  let filling: Promise<void> | null = null;
  let isClosed = false;

  const read = (sessionId: string, facts: Iterable<HooklineEvent>): BuiltRow | undefined => {
    const view = foldSession(sessionId, facts, options.prices);
    if (view.firstAt === "") return undefined;
    const quietMs = Math.max(0, nowMs() - Date.parse(view.lastAt));
    const snapshot = readSession(view, { nowMs: nowMs(), quietMs });
    return { snapshot, row: toSessionRow(snapshot, view) };
  };

  const makeOne = async (sessionId: string): Promise<boolean> => {
    for (;;) {
      const before = views.erasureCount();
      const last: { made?: BuiltRow | undefined } = {};
      await rows((store) =>
        store.buildSessionRow(sessionId, (facts) => {
          last.made = read(sessionId, facts);
          return last.made?.row;
        }),
      );
      // Something was erased before the result arrived: the facts read may be deleted.
      if (views.erasureCount() !== before) continue;
      if (last.made !== undefined) options.onBuilt(last.made.snapshot);
      return last.made !== undefined;
    }
  };

  const make = (sessionId: string): Promise<boolean> => options.saver.runExclusive(() => makeOne(sessionId));

  const fill = async (): Promise<void> => {
    const passed = new Set<string>();
    while (!isClosed) {
      const found = await rows((store) => store.sessionsWithoutRow(SESSIONS_PER_QUERY + passed.size));
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
    build: make,
    buildMissing() {
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
