import { expect, it } from "vitest";
import { toLineStream } from "./body-lines.ts";

it("rejects if it fails before the first line, so that an error can be sent", async () => {
  await expect(toLineStream(failing([]))).rejects.toThrow("the disk is full");
  const stream = await toLineStream(failing(["a"]));
  await expect(new Response(stream).text()).rejects.toThrow("the disk is full");
});

it("writes each line, and nothing if there are none", async () => {
  expect(await new Response(await toLineStream(lines(["a", "b"]))).text()).toBe("a\nb\n");
  expect(await new Response(await toLineStream(lines([]))).text()).toBe("");
});

async function* lines(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

async function* failing(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
  throw new Error("the disk is full");
}
