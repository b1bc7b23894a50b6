import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Evaluation } from "./evaluate.ts";
import { type RememberedHistory, rememberHistory } from "./run-history.ts";

/** Full text only: vectors of the whole history take a minute, and are measured by `npm run bench:history`. */
let history: RememberedHistory;
let found: Evaluation;

beforeAll(async () => {
  history = await rememberHistory(null);
  found = await history.ask("full_text");
});
afterAll(() => history?.close());

describe("a history of seven projects, searched without a model", () => {
  it("answers the questions for exact names", () => {
    expect(found.byKind["exact_name"]!.questions).toBeGreaterThanOrEqual(15);
    expect(found.byKind["exact_name"]!.r10).toBeGreaterThanOrEqual(0.85);
  });

  it("answers the questions in Korean, those about Korean words and all others", () => {
    expect(found.byLang["ko"]!.questions).toBeGreaterThanOrEqual(20);
    expect(found.byLang["ko"]!.r10).toBeGreaterThanOrEqual(0.85);
    expect(found.byKind["korean"]!.r10).toBeGreaterThanOrEqual(0.85);
  });

  it("reports that no vectors were used", async () => {
    const { mode, note } = await history.index.search({ query: "timeout", filters: {}, limit: 1, nowMs: 0 });
    expect(mode).toBe("full_text");
    expect(note).toContain("memory.embedder is null");
  });
});
