import { expect, it } from "vitest";
import { createRequestIds } from "./claim-request-id.ts";

const RANDOM = "toolu_0124c544bd706842188f79e7";
const nobody = () => false;

it("uses Claude's random call id as it is, once", () => {
  const ids = createRequestIds(nobody);
  expect(ids.claim(RANDOM, nobody)).toBe(RANDOM);
  expect(ids.claim(RANDOM, nobody)).not.toBe(RANDOM);
  expect(ids.claim("toolu_bdrk_0124c544bd706842188f79e7", nobody)).toMatch(/^toolu_bdrk_/);
});

it("gives an id of its own where the call's is short, of another process or of a lost request", () => {
  const ids = createRequestIds(nobody);
  const made = ["call_0", "call_0", "toolu_1", "", "../x y"].map((id) => ids.claim(id, nobody));
  expect(new Set(made).size).toBe(made.length);
  for (const id of made) expect(id).toMatch(/^ask_[\da-f-]{36}$/);
  expect(ids.claim(RANDOM, (id) => id === RANDOM)).toMatch(/^ask_/);
  expect(createRequestIds((id) => id === RANDOM).claim(RANDOM, nobody)).toMatch(/^ask_/);
});

it("knows the last 10,000 ids again, and lets go of older ones", () => {
  const ids = createRequestIds(nobody);
  const idOf = (at: number): string => `toolu_${String(at).padStart(24, "0")}`;
  for (let at = 0; at < 10_001; at++) expect(ids.claim(idOf(at), nobody)).toBe(idOf(at));
  expect(ids.claim(idOf(1), nobody)).toMatch(/^ask_/);
  expect(ids.claim(idOf(10_000), nobody)).toMatch(/^ask_/);
  expect(ids.claim(idOf(0), nobody)).toBe(idOf(0));
});
