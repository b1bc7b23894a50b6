import { describe, expect, it } from "vitest";
import { waitsText } from "./waits-text.ts";

const now = Date.parse("2026-11-15T12:00:00.000Z");
const since = "2026-10-16T12:00:00.000Z";

describe("how long agents waited", () => {
  it("is listed by key, longest first", () => {
    const totals = [
      { key: "/w/api", count: 1, totalMs: 5_000, longestMs: 5_000 },
      { key: "/w/web", count: 3, totalMs: 90_000, longestMs: 60_000 },
    ];
    const lines = waitsText({ since, totals }, { now, width: 80, isByDay: false }).split("\n");
    expect(lines[0]).toMatch(/agents waited 1m35 for you$/);
    expect(lines.slice(1)).toEqual([
      "  /w/web  1m30  3 waits  longest 1m00",
      "  /w/api    5s   1 wait  longest 5s",
    ]);
  });

  it("is reported as nothing if no agent waited", () => {
    expect(waitsText({ since, totals: [] }, { now, width: 80, isByDay: true })).toMatch(/no agent waited/);
  });
});
