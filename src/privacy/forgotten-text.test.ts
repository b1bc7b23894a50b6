import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  containsForgotten,
  createTextFinder,
  createTextGuard,
  finderForGuard,
  isFoundInJson,
  isFoundInText,
} from "./forgotten-text.ts";

const guard = createTextGuard("The Blue Door", "salt");
const has = (value: unknown): boolean => containsForgotten([guard], value);

describe("containsForgotten", () => {
  it("reveals nothing about the text but its length", () => {
    expect(JSON.stringify(guard).toLowerCase()).not.toMatch(/blue|door/);
    expect(guard).toMatchObject({ v: 1, length: 13 });
    expect(createTextGuard("The Blue Door", "other")).not.toMatchObject({ digest: guard.digest });
  });

  it("finds the text in strings, keys and lists at any depth, ignoring case and white space", () => {
    expect(has("it is behind the  BLUE\n\tdoor, they say")).toBe(true);
    expect(has({ a: [{ b: { "the blue door": null } }] })).toBe(true);
    expect(has({ a: ["the blue", "door"], b: "theblue door", c: "the blue doo" })).toBe(false);
    expect(has(null)).toBe(false);
  });

  it("finds the text in nested JSON strings, even with \\u escapes", () => {
    const quoted = createTextGuard('say "열려라"\nnow', "salt");
    let value: unknown = { words: 'they say "열려라"\nnow!' };
    for (let depth = 0; depth < 4; depth++) {
      expect(containsForgotten([quoted], value)).toBe(true);
      value = { nested: JSON.stringify(value) };
    }
    const ascii = JSON.stringify('say "열려라"\nnow').replace(
      /[^ -~]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    expect(containsForgotten([quoted], { output: `{"a":${ascii}}` })).toBe(true);
  });

  it("treats composed and decomposed letters as equal, and a final sigma as a sigma", () => {
    expect(containsForgotten([createTextGuard("Café Σίσυφος", "s")], "x cafe\u0301 ΣΊΣΥΦΟΣ y")).toBe(true);
    expect(isFoundInText(createTextFinder("Σίσυφος"), "x ΣΊΣΥΦΟΣ y")).toBe(true);
    expect(isFoundInText(createTextFinder("열려라"), `x ${"열려라".normalize("NFD")} y`)).toBe(true);
  });

  it("agrees with a plain search at any position", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "B", " ", "\n", "é", "한", "\\", "n", '"') });
    fc.assert(
      fc.property(letters, letters, letters, (before, needle, after) => {
        fc.pre(needle.trim() !== "");
        const finder = finderForGuard(createTextGuard(needle, "salt"));
        for (const text of [before + needle + after, before + after])
          expect(isFoundInText(finder, text)).toBe(isFoundInText(createTextFinder(needle), text));
        expect(isFoundInText(finder, before + needle + after)).toBe(true);
      }),
    );
  });

  it("does not match an escape's letter", () => {
    const json = JSON.stringify({ words: "one\nfoo" });
    expect(isFoundInJson(createTextFinder("nfoo"), json)).toBe(false);
    expect(isFoundInJson(createTextFinder("one foo"), json)).toBe(true);
    expect(isFoundInJson(createTextFinder("nfoo"), JSON.stringify({ path: "C:\\nfoo" }))).toBe(true);
  });

  it("takes linear time", () => {
    const text = `${"ab ".repeat(400_000)}`;
    const startedAt = performance.now();
    expect(containsForgotten([createTextGuard("ab ab ab ac", "s")], { text })).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
