import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { SessionRow, WithSessionRows } from "../store/session-rows.ts";
import { foldSession, type ViewBuilder } from "./build-views.ts";
import { readSession } from "./read-session.ts";
import type { RowSaver } from "./save-rows.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { toSessionRow } from "./to-session-row.ts";

/** Builds session rows from all their facts, which the store commits before it notifies listeners. */
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
  /** Called in the tick in which the snapshot was confirmed to be still valid. */
  readonly onBuilt: (snapshot: SessionSnapshot) => void;
}

interface BuiltRow {
  readonly snapshot: SessionSnapshot;
  readonly row: SessionRow;
}

const SESSIONS_PER_QUERY = 100;

export function createRowBuilder(options: RowBuilderOptions): RowBuilder {
  const { rows, views, nowMs } = options;
  let running: Promise<void> | null = null;
  let isClosed = false;

  const buildFromFacts = (sessionId: string, facts: Iterable<HooklineEvent>): BuiltRow | undefined => {
    const view = foldSession(sessionId, facts, options.prices);
    if (view.firstAt === "") return undefined;
    const quietMs = Math.max(0, nowMs() - Date.parse(view.lastAt));
    const snapshot = readSession(view, { nowMs: nowMs(), quietMs });
    return { snapshot, row: toSessionRow(snapshot, view) };
  };

  const buildExclusive = async (sessionId: string): Promise<boolean> => {
    for (;;) {
      const erasuresBefore = views.erasureCount();
      const result: { built?: BuiltRow | undefined } = {};
      await rows((store) =>
        store.buildSessionRow(sessionId, (facts) => {
          result.built = buildFromFacts(sessionId, facts);
          return result.built?.row;
        }),
      );
      // An erasure happened meanwhile, so the facts just read may include deleted ones.
      if (views.erasureCount() !== erasuresBefore) continue;
      if (result.built !== undefined) options.onBuilt(result.built.snapshot);
      return result.built !== undefined;
    }
  };

  const build = (sessionId: string): Promise<boolean> =>
    options.saver.runExclusive(() => buildExclusive(sessionId));

  const buildAllMissing = async (): Promise<void> => {
    const attempted = new Set<string>();
    while (!isClosed) {
      const found = await rows((store) => store.sessionsWithoutRow(SESSIONS_PER_QUERY + attempted.size));
      const ids = found.filter((id) => !attempted.has(id));
      if (ids.length === 0) return;
      for (const sessionId of ids) {
        if (isClosed) return;
        attempted.add(sessionId);
        if (await build(sessionId)) attempted.delete(sessionId);
        await nextTurn();
      }
      await sleep(5);
    }
  };

  return {
    build: build,
    buildMissing() {
      running ??= buildAllMissing().finally(() => {
        running = null;
      });
      return running;
    },
    async close() {
      isClosed = true;
      await running?.catch(() => undefined);
    },
  };
}
