import { expect, it } from "vitest";
import type { SearchHit } from "../../serve/contract.ts";
import { groupSimilar } from "./group-similar.ts";

const hit = (id: number, title: string, overrides: Partial<SearchHit> = {}): SearchHit => ({
  id,
  kind: "observation",
  type: "command",
  title,
  snippet: title,
  marks: [],
  score: 1,
  why: { fullText: 1, vector: null, recency: 0, sameFile: false, pinned: false },
  sessionId: "s",
  project: "/dev/riverbed",
  promptNumber: null,
  toolName: "Bash",
  branch: null,
  success: true,
  outcome: null,
  createdAtIso: "2026-11-17T10:00:00.000Z",
  files: [],
  tokens: 10,
  ...overrides,
});
const idsOf = (hits: readonly SearchHit[]): number[][] =>
  groupSimilar(hits).map(({ best, similar }) => [best, ...similar].map(({ id }) => id));

it("groups hits that differ only in dates, amounts and ids, at the best hit's position", () => {
  const hits = [
    hit(1, "Why are rows doubled?", { type: "prompt", toolName: null }),
    hit(2, "Ran backfill 2026-07-02: 14,202 rows in commit 4f2a9c1"),
    hit(3, "Edited merge.rs", { type: "change", toolName: "Edit" }),
    hit(4, "Ran backfill 2026-07-01: 14,201 rows in commit 9be01d7"),
    hit(5, "ran backfill 2026-07-03: 9 rows in commit 00aa11bb"),
  ];
  expect(idsOf(hits)).toEqual([[1], [2, 4, 5], [3]]);
});

it("keeps hits apart that differ in words, type, tool or project", () => {
  const title = "npm test failed: 2 of 30";
  const hits = [
    hit(1, title),
    hit(2, title, { type: "failure" }),
    hit(3, title, { project: "/dev/ferry" }),
    hit(4, title, { toolName: "PowerShell" }),
    hit(5, "npm test passed: 2 of 30"),
  ];
  expect(idsOf(hits)).toEqual([[1], [2], [3], [4], [5]]);
});

it("never groups a pinned item", () => {
  const pinned = { why: { fullText: 1, vector: null, recency: 0, sameFile: false, pinned: true } };
  expect(idsOf([hit(1, "Deploy 1"), hit(2, "Deploy 2", pinned), hit(3, "Deploy 3")])).toEqual([[1, 3], [2]]);
});
