import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openFileLog } from "../log/file/file-log.ts";
import type { Log } from "../log/log.ts";
import { type LiveStore, openLiveStore } from "./live-store.ts";
import { openReplaceableFile } from "./sqlite/replaceable-file.ts";

let dir: string;
let liveStore: LiveStore;
let log: Log;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "hookline-live-"));
  log = await openFileLog(join(dir, "lifecycle.jsonl"), {
    rotateBytes: 1e9,
    nowMs: () => 0,
    onNotice: (message) => expect.unreachable(message),
  });
  const onNotice = (message: string) => expect.unreachable(message);
  const slot = openReplaceableFile({ path: join(dir, "hookline.db"), onNotice, nowMs: () => 0 });
  liveStore = openLiveStore({ slot: slot, log, onNotice });
});
afterEach(async () => {
  await liveStore.close();
  await log.close();
  rmSync(dir, { recursive: true, force: true });
});

it("keeps jobs and spending through a rebuild", async () => {
  const turn = (promptId: string) => ({ sessionId: "s", promptId });
  await liveStore.use(async ({ jobs }) => {
    for (const [n, promptId] of ["finished", "leased", "waiting"].entries())
      await jobs.enqueue(turn(promptId), n, 0);
    await jobs.done({ ...turn("finished") });
    await jobs.lease(10, 150_000);
    await jobs.spend("2026-11-15", "claude-haiku-4-5", {
      inputTokens: 700,
      outputTokens: 200,
      isFailed: false,
    });
  });
  const before = liveStore.store;
  await liveStore.rebuild();
  expect(liveStore.store).not.toBe(before);
  await liveStore.use(async ({ jobs }) => {
    expect(await jobs.spendOf("2026-11-15")).toEqual([
      { model: "claude-haiku-4-5", calls: 1, failedCalls: 0, inputTokens: 700, outputTokens: 200 },
    ]);
    expect(await jobs.counts(10)).toEqual({ waiting: 2, done: 1, givenUp: 0 });
    // The leased job is still leased; the finished one is known.
    expect(await jobs.lease(10, 1)).toMatchObject({ promptId: "waiting", attempts: 1 });
    expect(await jobs.enqueue(turn("finished"), 10, 0)).toBe(false);
    await jobs.done(turn("leased"));
    expect(await jobs.counts(10)).toEqual({ waiting: 1, done: 2, givenUp: 0 });
  });
});

it("aborts a rebuild on its signal, and keeps the store unchanged", async () => {
  const slot = { provider: "claude", projectPath: "/p", cwd: "/p", origin: "hook" } as const;
  const event = {
    v: 1,
    id: "a",
    sessionId: "s",
    occurredAtIso: "2026-11-15T12:00:00.000Z",
    ...slot,
  } as const;
  await log.append([{ ...event, eventType: "turn.start", promptId: "p", prompt: "go" }]);
  await liveStore.follow();
  const before = liveStore.store;
  const controller = new AbortController();
  const rebuilt = liveStore.rebuild({
    signal: controller.signal,
    onProgress: () => controller.abort(new Error("it ends")),
  });
  await expect(rebuilt).rejects.toThrow("it ends");
  await expect(liveStore.rebuild({ signal: controller.signal })).rejects.toThrow("it ends");
  expect(liveStore.store).toBe(before);
  expect(readdirSync(dir).filter((name) => name.includes("rebuild"))).toEqual([]);
  expect(await liveStore.rebuild()).toEqual({ events: 1, sessions: 1 });
});
