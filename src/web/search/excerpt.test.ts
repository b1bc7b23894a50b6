import fc from "fast-check";
import { expect, it } from "vitest";
import { excerptAround } from "./excerpt.ts";

const markedOf = ({ text, marks }: ReturnType<typeof excerptAround>): string[] =>
  marks.map(([from, to]) => text.slice(from, to));

it("leaves text with an early match unchanged", () => {
  const text = "so all rows fall out silently";
  expect(excerptAround(text, [[7, 11]])).toEqual({ text, marks: [[7, 11]] });
  expect(excerptAround("x".repeat(200), [])).toEqual({ text: "x".repeat(200), marks: [] });
});

it("starts long text at a word shortly before its first match", () => {
  const text = `${"some words before it ".repeat(6)}then the rows, and more rows`;
  const position = text.indexOf("rows");
  const last = text.lastIndexOf("rows");
  const excerpt = excerptAround(text, [
    [position, position + 4],
    [last, last + 4],
  ]);
  expect(excerpt.text).toMatch(/^…\w.{0,40}rows, and more rows$/);
  expect(markedOf(excerpt)).toEqual(["rows", "rows"]);
});

it("keeps marks on the same text, and the first one near the start, for any text", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300 }),
      fc.nat(300),
      fc.integer({ min: 1, max: 20 }),
      (text, position, size) => {
        const from = Math.min(position, text.length);
        const to = Math.min(from + size, text.length);
        const excerpt = excerptAround(text, [[from, to]]);
        expect(markedOf(excerpt)).toEqual([text.slice(from, to)]);
        expect(excerpt.marks[0]![0]).toBeLessThanOrEqual(60);
      },
    ),
  );
});
