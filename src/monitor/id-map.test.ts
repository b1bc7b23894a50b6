import fc from "fast-check";
import { expect, it } from "vitest";
import { factId } from "../event/ids.ts";
import { createIdMap } from "./id-map.ts";

it("knows what a Map knows", () => {
  const id = fc.oneof(fc.string(), fc.uuid(), fc.constantFrom("", "a", "toolu_1", "call_0"));
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.integer({ min: 0, max: 254 }))), fc.array(id), (pairs, others) => {
      const map = new Map(pairs);
      const ids = createIdMap();
      for (const [one, value] of pairs) ids.set(one, value);
      expect(ids.size).toBe(map.size);
      for (const one of [...map.keys(), ...others]) {
        expect(ids.get(one)).toBe(map.get(one));
        expect(ids.has(one)).toBe(map.has(one));
      }
    }),
  );
});

it("tells 200,000 ids apart in 25 bytes each", () => {
  const ids = createIdMap();
  for (let at = 0; at < 200_000; at++) ids.set(at % 2 === 0 ? factId("e", `${at}`) : `toolu_${at}`, at % 7);
  expect(ids.size).toBe(200_000);
  expect(ids.bytes() / ids.size).toBeLessThan(25);
  expect(ids.get("toolu_199999")).toBe(199_999 % 7);
  expect(ids.has("toolu_200001")).toBe(false);
});
