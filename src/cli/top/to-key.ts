import type { Key as InkKey } from "ink";
import type { Key } from "./key-result.ts";

/** Keys as reported by Ink: letters that arrive at once are one text, which is several keys. */
export function toKeys(input: string, key: InkKey): Key[] {
  const one = toKey(input, key);
  const letters = [...one.text];
  if (one.name !== "char" || letters.length < 2) return [one];
  return letters.map((text) => ({ name: "char", text, isPasted: true }));
}

function toKey(input: string, key: InkKey): Key {
  const named = (name: Key["name"]): Key => ({ name, text: "" });
  if (key.ctrl) return input === "c" ? named("interrupt") : named("char");
  if (key.upArrow) return named("up");
  if (key.downArrow) return named("down");
  if (key.pageUp) return named("pageUp");
  if (key.pageDown) return named("pageDown");
  if (key.tab || key.rightArrow || key.leftArrow)
    return named(key.leftArrow || key.shift ? "previous" : "next");
  if (key.home) return named("home");
  if (key.end) return named("end");
  if (key.return) return named("enter");
  if (key.escape) return named("escape");
  if (key.backspace || key.delete) return named("backspace");
  return { name: "char", text: key.meta ? "" : input };
}
