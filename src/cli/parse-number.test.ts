import { expect, it } from "vitest";
import { parseDurationMs, toSinceIso } from "../shown/duration.ts";
import { toAmount, toInteger } from "./parse-number.ts";

it("accepts only integers within the range", () => {
  expect(toInteger("limit", undefined, { min: 1 })).toBeUndefined();
  expect(toInteger("limit", "007", { min: 1, max: 10 })).toBe(7);
  for (const text of ["0", "11", "-5", "abc", "1.5", "1e1", "0x5", "", " 5", "NaN", "Infinity", "5 "])
    expect(() => toInteger("limit", text, { min: 1, max: 10 }), text).toThrow(
      `--limit must be a whole number from 1 to 10, not "${text}".`,
    );
  expect(() => toInteger("lines", "9".repeat(400), { min: 0 })).toThrow("from 0 on");
});

it("accepts only amounts, with or without decimals", () => {
  const range = { what: "an amount", isValid: (amount: number) => amount > 0 };
  expect(toAmount("budget", "1.5", range)).toBe(1.5);
  expect(toAmount("budget", ".5", range)).toBe(0.5);
  for (const text of ["0", "-1", "abc", "1e9", "NaN", "Infinity", "", "1.", "9".repeat(400)])
    expect(() => toAmount("budget", text, range), text).toThrow("--budget must be an amount");
});

it("rejects a duration that does not lead to a valid date", () => {
  expect(parseDurationMs("36525d")).not.toBeNull();
  for (const text of ["99999999999d", `${"9".repeat(400)}s`, "-5m", "1.5h", "h", "5", "5 m"])
    expect(parseDurationMs(text), text).toBeNull();
  for (const text of ["99999999999d", "yesterday", "-2h", "5", "2026-99-99"])
    expect(() => toSinceIso(text, Date.now()), text).toThrow("invalid time");
});

it("reads a date in local time", () => {
  expect(toSinceIso("2026-11-15", 0)).toBe(new Date(2026, 10, 15).toISOString());
  expect(toSinceIso("2026-11-15T09:00", 0)).toBe(new Date(2026, 10, 15, 9).toISOString());
  expect(toSinceIso("2026-11-15T09:00Z", 0)).toBe("2026-11-15T09:00:00.000Z");
});
