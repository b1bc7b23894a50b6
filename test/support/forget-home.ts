import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claude } from "../../src/agents/claude/claude.ts";
import { type Acceptor, createAcceptor } from "../../src/capture/accept.ts";
import { importTranscripts } from "../../src/capture/import-transcripts.ts";
import { createProjectOf } from "../../src/capture/project-of.ts";
import { openQuarantine } from "../../src/capture/quarantine.ts";
import { createRecall } from "../../src/daemon/recall.ts";
import type { HooklineEvent, NewEvent } from "../../src/event/event.ts";
import { contentHash } from "../../src/event/ids.ts";
import { type Home, resolveHome } from "../../src/home.ts";
import { openFileLog } from "../../src/log/file/file-log.ts";
import type { Log } from "../../src/log/log.ts";
import { openItemBuilder } from "../../src/memory/item-builder.ts";
import { countLostSummaries } from "../../src/memory/lost-summaries.ts";
import { eventsOf } from "../../src/store/applied-batches.ts";
import { delegateToCurrent } from "../../src/store/delegate-to-current.ts";
import { type ForgetPorts, finishForgetting } from "../../src/store/forget-facts.ts";
import { type LiveStore, openLiveStore } from "../../src/store/live-store.ts";
import type { MemoryRows } from "../../src/store/memory-rows.ts";
import { openReplaceableFile } from "../../src/store/sqlite/replaceable-file.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { RUNS_DIR, readRun } from "./pipeline.ts";

/** Log, database and memory of a scratch home, composed for forgetting as in the daemon. */
export interface ForgetHome {
  readonly home: Home;
  readonly keeper: LiveStore & { readonly store: SqliteStore };
  readonly log: Log;
  readonly ports: ForgetPorts;
  acceptor(): Acceptor;
  record(events: readonly NewEvent[]): Promise<void>;
  ingestHooks(run: string): Promise<void>;
  /** Imports all transcripts in a run's folder, or in another one. */
  importTranscripts(run: string, root?: string): Promise<void>;
  remember(): Promise<void>;
  /** Ends as if killed, and starts again on the same files. */
  restart(): Promise<ForgetHome>;
  close(): Promise<void>;
}

export async function openForgetHome(
  dir = mkdtempSync(join(tmpdir(), "hookline-forget-")),
  rotateBytes = 64 * 1024,
): Promise<ForgetHome> {
  const home = resolveHome({ HOOKLINE_HOME: dir });
  mkdirSync(home.dir, { recursive: true });
  const path = join(home.stream, "lifecycle.jsonl");
  const log = await openFileLog(path, { rotateBytes, nowMs: Date.now, onNotice: fail });
  const database = openReplaceableFile({ path: home.db, nowMs: Date.now, onNotice: fail });
  const liveStore = {
    ...openLiveStore({
      slot: database,
      log,
      onNotice: fail,
      onApplied: (_result, batch) => {
        log.markApplied(batch.lines);
        recall.applied(eventsOf(batch));
      },
    }),
    get store() {
      return database.store;
    },
  };
  const recall = createRecall((work) => liveStore.use(work));
  await liveStore.follow();
  await recall.load();
  const projectOf = createProjectOf();
  const rows = delegateToCurrent<MemoryRows>((work) => liveStore.use((store) => work(store.memory)));
  const memory = openItemBuilder({
    rows,
    onWritten: () => undefined,
    onDrained: () => undefined,
    onError: (error) => fail(String(error)),
  });
  const acceptor = (): Acceptor =>
    createAcceptor({
      mayRecord: () => true,
      recall: recall.ask,
      forgetCount: recall.timesForgotten,
    });
  const record = async (events: readonly NewEvent[]): Promise<void> => {
    const own = acceptor();
    await own.prepare(events, () => log.append(own.accept(events)));
    await liveStore.follow();
  };
  const ports: ForgetPorts = {
    home,
    log,
    forgetting: () => liveStore.store.forgetting,
    append: (events) => log.append(events),
    flush: () => liveStore.follow(),
    follow: () => liveStore.follow(),
    runExclusive: (work) => log.runExclusive(() => liveStore.runExclusive(work)),
    onErased: () => undefined,
    countLostSummaries: (found) => countLostSummaries(rows, found),
    rebuildItems: () => memory.drain(),
    scrubIndex: async () => undefined,
    nowMs: Date.now,
    createSalt: () => contentHash(String(Math.random())),
  };
  const release = async (): Promise<void> => {
    await log.close();
    await liveStore.close();
  };
  return {
    home,
    keeper: liveStore,
    log,
    ports,
    acceptor,
    record,
    ingestHooks: (run) => record(hookEvents(run, projectOf)),
    async importTranscripts(run, root = join(RUNS_DIR, run, "projects")) {
      await importTranscripts({
        root,
        source: claude.transcripts,
        projectOf,
        acceptor: acceptor(),
        append: (events) => log.append(events),
        load: async () => undefined,
        save: async () => undefined,
        quarantine: openQuarantine(home.quarantine, Date.now, (excerpt) => !recall.isForgotten(excerpt)),
      });
      await liveStore.follow();
    },
    remember: () => memory.drain(),
    async restart() {
      await release();
      const next = await openForgetHome(dir, rotateBytes);
      await finishForgetting(next.ports);
      return next;
    },
    async close() {
      await release();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function fail(message: string): never {
  throw new Error(message);
}

function hookEvents(run: string, projectOf: ReturnType<typeof createProjectOf>): HooklineEvent[] {
  return readRun(run).flatMap((hook, index) => {
    const content = JSON.stringify(hook.payload);
    const delivery = {
      payload: hook.payload,
      env: {},
      name: `1-${index}-0`,
      timeNs: `${Date.parse(hook.t)}000000`,
      occurredAtIso: new Date(hook.t).toISOString(),
      contentHash: () => contentHash(content),
      pid: 1,
    };
    return claude.translateHook(delivery, projectOf);
  });
}
