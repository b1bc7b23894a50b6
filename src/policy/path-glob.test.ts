import { describe, expect, it } from "vitest";
import { growth } from "../privacy/growth.testing.ts";
import { matchesPath, matchesText } from "./path-glob.ts";

describe("globs", () => {
  it.each([
    ["/a/*.ts", "/a/b.ts", true],
    ["/a/*.ts", "/a/b/c.ts", false],
    ["/a/**", "/a/b/c.ts", true],
    ["/a/**/c.ts", "/a/c.ts", true],
    ["/**/x/**", "/a/x/b", true],
    ["/a/[bc]?", "/a/bx", true],
    ["/a/[!b]", "/a/b", false],
    ["/a/[a-c]", "/a/b", true],
    ["/{a,b}/{c,d}", "/b/c", true],
    ["/a", "/a/", true],
    ["/a[", "/a[", true],
    ["**", "/anything/at/all", true],
  ])("match paths part by part: %s %s", (glob, path, expected) => {
    expect(matchesPath(glob, path)).toBe(expected);
  });

  it("treat only stars as special in texts", () => {
    expect(matchesText("npm *", "npm run a/b c")).toBe(true);
    expect(matchesText("a?c", "abc")).toBe(false);
    expect(matchesText("*x*y*", "axbyc")).toBe(true);
  });

  it("take linear time on adversarial text", () => {
    expect(growth((text) => matchesText(`${"*a".repeat(20)}b`, text), "a", 10_000)).toBeLessThan(24);
    expect(growth((text) => matchesPath(`/${"**/a/".repeat(20)}b`, text), "a/", 5_000)).toBeLessThan(24);
  });
});
