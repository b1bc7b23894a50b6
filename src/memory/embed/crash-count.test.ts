import { describe, expect, it } from "vitest";
import { countCrash, describeBlock, NO_CRASHES } from "./crash-count.ts";

function crashedAt(...timesMs: number[]) {
  return timesMs.reduce((count, at) => countCrash(count, at, "killed by SIGKILL"), NO_CRASHES);
}

describe("countCrash", () => {
  it("does not block after two crashes, or more that are a minute apart", () => {
    expect(describeBlock(crashedAt(0, 1_000), 1_000)).toBeNull();
    expect(describeBlock(crashedAt(0, 30_000, 60_000, 90_000, 120_000), 120_000)).toBeNull();
  });

  it("blocks for ten minutes after three crashes within a minute, and says why", () => {
    const count = crashedAt(0, 30_000, 59_999);
    expect(describeBlock(count, 60_000)).toBe(
      "the embedder failed 3 times in a row (killed by SIGKILL); retrying in 10 min",
    );
    expect(describeBlock(count, 659_998)).toContain("in 1 min");
    expect(describeBlock(count, 659_999)).toBeNull();
  });

  it("starts counting again afterwards", () => {
    const count = countCrash(crashedAt(0, 1, 2), 700_000, "again");
    expect(describeBlock(count, 700_000)).toBeNull();
  });
});
