import { expect, it } from "vitest";
import { similarIds } from "./similar-ids.ts";

it("finds ids by common prefix, longest first, in any case", () => {
  const candidates = ["d621d159-aa", "d621ffff-bb", "0000d621-cc", "d621d15a-dd"];
  expect(similarIds("D621D159-AB", candidates)).toEqual(["d621d159-aa", "d621d15a-dd", "d621ffff-bb"]);
});

it("ignores prefixes shorter than four characters", () => {
  expect(similarIds("d62", ["d621d159"])).toEqual([]);
});
