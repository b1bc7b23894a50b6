import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planWords } from "./plan-words.ts";

const terms = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([expression, documents]) => ({ expression, documents }));

describe("planWords", () => {
  it("searches for all terms while few documents contain them", () => {
    const plan = planWords(terms({ a: 100, b: 10 }), { total: 6000, share: 1, isUncapped: false });
    expect(plan).toMatchObject({ expression: "b OR a", newestShare: null });
  });

  it("searches for rare terms and ranks by frequent ones", () => {
    const plan = planWords(terms({ error: 300_000, ledger: 50 }), {
      total: 1e6,
      share: 1,
      isUncapped: false,
    });
    expect(plan).toMatchObject({ expression: "(ledger) AND (ledger OR error)", newestShare: null });
  });

  it("searches for frequent terms in pairs", () => {
    const counts = { cookie: 11_000, ledger: 50, worker: 8_000, file: 30_000 };
    const plan = planWords(terms(counts), { total: 1e5, share: 1, isUncapped: false });
    expect(plan.expression).toBe(
      "(ledger OR worker OR (cookie AND file)) AND (ledger OR worker OR cookie OR file)",
    );
  });

  it("searches for all terms within a narrow filter", () => {
    const plan = planWords(terms({ error: 300_000, ledger: 50 }), {
      total: 1e6,
      share: 0.01,
      isUncapped: false,
    });
    expect(plan.expression).toBe("ledger OR error");
  });

  it("searches for all terms in a benchmark", () => {
    const plan = planWords(terms({ error: 300_000, ledger: 50 }), { total: 1e6, share: 1, isUncapped: true });
    expect(plan).toMatchObject({ expression: "ledger OR error", newestShare: null });
  });

  it("skips terms in half of many documents, which bm25 gives no weight", () => {
    const bounds = { total: 1e6, share: 1, isUncapped: false };
    expect(planWords(terms({ the: 900_000, rare: 3 }), bounds).expression).toBe("rare");
    expect(planWords(terms({ the: 900_000 }), bounds).expression).toBe("the");
    expect(planWords(terms({ the: 900, rare: 3 }), { ...bounds, total: 1000 }).expression).toBe(
      "rare OR the",
    );
  });

  it("counts terms that no document contains as unmatched", () => {
    const bounds = { total: 1000, share: 1, isUncapped: false };
    const [half, whole] = [terms({ lock: 10, zzz: 0 }), terms({ lock: 10 })].map((some) =>
      planWords(some, bounds),
    );
    expect(half!.expression).toBe(whole!.expression);
    expect(half!.maxScore).toBeGreaterThan(2 * whole!.maxScore);
  });

  it("searches the newest documents when even the rarest term is frequent", () => {
    const bounds = { total: 1e6, share: 1, isUncapped: false };
    expect(planWords(terms({ test: 200_000 }), bounds)).toMatchObject({
      expression: "test",
      newestShare: 0.1,
    });
    const both = planWords(terms({ test: 400_000, file: 500_000 }), bounds);
    expect(both).toMatchObject({ expression: "test AND file", newestShare: 0.1 });
  });

  it("always returns a valid plan", () => {
    const counts = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(counts, fc.double({ min: 0.0001, max: 1, noNaN: true }), (documents, share) => {
        const termCounts = documents.map((count, at) => ({ expression: `t${at}`, documents: count }));
        const plan = planWords(termCounts, { total: 1e6, share, isUncapped: false });
        expect(plan.expression).toMatch(/t\d/);
        expect(plan.maxScore).toBeGreaterThan(0);
      }),
    );
  });
});
