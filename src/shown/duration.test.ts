import { describe, expect, it } from "vitest";
import { localTime, shortDuration, shortDurationSince, toSinceIso } from "./duration.ts";

const now = Date.parse("2026-11-15T12:00:00.000Z");

describe("a duration", () => {
  it.each([
    [-5, "0s"],
    [12_400, "12s"],
    [102_000, "1m42"],
    [42 * 60_000, "42m"],
    [185 * 60_000, "3h05"],
    [50 * 3_600_000, "2d"],
  ])("of %i ms reads %s", (ms, text) => {
    expect(shortDuration(ms)).toBe(text);
  });

  it("is measured from a time, and empty for an invalid time", () => {
    expect(shortDurationSince("2026-11-15T11:59:00.000Z", now)).toBe("1m00");
    expect(shortDurationSince("yesterday", now)).toBe("");
  });

  it("or a point in time is accepted as `since`", () => {
    expect(toSinceIso("2h", now)).toBe("2026-11-15T10:00:00.000Z");
    expect(toSinceIso("2026-11-14T00:00:00Z", now)).toBe("2026-11-14T00:00:00.000Z");
    for (const bad of ["", "soon", "2", "2 h", "-1h"])
      expect(() => toSinceIso(bad, now), bad).toThrow(/invalid time/);
  });
});

describe("the time of day", () => {
  it("includes the date only for another day", () => {
    const noon = new Date(2026, 10, 15, 12, 5);
    expect(localTime(noon.toISOString(), noon.getTime())).toBe("12:05");
    expect(localTime(noon.toISOString(), noon.getTime() + 48 * 3_600_000)).toBe("2026-11-15 12:05");
  });
});
