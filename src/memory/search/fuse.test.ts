import { describe, expect, it } from "vitest";
import { type Candidate, fuse } from "./fuse.ts";

const DAY_MS = 86_400_000;
const NOW_MS = 1000 * DAY_MS;

function candidate(doc: number, overrides: Partial<Candidate> = {}): Candidate {
  return {
    doc,
    wordScore: null,
    cosine: null,
    hasPhrases: false,
    createdMs: NOW_MS - 400 * DAY_MS,
    isPinned: false,
    isSameFile: false,
    ...overrides,
  };
}

const order = (candidates: readonly Candidate[], vectorShare = 0.75): number[] =>
  fuse(candidates, { vectorShare, nowMs: NOW_MS }).map(({ doc }) => doc);

describe("fuse", () => {
  it("ranks what both methods found before what one found", () => {
    expect(
      order([
        candidate(1, { cosine: 0.5 }),
        candidate(2, { wordScore: 0.5 }),
        candidate(3, { cosine: 0.5, wordScore: 0.5 }),
      ]),
    ).toEqual([3, 1, 2]);
  });

  it("ranks by words when no vectors were used", () => {
    expect(
      order([candidate(1, { wordScore: 0.2, cosine: 0.9 }), candidate(2, { wordScore: 0.3 })], 0),
    ).toEqual([2, 1]);
  });

  it("prefers the newer of two equal matches, but not over a better one", () => {
    const older = candidate(1, { cosine: 0.5 });
    expect(order([older, candidate(2, { cosine: 0.5, createdMs: NOW_MS })])).toEqual([2, 1]);
    expect(order([older, candidate(2, { cosine: 0.45, createdMs: NOW_MS })])).toEqual([1, 2]);
    expect(order([older, candidate(2, { cosine: 0.5 })])).toEqual([2, 1]);
  });

  it("prefers items that touched the same file, and pinned ones", () => {
    expect(order([candidate(1, { cosine: 0.5 }), candidate(2, { cosine: 0.45, isSameFile: true })])).toEqual([
      2, 1,
    ]);
    expect(order([candidate(1, { cosine: 0.5 }), candidate(2, { cosine: 0.48, isPinned: true })])).toEqual([
      2, 1,
    ]);
  });

  it("ranks quoted phrases first", () => {
    expect(
      order([
        candidate(1, { cosine: 0.9, wordScore: 1 }),
        candidate(2, { wordScore: 0.1, hasPhrases: true }),
      ]),
    ).toEqual([2, 1]);
  });

  it("keeps scores between 0 and 1, and halves recency after thirty days", () => {
    const [best] = fuse(
      [
        candidate(1, {
          cosine: 1,
          wordScore: 1,
          isPinned: true,
          isSameFile: true,
          createdMs: NOW_MS + DAY_MS,
        }),
      ],
      { vectorShare: 0.75, nowMs: NOW_MS },
    );
    expect(best).toMatchObject({ score: 1, recency: 1 });
    const [worst] = fuse([candidate(1, { cosine: -0.4, createdMs: NOW_MS - 30 * DAY_MS })], {
      vectorShare: 0.75,
      nowMs: NOW_MS,
    });
    expect(worst!.score).toBeCloseTo(0.01);
    expect(worst!.recency).toBe(0.5);
  });
});
