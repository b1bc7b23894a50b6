import { expect, it } from "vitest";
import { firstLine } from "./tool-text.ts";

it("shows of a long text the first line, and of a long line its beginning", () => {
  expect(firstLine(`\n  ${"y".repeat(500)}\nz`)).toHaveLength(200);
});
