import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openOwnLog } from "./own-log.ts";
import type { LogPosition } from "./segments.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-own-log-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("holds what was appended for a view that follows, also into the next segment", async () => {
  const own = await openOwnLog(
    { active: join(dir, "lifecycle.jsonl") },
    { rotateBytes: 4, onNotice: () => undefined },
  );
  const read: unknown[] = [];
  let position: LogPosition = { segment: 1, offset: 0 };
  for (const value of [1, 22, 333, 4, 5]) {
    await own.append([String(value)], [value]);
    const batch = own.fresh(position);
    read.push(...(batch?.values ?? []));
    position = batch?.next ?? position;
    expect(own.fresh(position)).toBeUndefined();
  }
  await own.close();
  expect(read).toEqual([1, 22, 333, 4, 5]);
  expect(position.segment).toBe(3);
});

it("takes what a view read before its write was known to be on the disk as read", async () => {
  const active = join(dir, "lifecycle.jsonl");
  const own = await openOwnLog({ active }, { rotateBytes: 1_000_000, onNotice: () => undefined });
  const appended = own.append(["early"]);
  while (!readFileSync(active, "utf8").includes("early")) await nextTurn();
  own.read(["early"]);
  await appended;
  await own.append(["late"]);
  expect(await own.appendUnread()).toBe(1);
  await own.close();
});
