import { AppError } from "../app-error.ts";
import { openQuarantine, type Quarantine } from "../capture/quarantine.ts";
import { logFile } from "../config.ts";
import { openFileLog } from "../log/file/file-log.ts";
import { showPosition } from "../log/file/position.ts";
import type { Log } from "../log/log.ts";
import { watchSlowAppends } from "../log/slow-log.ts";
import { makeAll } from "../memory/keep-memory.ts";
import { createLagMeter } from "../monitor/measure-lag.ts";
import { type AppliedBatches, createAppliedBatches } from "../store/applied-batches.ts";
import { keepStore, type StoreKeeper } from "../store/keep-store.ts";
import { openReplaceableFile } from "../store/sqlite/replace-file.ts";
import { whenFree } from "../store/when-free.ts";
import type { Base } from "./base.ts";
import type { TakenHome } from "./home-lost.ts";
import { damageText, tellError } from "./notices.ts";
import { createRecall, type Recall } from "./recall.ts";

/** What is kept, and what keeps it: the log, the store level with it, and what neither could take. */
export interface Keeping {
  readonly log: Log;
  readonly keeper: StoreKeeper;
  /** Tells of what the store has taken. */
  readonly applied: AppliedBatches;
  readonly recall: Recall;
  readonly quarantine: Quarantine;
  lagMs(): number | null;
}

/** What the log has, the next daemon reads: a locked database does not hold up the end. */
const LAST_FOLLOW_MS = 2_000;

export async function openKeeping(base: Base): Promise<Keeping> {
  const { home, scope, notice, nowMs, tellSlow } = base;
  const recall = createRecall((work) => keeper.use(work));
  const quarantine = openQuarantine(home.quarantine, nowMs, (excerpt) => !recall.isForgotten(excerpt));
  const lag = createLagMeter(nowMs);
  const applied = createAppliedBatches((error) =>
    notice(`passing on what was recorded failed: ${tellError(error)}`),
  );
  const log = await openLog(base);
  applied.add(({ events, batch, result }) => {
    log.applied(batch.lines);
    recall.applied(events);
    lag.applied(events);
    for (const line of result.bad) quarantine.put("bad", "log", "no event", line);
    if (result.refused > 0) notice(`the database refused ${result.refused} event(s): see refused_events`);
  });
  const keeper = await openStore(base, log, applied);
  scope.defer(() => {
    const limit = new Promise((resolve) => setTimeout(resolve, LAST_FOLLOW_MS).unref());
    return Promise.race([keeper.follow(), limit]);
  });
  await tellSlow("bringing the database level with the log", () => keeper.follow());
  await recall.load();
  log.tidy();
  return { log, keeper, applied, recall, quarantine, lagMs: lag.lagMs };
}

async function openLog({ home, config, scope, taken, notice, nowMs, tellSlow }: Base): Promise<Log> {
  const log = await openFileLog(logFile(home, config), {
    rotateBytes: config.rotateBytes,
    nowMs,
    onNotice: notice,
  });
  scope.defer(() => log.close());
  return watchSlowAppends(inTakenHome(log, taken), tellSlow);
}

/** In a home that was removed the log would take its own files for lost, and write all of them again. */
function inTakenHome(log: Log, { isOurs }: TakenHome): Log {
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

async function openStore(base: Base, log: Log, applied: AppliedBatches): Promise<StoreKeeper> {
  const { home, config, scope, notice, nowMs } = base;
  const openDatabase = () =>
    openReplaceableFile({
      path: home.db,
      skippedTools: config.skippedTools ?? undefined,
      nowMs,
      onNotice: notice,
      showPosition,
    });
  const keeper = keepStore({
    place: await whenFree(openDatabase, (error) =>
      notice(`the database is busy: ${tellError(error)}; trying on`),
    ),
    log,
    onNotice: notice,
    prepare: (store, signal) =>
      makeAll(store.memory, (error) => notice(`remembering failed: ${tellError(error)}`), signal),
    onRestored: ({ restored, unread }) =>
      notice(`restored ${restored} events of a lost part of the log, ${unread} that nobody had read`),
    onRepaired: (report) => notice(damageText(report)),
    onApplied: applied.tell,
  });
  scope.defer(() => keeper.close());
  return keeper;
}
