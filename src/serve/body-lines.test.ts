import { expect, it } from "vitest";
import { toLineStream } from "./body-lines.ts";

it("fails before the first line as a whole, so that it can be answered as a failure", async () => {
  await expect(toLineStream(failing([]))).rejects.toThrow("the disk is full");
  const begun = await toLineStream(failing(["a"]));
  await expect(new Response(begun).text()).rejects.toThrow("the disk is full");
});

it("writes each line, and nothing for none", async () => {
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
