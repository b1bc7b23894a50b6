import { expect, it } from "vitest";
import { similarIds } from "./similar-ids.ts";

it("finds ids by a shared beginning, the longest first, whatever their case", () => {
  const candidates = ["d621d159-aa", "d621ffff-bb", "0000d621-cc", "d621d15a-dd"];
  expect(similarIds("D621D159-AB", candidates)).toEqual(["d621d159-aa", "d621d15a-dd", "d621ffff-bb"]);
});

it("finds none by fewer than four characters", () => {
  expect(similarIds("d62", ["d621d159"])).toEqual([]);
});
