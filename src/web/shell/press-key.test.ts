import { describe, expect, it } from "vitest";
import { toLatinKey } from "./press-key.ts";

const keyOf = (key: string, code: string, shiftKey = false) =>
  toLatinKey({ key, code, shiftKey } as KeyboardEvent);

describe("toLatinKey", () => {
  it("maps Korean letters to the Latin letters of their keys", () => {
    expect([keyOf("ㅓ", "KeyJ"), keyOf("ㅔ", "KeyP"), keyOf("ㅖ", "KeyP", true)]).toEqual(["j", "p", "P"]);
  });

  it("keeps the letters of other layouts", () => {
    expect([keyOf("j", "KeyC"), keyOf("?", "Slash", true), keyOf("[", "Digit5")]).toEqual(["j", "?", "["]);
  });
});
