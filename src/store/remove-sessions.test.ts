import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { openFileLog } from "../log/file/file-log.ts";
import type { Log } from "../log/log.ts";
import { catchUp } from "./catch-up.ts";
import { removeSessions } from "./remove-sessions.ts";
import { openSqliteStore, type SqliteStore } from "./sqlite/sqlite-store.ts";

let dir: string;
let log: Log;
let store: SqliteStore;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "hookline-remove-"));
  store = openSqliteStore(join(dir, "hookline.db"));
  log = await openFileLog(join(dir, "log.jsonl"), {
    rotateBytes: 1e9,
    nowMs: Date.now,
    onNotice: (message) => expect.unreachable(message),
  });
});
afterEach(async () => {
  await log.close();
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const [OLD, CUTOFF, NEW] = ["2026-01-01", "2026-02-01", "2026-03-01"].map(
  (day) => `${day}T00:00:00.000Z`,
) as [string, string, string];

function prompt(id: string, sessionId: string, occurredAtIso: string): HooklineEvent {
  const turn = { eventType: "turn.start", promptId: `p-${id}`, prompt: `words of ${id}` } as const;
  const origin = { provider: "claude", projectPath: "/p", cwd: "/p", origin: "hook" } as const;
  return { v: 1, id, sessionId, occurredAtIso, ...turn, ...origin };
}

async function record(...events: readonly HooklineEvent[]): Promise<void> {
  await log.append(events);
  await catchUp(log, store.facts);
}

async function ids(): Promise<string[]> {
  await catchUp(log, store.facts);
  return (await store.facts.events({ after: 0, limit: 100 })).map(({ event }) => event.id).sort();
}

async function idsInLog(): Promise<string[]> {
  const loggedIds: string[] = [];
  for await (const { lines } of log.read())
    for (const line of lines) if (line.trim() !== "") loggedIds.push((JSON.parse(line) as HooklineEvent).id);
  return loggedIds.sort();
}

const remove = (beforeIso: string | null, from: Pick<Log, "append" | "erase"> = log) =>
  log.runExclusive(() => removeSessions(beforeIso, { log: from, facts: store.facts }));

it("removes sessions without events since the cutoff, and nothing of others", async () => {
  await record(prompt("a", "old", OLD), prompt("b", "lasting", OLD), prompt("c", "lasting", NEW));
  expect(await remove(CUTOFF)).toEqual(["old"]);
  expect([await ids(), await idsInLog()]).toEqual([
    ["b", "c"],
    ["b", "c"],
  ]);
  expect(readFileSync(join(dir, "log-1.jsonl"), "utf8")).not.toContain("words of a");
  expect(await remove(CUTOFF)).toEqual([]);
});

it("leaves a damaged line alone unless it names a removed session", async () => {
  await record(prompt("a", "old", OLD), prompt("b", "lasting", NEW));
  const damaged = ['{"v":1,"id":"x","sess', '{"v":1,"sessionId":"lasting","id":"y","prom'];
  const removed = '{"v":1,"sessionId":"old","id":"z","prom';
  const erased: string[] = [];
  const logWithDamage: Pick<Log, "append" | "erase"> = {
    append: log.append,
    erase: async (change) => {
      for (const line of [...damaged, removed]) if (change(line) === "") erased.push(line);
      return log.erase(change);
    },
  };
  expect(await remove(CUTOFF, logWithDamage)).toEqual(["old"]);
  expect(erased).toEqual([removed]);
});

it("keeps events that arrive during the erasure: the session starts over with them", async () => {
  await record(prompt("a", "old", OLD));
  const logWithLateEvent: Pick<Log, "append" | "erase"> = {
    append: log.append,
    async erase(change) {
      await log.append([prompt("new", "old", NEW)]);
      return log.erase(change);
    },
  };
  expect(await remove(CUTOFF, logWithLateEvent)).toEqual(["old"]);
  expect([await ids(), await idsInLog()]).toEqual([["new"], ["new"]]);
});

it("finishes a pending removal without a new cutoff", async () => {
  await record(prompt("a", "old", OLD));
  await store.facts.requestRemoval("old", CUTOFF);
  expect(await remove(null)).toEqual(["old"]);
  expect([await ids(), await idsInLog(), await store.facts.pendingRemovals()]).toEqual([[], [], []]);
});

it("keeps a session that became active again, and restores its erased lines", async () => {
  await record(prompt("a", "old", OLD), prompt("b", "old", OLD));
  await store.facts.requestRemoval("old", CUTOFF);
  await log.runExclusive(() => log.erase((line) => (line.includes('"id":"a"') ? "" : undefined)));
  await record(prompt("new", "old", NEW));
  expect(await remove(null)).toEqual([]);
  expect([await ids(), await store.facts.pendingRemovals()]).toEqual([["a", "b", "new"], []]);
  expect(new Set(await idsInLog())).toEqual(new Set(["a", "b", "new"]));
});

it("renews an earlier request for a session that is still old", async () => {
  await record(prompt("a", "old", OLD));
  await store.facts.requestRemoval("old", new Date(0).toISOString());
  expect(await remove(CUTOFF)).toEqual(["old"]);
  expect([await ids(), await idsInLog()]).toEqual([[], []]);
});
