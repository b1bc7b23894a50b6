import { afterEach, describe, expect, it } from "vitest";
import { age, clock, day, moment, shortAge, whole } from "./amounts.ts";
import { setLocale } from "./locale.ts";

afterEach(() => setLocale("en"));

const ISO = new Date(2026, 10, 5, 14, 3, 9).toISOString();

describe("amounts", () => {
  it("are written as the chosen language writes them", () => {
    expect([age(102_000), shortAge(7_300_000), day(ISO), clock(ISO), whole(12_345)]).toEqual([
      "1m 42s",
      "2h",
      "Nov 5",
      "14:03:09",
      "12,345",
    ]);
    setLocale("ko");
    expect([age(102_000), shortAge(7_300_000), day(ISO)]).toEqual(["1분 42초", "2시간", "11월 5일"]);
    expect(moment(ISO)).toMatch(/^2026년 11월 5일 14:03$/);
  });

  it("have the time of the day by 24 hours in either", () => {
    const midnight = new Date(2026, 10, 5, 0, 3, 9).toISOString();
    expect(clock(midnight)).toMatch(/^00:03:09$/);
    setLocale("ko");
    expect(clock(midnight)).toMatch(/^00(:|시 )03(:|분 )09/);
  });
});
