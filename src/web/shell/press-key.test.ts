import { describe, expect, it } from "vitest";
import { toLatinKey } from "./press-key.ts";

const pressed = (key: string, code: string, shiftKey = false) =>
  toLatinKey({ key, code, shiftKey } as KeyboardEvent);

describe("a key", () => {
  it("is the same letter while Korean is typed", () => {
    expect([pressed("ㅓ", "KeyJ"), pressed("ㅔ", "KeyP"), pressed("ㅖ", "KeyP", true)]).toEqual([
      "j",
      "p",
      "P",
    ]);
  });

  it("is what it says on another layout", () => {
    expect([pressed("j", "KeyC"), pressed("?", "Slash", true), pressed("[", "Digit5")]).toEqual([
      "j",
      "?",
      "[",
    ]);
  });
});
