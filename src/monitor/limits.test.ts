import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { resolveHome } from "../home.ts";
import { type Limits, limitsText, mergeLimits, NO_LIMITS, readLimits, saveLimits } from "./limits.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const dir = mkdtempSync(join(tmpdir(), "hookline-limits-"));
const home = resolveHome({ HOOKLINE_HOME: dir });
afterEach(() => rmSync(home.limits, { force: true }));
afterAll(() => rmSync(dir, { recursive: true }));

const window = (usedPercent: number, seconds: number) => ({
  usedPercent,
  resetsAtIso: new Date(NOW + seconds * 1_000).toISOString(),
});

describe("usage limits", () => {
  it("are kept until their window resets, independently of each other", () => {
    saveLimits(home, { fiveHour: window(35, 60), sevenDay: window(12, 4_000) }, NOW);
    expect(limitsText(readLimits(home, NOW))).toBe("5h 35% · 7d 12%");
    expect(limitsText(readLimits(home, NOW + 61_000))).toBe("7d 12%");
    expect(statSync(home.limits).mode & 0o077).toBe(0);
  });

  it("are not lowered by a session with an older report", () => {
    saveLimits(home, { fiveHour: window(35, 60), sevenDay: null }, NOW);
    expect(saveLimits(home, { fiveHour: window(20, 60), sevenDay: null }, NOW).fiveHour).toEqual(
      window(35, 60),
    );
    const next = { fiveHour: window(1, 18_000), sevenDay: null };
    expect(saveLimits(home, next, NOW)).toEqual(next);
  });

  it("are unknown, without an error, if the file is torn or missing or has no folder", () => {
    expect(readLimits(home, NOW)).toEqual(NO_LIMITS);
    writeFileSync(home.limits, '{"fiveHour":');
    expect(readLimits(home, NOW)).toEqual(NO_LIMITS);
    const missingHome = resolveHome({ HOOKLINE_HOME: join(dir, "none") });
    const reported = { fiveHour: window(1, 60), sevenDay: null };
    expect(saveLimits(missingHome, reported, NOW)).toEqual(reported);
    expect(limitsText(NO_LIMITS)).toBe("");
  });

  it("do not depend on the order in which sessions report them", () => {
    const anyWindow = fc.option(fc.tuple(fc.nat(100), fc.nat(5)).map(([used, at]) => window(used, at)));
    const limits = fc.record({ fiveHour: anyWindow, sevenDay: anyWindow }) as fc.Arbitrary<Limits>;
    fc.assert(
      fc.property(limits, limits, limits, (a, b, c) => {
        expect(mergeLimits(a, b)).toEqual(mergeLimits(b, a));
        expect(mergeLimits(mergeLimits(a, b), c)).toEqual(mergeLimits(a, mergeLimits(b, c)));
      }),
    );
  });
});
