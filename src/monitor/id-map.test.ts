import fc from "fast-check";
import { expect, it } from "vitest";
import { factId } from "../event/ids.ts";
import { createIdMap } from "./id-map.ts";

it("behaves like a Map", () => {
  const id = fc.oneof(fc.string(), fc.uuid(), fc.constantFrom("", "a", "toolu_1", "call_0"));
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.integer({ min: 0, max: 254 }))), fc.array(id), (pairs, others) => {
      const map = new Map(pairs);
      const ids = createIdMap();
      for (const [key, value] of pairs) ids.set(key, value);
      expect(ids.size).toBe(map.size);
      for (const key of [...map.keys(), ...others]) {
        expect(ids.get(key)).toBe(map.get(key));
        expect(ids.has(key)).toBe(map.has(key));
      }
    }),
  );
});

it("distinguishes 200,000 ids at under 25 bytes each", () => {
  const ids = createIdMap();
  for (let index = 0; index < 200_000; index++)
    ids.set(index % 2 === 0 ? factId("e", `${index}`) : `toolu_${index}`, index % 7);
  expect(ids.size).toBe(200_000);
  expect(ids.bytes() / ids.size).toBeLessThan(25);
  expect(ids.get("toolu_199999")).toBe(199_999 % 7);
  expect(ids.has("toolu_200001")).toBe(false);
});
