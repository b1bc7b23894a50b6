import { expect, it } from "vitest";
import { createRequestIds } from "./claim-request-id.ts";

const RANDOM = "toolu_0124c544bd706842188f79e7";
const never = () => false;

it("uses Claude's random call id as it is, once", () => {
  const ids = createRequestIds(never);
  expect(ids.claim(RANDOM, never)).toBe(RANDOM);
  expect(ids.claim(RANDOM, never)).not.toBe(RANDOM);
  expect(ids.claim("toolu_bdrk_0124c544bd706842188f79e7", never)).toMatch(/^toolu_bdrk_/);
});

it("assigns its own id if the call's is short, used in another process or by a lost request", () => {
  const ids = createRequestIds(never);
  const claimed = ["call_0", "call_0", "toolu_1", "", "../x y"].map((id) => ids.claim(id, never));
  expect(new Set(claimed).size).toBe(claimed.length);
  for (const id of claimed) expect(id).toMatch(/^ask_[\da-f-]{36}$/);
  expect(ids.claim(RANDOM, (id) => id === RANDOM)).toMatch(/^ask_/);
  expect(createRequestIds((id) => id === RANDOM).claim(RANDOM, never)).toMatch(/^ask_/);
});

it("remembers the last 10,000 ids, and forgets older ones", () => {
  const ids = createRequestIds(never);
  const idOf = (index: number): string => `toolu_${String(index).padStart(24, "0")}`;
  for (let index = 0; index < 10_001; index++) expect(ids.claim(idOf(index), never)).toBe(idOf(index));
  expect(ids.claim(idOf(1), never)).toMatch(/^ask_/);
  expect(ids.claim(idOf(10_000), never)).toMatch(/^ask_/);
  expect(ids.claim(idOf(0), never)).toBe(idOf(0));
});
