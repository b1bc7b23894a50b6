import { expect, it } from "vitest";
import { en } from "./en.ts";
import { fillText } from "./fill-text.ts";

it("chooses the singular or plural form by number", () => {
  const text = "{n} {n|file|files} of {of} {of|session|sessions}";
  expect(fillText(text, { n: 1, of: 2 })).toBe("1 file of 2 sessions");
  expect(fillText(text, { n: "1.2k", of: "1" })).toBe("1.2k files of 1 session");
  expect(fillText("{n} of {rest} {rest|a|b}", { n: 0 })).toBe("0 of {rest} {rest|a|b}");
});

it("has no plural after 1 in any string", () => {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else for (const inner of Object.values(value as object)) walk(inner);
  };
  walk(en);
  const counted = texts.filter((text) => /\{\w+\}/.test(text));
  expect(counted.length).toBeGreaterThan(80);
  const allOne = new Proxy({}, { get: () => 1 }) as Record<string, number>;
  const wrong = counted.map((text) => fillText(text, allOne)).filter((text) => PLURAL.test(text));
  expect(wrong).toEqual([]);
});

/** A plural noun, or a verb that goes with one. */
const PLURAL =
  /\b1 (?:more |equal |whole |recorded )?(?:(?!needs\b|differs\b)[a-z]{2,}(?<!s|i)s|need|differ|are)\b/;
