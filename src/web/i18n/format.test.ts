import { afterEach, describe, expect, it } from "vitest";
import {
  formatDateTime,
  formatDay,
  formatDuration,
  formatInteger,
  formatShortDuration,
  formatTime,
} from "./format.ts";
import { setLocale } from "./locale.ts";

afterEach(() => setLocale("en"));

const ISO = new Date(2026, 10, 5, 14, 3, 9).toISOString();

describe("formats", () => {
  it("follow the chosen language", () => {
    expect([
      formatDuration(102_000),
      formatShortDuration(7_300_000),
      formatDay(ISO),
      formatTime(ISO),
      formatInteger(12_345),
    ]).toEqual(["1m 42s", "2h", "Nov 5", "14:03:09", "12,345"]);
    setLocale("ko");
    expect([formatDuration(102_000), formatShortDuration(7_300_000), formatDay(ISO)]).toEqual([
      "1분 42초",
      "2시간",
      "11월 5일",
    ]);
    expect(formatDateTime(ISO)).toMatch(/^2026년 11월 5일 14:03$/);
  });

  it("use the 24-hour clock in both languages", () => {
    const midnight = new Date(2026, 10, 5, 0, 3, 9).toISOString();
    expect(formatTime(midnight)).toMatch(/^00:03:09$/);
    setLocale("ko");
    expect(formatTime(midnight)).toMatch(/^00(:|시 )03(:|분 )09/);
  });
});
