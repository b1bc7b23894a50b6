import { describe, expect, it } from "vitest";
import { toForgetRequest } from "./forget.ts";

const now = Date.parse("2026-11-15T09:00:00Z");

describe("a forget request", () => {
  it("contains every criterion", () => {
    expect(
      toForgetRequest({ id: "1,2", session: "s", file: "./src/a.ts", before: "30d", match: "secret" }, now),
    ).toEqual({
      ids: [1, 2],
      session: "s",
      file: "src/a.ts",
      beforeIso: "2026-10-16T09:00:00.000Z",
      match: "secret",
    });
  });

  it.each([{}, { match: "" }, { session: " " }, { id: "a" }, { before: "soon" }])(
    "is rejected for empty or invalid criteria: %j",
    (args) => {
      expect(() => toForgetRequest(args, now)).toThrow(expect.objectContaining({ code: "usage" }));
    },
  );
});
