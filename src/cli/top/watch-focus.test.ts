import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { watchFocus } from "./watch-focus.ts";

it("hears of the focus among keys, also in two reads, until it is stopped", () => {
  const stdin = new PassThrough();
  const heard: boolean[] = [];
  const stop = watchFocus(stdin as unknown as NodeJS.ReadStream, (isFocused) => heard.push(isFocused));
  for (const chunk of ["y", "\u001b[A\u001b[O", "[I", "\u001b", "[I", "\u001b[", "Oj", "OI"])
    stdin.emit("data", chunk);
  stop();
  stdin.emit("data", "\u001b[I");
  expect(heard).toEqual([false, true, false]);
});
