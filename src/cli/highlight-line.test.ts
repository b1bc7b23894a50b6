import { describe, expect, it } from "vitest";
import { highlightLine } from "./highlight-line.ts";
import type { Paint } from "./paint.ts";

const stars: Paint = (_colour, text) => `*${text}*`;

describe("a line with marked parts", () => {
  it.each<[string, [number, number][], number, string]>([
    ["the cart total", [[4, 8]], 80, "the *cart* total"],
    ["the cart total", [], 80, "the cart total"],
    ["장바구니 합계", [[5, 7]], 80, "장바구니 *합계*"],
    ["a\n\n  b\tc", [[5, 6]], 80, "a *b* c"],
    ["abcdefgh", [[2, 4]], 6, "ab*cd*e…"],
    ["장바구니 합계", [[0, 4]], 6, "*장바…*"],
    [
      "late early",
      [
        [5, 10],
        [0, 4],
      ],
      80,
      "*late* *early*",
    ],
    [
      "overlap",
      [
        [0, 4],
        [2, 6],
        [3, 99],
      ],
      80,
      "*over**la**p*",
    ],
    [
      "no such place",
      [
        [50, 60],
        [-5, 2],
        [4, 4],
      ],
      80,
      "*no* such place",
    ],
  ])("%j with %j in %d cells is %j", (text, marks, cells, line) => {
    expect(highlightLine(text, marks, cells, stars)).toBe(line);
  });

  it("removes escape sequences, even one that a mark splits", () => {
    const line = highlightLine("a\u001b[31mred\u001b[2J\u202eb\u0007", [[2, 4]], 80, stars);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
