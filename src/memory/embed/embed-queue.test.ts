import { describe, expect, it } from "vitest";
import { type EmbedJob, nextJob, nextTexts } from "./embed-queue.ts";

function job(texts: readonly string[], done = 0): EmbedJob {
  return { texts, isBackground: texts.length > 1, vectors: [], done, resolve: () => {}, reject: () => {} };
}

describe("nextJob and nextTexts", () => {
  it("take a query before earlier batches, and otherwise the oldest job", () => {
    const [batch, other, query] = [job(["a", "b"]), job(["c", "d"]), job(["e"])];
    expect(nextJob([batch, other, query])).toBe(query);
    expect(nextJob([batch, other])).toBe(batch);
    expect(nextJob([])).toBeUndefined();
  });

  it("return sixteen short texts at a time, from where they stopped", () => {
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    expect(nextTexts(job(texts))).toEqual(texts.slice(0, 16));
    expect(nextTexts(job(texts, 16))).toEqual(texts.slice(16));
  });

  it("return fewer long texts, and one of any length", () => {
    const [short, long] = ["s".repeat(500), "l".repeat(6_000)];
    expect(nextTexts(job([short, short, short]))).toEqual([short, short]);
    expect(nextTexts(job([short, long]))).toEqual([short]);
    expect(nextTexts(job([long, short]))).toEqual([long]);
  });
});
