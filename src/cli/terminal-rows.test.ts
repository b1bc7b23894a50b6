import fc from "fast-check";
import { expect, it } from "vitest";
import { AGENT_TEXT_MARK, toHangingRows, toMarkedRows } from "./terminal-rows.ts";

const options = { width: 20, mark: AGENT_TEXT_MARK };
const inParts = (parts: readonly string[]): string => {
  let column = 0;
  let written = "";
  for (const part of parts) {
    const { rows, column: next } = toMarkedRows(part, column, options);
    written += rows;
    column = next;
  }
  return written;
};

it("marks each row of any text, however it is split, and keeps the text", () => {
  const word = fc.string({ unit: fc.constantFrom("a", " ", "│", "가", "┃", "\n", "क्"), maxLength: 80 });
  fc.assert(
    fc.property(fc.array(word), (parts) => {
      const written = inParts(parts);
      expect(written).toBe(toMarkedRows(parts.join(""), 0, options).rows);
      for (const row of written.split("\n").slice(0, -1)) expect(row).toMatch(/^┃( |$)/);
      const rows = written.split("\n").map((row) => row.replace(/^┃ ?/, ""));
      expect(rows.join("")).toBe(parts.join("").replaceAll("\n", ""));
    }),
  );
});

it("wraps before a terminal would, and no earlier for narrow characters", () => {
  expect(toMarkedRows("x".repeat(18), 0, options)).toEqual({ rows: `┃ ${"x".repeat(18)}`, column: 20 });
  expect(toMarkedRows("x", 20, options)).toEqual({ rows: "\n┃ x", column: 3 });
  expect(toMarkedRows("가".repeat(10), 0, options).rows).toBe(`┃ ${"가".repeat(9)}\n┃ 가`);
});

it("marks the continuation of our own lines", () => {
  expect(toHangingRows("● Bash ls", 20)).toBe("● Bash ls");
  expect(toHangingRows(`● Bash ${"x".repeat(20)}`, 20)).toBe(`● Bash ${"x".repeat(12)}\n↳ ${"x".repeat(8)}`);
  expect(toHangingRows("", 20)).toBe("");
});
