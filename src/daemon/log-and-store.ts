import { AppError } from "../app-error.ts";
import { openQuarantine, type Quarantine } from "../capture/quarantine.ts";
import { logFile } from "../config.ts";
import { openFileLog } from "../log/file/file-log.ts";
import { toStreamOffset } from "../log/file/position.ts";
import type { Log } from "../log/log.ts";
import { reportSlowAppends } from "../log/report-slow-appends.ts";
import { buildAllItems } from "../memory/item-builder.ts";
import { createLagMeter } from "../monitor/measure-lag.ts";
import { type AppliedBatchListeners, createAppliedBatchListeners } from "../store/applied-batches.ts";
import { type LiveStore, openLiveStore } from "../store/live-store.ts";
import { retryWhileBusy } from "../store/retry-while-busy.ts";
import { openReplaceableFile } from "../store/sqlite/replaceable-file.ts";
import type { AcquiredHome } from "./acquired-home.ts";
import type { Base } from "./base.ts";
import { damageText, errorText } from "./daemon-messages.ts";
import { createRecall, type Recall } from "./recall.ts";

/** Storage: the log, the store that follows it, and what neither could accept. */
export interface LogAndStore {
  readonly log: Log;
  readonly liveStore: LiveStore;
  /** Notifies about batches that the store has applied. */
  readonly applied: AppliedBatchListeners;
  readonly recall: Recall;
  readonly quarantine: Quarantine;
  lagMs(): number | null;
}

/** The next daemon reads what the log has, so a locked database must not delay shutdown. */
const FINAL_FOLLOW_TIMEOUT_MS = 2_000;

export async function openLogAndStore(base: Base): Promise<LogAndStore> {
  const { home, scope, notice, nowMs, reportSlow } = base;
  const recall = createRecall((work) => liveStore.use(work));
  const quarantine = openQuarantine(home.quarantine, nowMs, (excerpt) => !recall.isForgotten(excerpt));
  const lag = createLagMeter(nowMs);
  const applied = createAppliedBatchListeners((error) =>
    notice(`notifying about recorded events failed: ${errorText(error)}`),
  );
  const log = await openLog(base);
  applied.add(({ events, batch, result }) => {
    log.markApplied(batch.lines);
    recall.applied(events);
    lag.applied(events);
    for (const line of result.invalidLines) quarantine.put("bad", "log", "no event", line);
    if (result.refused > 0)
      notice(`the database refused ${result.refused} events; see the table refused_events`);
  });
  const liveStore = await openStore(base, log, applied);
  scope.defer(() => {
    const limit = new Promise((resolve) => setTimeout(resolve, FINAL_FOLLOW_TIMEOUT_MS).unref());
    return Promise.race([liveStore.follow(), limit]);
  });
  await reportSlow("catching up with the log", () => liveStore.follow());
  await recall.load();
  log.tidy();
  return { log, liveStore: liveStore, applied, recall, quarantine, lagMs: lag.lagMs };
}

async function openLog({ home, config, scope, acquiredHome, notice, nowMs, reportSlow }: Base): Promise<Log> {
  const log = await openFileLog(logFile(home, config), {
    rotateBytes: config.rotateBytes,
    nowMs,
    onNotice: notice,
  });
  scope.defer(() => log.close());
  return reportSlowAppends(inAcquiredHome(log, acquiredHome), reportSlow);
}

/** In a removed home, the log would consider its own files lost and write all of them again. */
function inAcquiredHome(log: Log, { isOurs }: AcquiredHome): Log {
  const check = (): void => {
    if (!isOurs()) throw new AppError("home_lost", "the home was removed or replaced");
  };
  const checked =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      check();
      return work(...args);
    };
  return {
    ...log,
    append: checked(log.append),
    restore: checked(log.restore),
    repair: checked(log.repair),
    erase: checked(log.erase),
    tidy() {
      check();
      log.tidy();
    },
  };
}

async function openStore(base: Base, log: Log, applied: AppliedBatchListeners): Promise<LiveStore> {
  const { home, config, scope, notice, nowMs } = base;
  const openDatabase = () =>
    openReplaceableFile({
      path: home.db,
      skippedTools: config.skippedTools ?? undefined,
      nowMs,
      onNotice: notice,
      formatPosition: toStreamOffset,
    });
  const liveStore = openLiveStore({
    slot: await retryWhileBusy(openDatabase, (error) =>
      notice(`the database is busy: ${errorText(error)}; retrying`),
    ),
    log,
    onNotice: notice,
    fillDerived: (store, signal) =>
      buildAllItems(
        store.memory,
        (error) => notice(`building memory items failed: ${errorText(error)}`),
        signal,
      ),
    onRestored: ({ restored, unread }) =>
      notice(`restored ${restored} events of a lost part of the log; ${unread} were unread`),
    onRepaired: (report) => notice(damageText(report)),
    onApplied: applied.notify,
  });
  scope.defer(() => liveStore.close());
  return liveStore;
}
