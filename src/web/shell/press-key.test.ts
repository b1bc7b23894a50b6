import { describe, expect, it } from "vitest";
import { toLatinKey } from "./press-key.ts";

const keyOf = (key: string, code: string, shiftKey = false) =>
  toLatinKey({ key, code, shiftKey } as KeyboardEvent);

describe("a key", () => {
  it("is the same letter while Korean is typed", () => {
    expect([keyOf("ㅓ", "KeyJ"), keyOf("ㅔ", "KeyP"), keyOf("ㅖ", "KeyP", true)]).toEqual(["j", "p", "P"]);
  });

  it("is what it says on another layout", () => {
    expect([keyOf("j", "KeyC"), keyOf("?", "Slash", true), keyOf("[", "Digit5")]).toEqual(["j", "?", "["]);
  });
});
