import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claude } from "../../src/agents/claude/claude.ts";
import { createAcceptor } from "../../src/capture/accept.ts";
import { importTranscripts } from "../../src/capture/import-transcripts.ts";
import { createProjectOf } from "../../src/capture/project-of.ts";
import { openQuarantine } from "../../src/capture/quarantine.ts";
import { EMPTY_RECALL } from "../../src/capture/recall.ts";
import type { HooklineEvent } from "../../src/event/event.ts";
import { contentHash } from "../../src/event/ids.ts";
import { openFileLog } from "../../src/log/file/file-log.ts";
import { catchUp } from "../../src/store/catch-up.ts";
import { openSqliteStore, type SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

/** One recorded run of the real CLI: its hooks with their times, and the transcripts it left. */
export interface RecordedHook {
  readonly t: string;
  readonly payload: Record<string, unknown>;
}

export const RUNS_DIR = join(import.meta.dirname, "../fixtures/claude/runs");

export function readRun(name: string): RecordedHook[] {
  const lines = readFileSync(join(RUNS_DIR, name, "hooks.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as RecordedHook);
}

/** The stages from translation to the database, as the daemon joins them, on a scratch folder. */
export interface Pipeline {
  readonly store: SqliteStore;
  readonly dir: string;
  ingestHooks(hooks: readonly RecordedHook[]): Promise<void>;
  importTranscripts(root: string): Promise<void>;
  appendEvents(events: readonly HooklineEvent[]): Promise<void>;
  close(): Promise<void>;
}

export async function openPipeline(): Promise<Pipeline> {
  const dir = mkdtempSync(join(tmpdir(), "hookline-pipeline-"));
  const store = openSqliteStore(join(dir, "hookline.db"));
  const log = await openFileLog(join(dir, "lifecycle.jsonl"), {
    rotateBytes: 1e9,
    nowMs: Date.now,
    onNotice: (message) => {
      throw new Error(message);
    },
  });
  const projectOf = createProjectOf();
  const acceptor = () =>
    createAcceptor({
      mayRecord: () => true,
      recall: async ({ promptIds }) => ({
        ...EMPTY_RECALL,
        prompts: await store.facts.prompts(promptIds),
      }),
    });
  return {
    store,
    dir,
    async ingestHooks(hooks) {
      const accept = acceptor();
      const translated = hooks.map((hook, index) => claude.translateHook(toDelivery(hook, index), projectOf));
      await log.append(
        await accept.prepare(translated.flat(), () => translated.flatMap((each) => accept.accept(each))),
      );
      await catchUp(log, store.facts);
    },
    async importTranscripts(root) {
      const offsets = (path: string) => store.facts.streamOffset(`transcript:${path}`);
      await importTranscripts({
        root,
        source: claude.transcripts,
        projectOf,
        acceptor: acceptor(),
        append: log.append,
        load: offsets,
        save: (path, position, lastEventIso) =>
          store.facts.saveStreamOffset(`transcript:${path}`, position, lastEventIso ?? ""),
        quarantine: openQuarantine(join(dir, "quarantine")),
      });
      await catchUp(log, store.facts);
    },
    async appendEvents(events) {
      await log.append(events);
      await catchUp(log, store.facts);
    },
    async close() {
      await log.close();
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function toDelivery(hook: RecordedHook, index: number) {
  const content = JSON.stringify(hook.payload);
  return {
    payload: hook.payload,
    env: {},
    name: `1-${index}-0`,
    timeNs: `${Date.parse(hook.t)}000000`,
    occurredAtIso: new Date(hook.t).toISOString(),
    contentHash: () => contentHash(content),
    pid: 1,
  };
}

/** The accepted events of a run's hooks, before they reach the log. */
export function acceptedEvents(name: string): HooklineEvent[] {
  const acceptor = createAcceptor({ mayRecord: () => true });
  const projectOf = createProjectOf();
  return readRun(name).flatMap((hook, index) =>
    acceptor.accept(claude.translateHook(toDelivery(hook, index), projectOf)),
  );
}

/** Contract tables and views. Leaves out the log's cursor, which tracks how much was written. */
export function dumpTables(store: SqliteStore): Record<string, unknown[]> {
  const read = (sql: string): unknown[] =>
    store.db
      .sql(sql)
      .all()
      .map((row) => ({ ...row }));
  return {
    events: read("SELECT * FROM events ORDER BY id"),
    session_lifecycle_events: read("SELECT * FROM session_lifecycle_events ORDER BY id"),
    skill_lifecycle_events: read("SELECT * FROM skill_lifecycle_events ORDER BY id"),
    lifecycle_stream_offsets: read(
      "SELECT * FROM lifecycle_stream_offsets WHERE stream_key <> 'hookline' ORDER BY 1",
    ),
    sdk_sessions: read("SELECT * FROM sdk_sessions ORDER BY id"),
    user_prompts: read("SELECT * FROM user_prompts ORDER BY id"),
    observations: read("SELECT * FROM observations ORDER BY id"),
    session_summaries: read("SELECT * FROM session_summaries ORDER BY id"),
  };
}
