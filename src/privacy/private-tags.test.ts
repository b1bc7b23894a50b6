import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "./growth.testing.ts";
import { isWhollyPrivate, stripPrivateTags } from "./private-tags.ts";

const strip = (text: string) => stripPrivateTags(text).text;

describe("stripPrivateTags", () => {
  it.each([
    ["no tags at all", "no tags at all"],
    ["a < b and c > d", "a < b and c > d"],
    ["see <privateer> and <private-thing>", "see <privateer> and <private-thing>"],
    ["keep <private>secret</private> this", "keep  this"],
    ["<PRIVATE>secret</Private>rest", "rest"],
    ["<private reason='x'>secret</private >rest", "rest"],
    ['a<hookline-context source="x">digest</hookline-context>b', "ab"],
    ["a<claude-mem-context>\n# Recent\n</claude-mem-context>\nb", "a\nb"],
    ["a<private>1</private>b<private>2</private>c", "abc"],
    ["a<private>x<private>y</private>z</private>b", "ab"],
    ["a<private>x<hookline-context>y</hookline-context>z</private>b", "ab"],
    ["a<private>secret to the end", "a"],
    ["a<private>x<private>y</private> still inside", "a"],
    ["stray</private> close", "stray close"],
    ["a<hookline-context>x<private>y</hookline-context> still private", "a"],
    ["a<private/>no closing tag, so hidden", "a"],
    ["a<private\nsecret without an end", "a"],
    ["<private></private>", ""],
    ["", ""],
  ])("%j -> %j", (text, expected) => {
    expect(strip(text)).toBe(expected);
  });

  it("reports whether anything was cut, and otherwise returns the same text", () => {
    expect(stripPrivateTags("a <b> c")).toEqual({ text: "a <b> c", stripped: false });
    expect(stripPrivateTags("a<private>b</private>").stripped).toBe(true);
  });

  it("handles a hundred tags individually, and drops everything from the hundredth on if there are more", () => {
    const hundred = "k<private>s</private>".repeat(100);
    expect(strip(`${hundred}end`)).toBe(`${"k".repeat(100)}end`);
    expect(strip(`${hundred}seen?<private>s</private>end`)).toBe("k".repeat(100));
  });

  it("never shows the content of a closed tag, whatever surrounds it", () => {
    const noise = fc.array(
      fc.constantFrom(
        "<private>",
        "</private>",
        "<hookline-context>",
        "</hookline-context>",
        "<",
        ">",
        "x",
        " ",
      ),
    );
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        const text = `${before.join("")}<private>SECRET</private>${after.join("")}`;
        expect(strip(text)).not.toContain("SECRET");
        expect(strip(strip(text))).toBe(strip(text));
      }),
    );
  });

  it("takes linear time for hostile text", () => {
    for (const part of [
      "<private>",
      "<",
      "</private>",
      "<private ",
      "<private><hookline-context>",
      "<private></private>",
    ]) {
      expect(growth(strip, part, 131_072), part).toBeLessThan(24);
    }
  });
});

describe("isWhollyPrivate", () => {
  it.each([
    ["<private>all of it</private>", true],
    ["  <private>all</private>\n<private>of it", true],
    ["<private>some</private> of it", false],
    ["<hookline-context>ours</hookline-context>", false],
    ["", false],
    ["   ", false],
  ])("%j -> %s", (text, expected) => {
    expect(isWhollyPrivate(text)).toBe(expected);
  });
});

describe("stripPrivateTags with marks", () => {
  const marked = (text: string): string => stripPrivateTags(text, true).text;

  it("replaces each cut with a mark that gives its length", () => {
    expect(marked("npm test # <private>\ngit push # </private>")).toBe("npm test # [PRIVATE:31 characters]");
    expect(marked(": '<private>'; touch x; : '</private>'")).toBe(": '[PRIVATE:34 characters]'");
    expect(marked("a <private>b")).toBe("a [PRIVATE:10 characters]");
    expect(marked("a </private> b")).toBe("a [PRIVATE:10 characters] b");
    expect(marked("a <hookline-context>b</hookline-context> c")).toBe("a [PRIVATE:38 characters] c");
    expect(marked("<private>a</private><private>b</private>")).toBe(
      "[PRIVATE:20 characters][PRIVATE:20 characters]",
    );
    expect(marked("nothing")).toBe("nothing");
  });

  it("marks the rest of a text with too many tags", () => {
    const text = "x<private>y</private>".repeat(150);
    const result = marked(text);
    const cut = [...result.matchAll(/\[PRIVATE:(\d+) characters\]/g)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
    expect(result.replace(/\[PRIVATE:\d+ characters\]/g, "").length + cut).toBe(text.length);
  });

  it("is idempotent", () => {
    const once = marked("a <private>b</private> c");
    expect(marked(once)).toBe(once);
  });
});
