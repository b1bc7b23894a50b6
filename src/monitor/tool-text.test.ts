import { expect, it } from "vitest";
import { firstLine } from "./tool-text.ts";

it("returns the first line, shortened if it is long", () => {
  expect(firstLine(`\n  ${"y".repeat(500)}\nz`)).toHaveLength(200);
});
