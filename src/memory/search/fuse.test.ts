import { describe, expect, it } from "vitest";
import { type Candidate, fuse } from "./fuse.ts";

const DAY = 86_400_000;
const NOW = 1000 * DAY;

function candidate(doc: number, told: Partial<Candidate> = {}): Candidate {
  return {
    doc,
    wordScore: null,
    cosine: null,
    hasPhrases: false,
    createdMs: NOW - 400 * DAY,
    isPinned: false,
    isSameFile: false,
    ...told,
  };
}

const order = (candidates: readonly Candidate[], vectorShare = 0.75): number[] =>
  fuse(candidates, { vectorShare, nowMs: NOW }).map(({ doc }) => doc);

describe("fusion", () => {
  it("puts what both ways found before what one found as well", () => {
    expect(
      order([
        candidate(1, { cosine: 0.5 }),
        candidate(2, { wordScore: 0.5 }),
        candidate(3, { cosine: 0.5, wordScore: 0.5 }),
      ]),
    ).toEqual([3, 1, 2]);
  });

  it("ranks by words alone when no vector took part", () => {
    expect(
      order([candidate(1, { wordScore: 0.2, cosine: 0.9 }), candidate(2, { wordScore: 0.3 })], 0),
    ).toEqual([2, 1]);
  });

  it("prefers the newer of two, but not to what fits better", () => {
    const old = candidate(1, { cosine: 0.5 });
    expect(order([old, candidate(2, { cosine: 0.5, createdMs: NOW })])).toEqual([2, 1]);
    expect(order([old, candidate(2, { cosine: 0.45, createdMs: NOW })])).toEqual([1, 2]);
    expect(order([old, candidate(2, { cosine: 0.5 })])).toEqual([2, 1]);
  });

  it("prefers what touched the same file, and what is pinned", () => {
    expect(order([candidate(1, { cosine: 0.5 }), candidate(2, { cosine: 0.45, isSameFile: true })])).toEqual([
      2, 1,
    ]);
    expect(order([candidate(1, { cosine: 0.5 }), candidate(2, { cosine: 0.48, isPinned: true })])).toEqual([
      2, 1,
    ]);
  });

  it("puts what stood in quotes first", () => {
    expect(
      order([
        candidate(1, { cosine: 0.9, wordScore: 1 }),
        candidate(2, { wordScore: 0.1, hasPhrases: true }),
      ]),
    ).toEqual([2, 1]);
  });

  it("keeps scores from 0 to 1, and recency a half after thirty days", () => {
    const [best] = fuse(
      [candidate(1, { cosine: 1, wordScore: 1, isPinned: true, isSameFile: true, createdMs: NOW + DAY })],
      { vectorShare: 0.75, nowMs: NOW },
    );
    expect(best).toMatchObject({ score: 1, recency: 1 });
    const [worst] = fuse([candidate(1, { cosine: -0.4, createdMs: NOW - 30 * DAY })], {
      vectorShare: 0.75,
      nowMs: NOW,
    });
    expect(worst!.score).toBeCloseTo(0.01);
    expect(worst!.recency).toBe(0.5);
  });
});
