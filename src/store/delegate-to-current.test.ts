import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openFileLog } from "../log/file/file-log.ts";
import { delegateToCurrent } from "./delegate-to-current.ts";
import { openLiveStore } from "./live-store.ts";
import type { MemoryRows } from "./memory-rows.ts";
import { openReplaceableFile } from "./sqlite/replaceable-file.ts";

it("uses the new database after a rebuild, and refuses a write based on the old one", async () => {
  const dir = mkdtempSync(join(tmpdir(), "hookline-current-"));
  const onNotice = (message: string): never => expect.unreachable(message);
  const log = await openFileLog(join(dir, "lifecycle.jsonl"), {
    rotateBytes: 1e9,
    nowMs: () => 0,
    onNotice,
  });
  const event = {
    v: 1,
    id: "e",
    eventType: "turn.start",
    occurredAtIso: "2026-01-01T00:00:00.000Z",
    sessionId: "s",
    provider: "claude",
    projectPath: "/p",
    cwd: "/p",
    origin: "hook" as const,
    prompt: "deploy it",
    promptId: "p",
  };
  await log.append([event]);
  const slot = openReplaceableFile({ path: join(dir, "hookline.db"), nowMs: () => 0, onNotice });
  const liveStore = openLiveStore({ slot: slot, log, onNotice });
  await liveStore.follow();
  const rows = delegateToCurrent<MemoryRows>((work) => liveStore.use((store) => work(store.memory)));
  const { entries, stamp } = await rows.outbox(10);
  const oldRows = slot.store.memory;
  await liveStore.rebuild();
  await expect(oldRows.fact("e")).rejects.toThrow();
  expect(await rows.fact("e")).toMatchObject({ prompt: "deploy it" });
  expect(await rows.write({ done: entries }, stamp)).toBe(false);
  expect(await rows.outboxSize()).toBe(entries.length);
  await liveStore.close();
  await log.close();
  rmSync(dir, { recursive: true, force: true });
});
