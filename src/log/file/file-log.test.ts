import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HooklineEvent } from "../../event/event.ts";
import { toLine } from "../../event/line.ts";
import type { Log, LogBatch, Position } from "../log.ts";
import { openFileLog } from "./file-log.ts";
import { parsePosition } from "./position.ts";

let dir: string;
let active: string;
let log: Log;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-file-log-"));
  active = join(dir, "lifecycle.jsonl");
});
afterEach(async () => {
  await log.close();
  rmSync(dir, { recursive: true, force: true });
});

const open = async (rotateBytes: number): Promise<void> => {
  log = await openFileLog(active, { rotateBytes, nowMs: Date.now, onNotice: () => undefined });
};

function event(id: string): HooklineEvent {
  const base = { v: 1, eventType: "turn.start", occurredAtIso: "2026-11-15T12:00:00.000Z" } as const;
  return { ...base, id, sessionId: "s", provider: "claude", projectPath: null, cwd: null, origin: "hook" };
}

async function readLive(after: Position | undefined): Promise<LogBatch[]> {
  const batches: LogBatch[] = [];
  for await (const batch of log.read(after, { live: true })) batches.push(batch);
  return batches;
}

it("serves appended events from memory to the live view, also across segments", async () => {
  await open(400);
  await log.append([event("0")]);
  let [{ next: position }] = (await readLive(undefined)) as [LogBatch];
  const seen: HooklineEvent[] = [];
  for (const id of ["1", "22", "333", "4", "5"]) {
    const appended = event(id);
    await log.append([appended]);
    const batches = await readLive(position);
    expect(batches.map(({ events }) => events?.[0] === appended)).toEqual([true]);
    seen.push(...batches.flatMap(({ events = [] }) => events));
    position = batches.at(-1)!.next;
  }
  expect(seen.map(({ id }) => id)).toEqual(["1", "22", "333", "4", "5"]);
  expect(parsePosition(position).segment).toBeGreaterThan(1);
});

it("does not restore lines that a view read before their write was durable", async () => {
  await open(1_000_000);
  const appended = log.append([event("early")]);
  while (!readFileSync(active, "utf8").includes("early")) await nextTurn();
  log.markApplied([toLine(event("early"))]);
  await appended;
  await log.append([event("late")]);
  rmSync(active);
  await log.append([event("last")]);
  const known = { factsOf: () => [], hasFact: () => false, moveFacts: () => undefined };
  expect(await log.restore(undefined, known)).toMatchObject({ unread: 2 });
});
