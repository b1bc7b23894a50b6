import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openFileLog } from "../log/file/file-log.ts";
import { delegateToCurrent } from "./delegate-to-current.ts";
import { openLiveStore } from "./live-store.ts";
import type { MemoryRows } from "./memory-rows.ts";
import { openReplaceableFile } from "./sqlite/replaceable-file.ts";

it("who asks again after a rebuild asks the new database, and cannot write what it read in the old one", async () => {
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
  const place = openReplaceableFile({ path: join(dir, "hookline.db"), nowMs: () => 0, onNotice });
  const keeper = openLiveStore({ slot: place, log, onNotice });
  await keeper.follow();
  const rows = delegateToCurrent<MemoryRows>((work) => keeper.use((store) => work(store.memory)));
  const { entries, stamp } = await rows.outbox(10);
  const old = place.store.memory;
  await keeper.rebuild();
  await expect(old.fact("e")).rejects.toThrow();
  expect(await rows.fact("e")).toMatchObject({ prompt: "deploy it" });
  expect(await rows.write({ done: entries }, stamp)).toBe(false);
  expect(await rows.outboxSize()).toBe(entries.length);
  await keeper.close();
  await log.close();
  rmSync(dir, { recursive: true, force: true });
});
