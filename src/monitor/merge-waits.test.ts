import { describe, expect, it } from "vitest";
import { mergeWaits, type WaitInterval } from "./merge-waits.ts";

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;
const wait = (from: number, to: number | null): WaitInterval => ({
  startedAtIso: at(from),
  endedAtIso: to === null ? null : at(to),
});

describe("waits of one session", () => {
  it.each<[string, WaitInterval[], WaitInterval[]]>([
    ["stay apart if there is time between them", [wait(1, 2), wait(4, 6)], [wait(1, 2), wait(4, 6)]],
    ["are merged if they overlap", [wait(1, 4), wait(3, 6)], [wait(1, 6)]],
    ["are merged if one follows the other immediately", [wait(1, 3), wait(3, 6)], [wait(1, 6)]],
    ["are merged if one contains the other", [wait(1, 9), wait(3, 6), wait(7, 8)], [wait(1, 9)]],
    ["may come in any order", [wait(7, 8), wait(3, 6), wait(1, 4)], [wait(1, 6), wait(7, 8)]],
    ["stay open while one of them does", [wait(1, 4), wait(3, null), wait(5, 6)], [wait(1, null)]],
  ])("%s", (_what, waits, merged) => {
    expect(mergeWaits(waits)).toEqual(merged);
  });
});
