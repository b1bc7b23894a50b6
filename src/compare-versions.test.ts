import { expect, it } from "vitest";
import { compareVersions } from "./compare-versions.ts";

it("orders versions as semver does, pre-releases before their release", () => {
  const ordered = [
    "0.1.0",
    "0.1.1-0",
    "0.1.1",
    "0.2.0",
    "0.10.0",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1-x",
    "10000000000000000000.0.0",
    "10000000000000000001.0.0",
  ];
  for (const [i, a] of ordered.entries()) {
    for (const [j, b] of ordered.entries())
      expect(compareVersions(a, b), `${a} and ${b}`).toBe(Math.sign(i - j));
  }
});

it("ignores build metadata and a leading v", () => {
  expect(compareVersions("1.2.3+abc", "v1.2.3+def")).toBe(0);
});

it("treats a non-version as older than any version, and equal to another", () => {
  expect(compareVersions("", "0.0.0-0")).toBe(-1);
  expect(compareVersions("0.0.0", "latest")).toBe(1);
  expect(compareVersions("1.2", "what")).toBe(0);
});
