import { describe, expect, it } from "vitest";
import { codeWords, cosine, toBytes, toCode } from "./quantise.ts";
import { scanCodes } from "./scan.ts";

function vectors(count: number, dimensions: number, seed: number): Float32Array[] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimensions }, random);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

function concatenate(codes: readonly Uint32Array[]): Uint32Array {
  return Uint32Array.from(codes.flatMap((code) => [...code]));
}

function bitsApart(a: Uint32Array, b: Uint32Array): number {
  return a.reduce((sum, word, index) => {
    const different = (word ^ b[index]!) >>> 0;
    return sum + different.toString(2).replaceAll("0", "").length;
  }, 0);
}

describe("scanCodes", () => {
  it.each([384, 768, 1024, 100])("finds with %i dimensions what counting bit by bit finds", (dimensions) => {
    const codes = vectors(400, dimensions, 1).map(toCode);
    const [query] = vectors(1, dimensions, 77).map(toCode);
    const distances = codes.map((code) => bitsApart(code, query!));
    const furthest = distances.toSorted((a, b) => a - b)[24]!;
    const nearest = distances.flatMap((distance, doc) => (distance <= furthest ? [doc] : []));
    const allowed = new Uint8Array(400).fill(1);
    expect(scanCodes(concatenate(codes), 400, allowed, query!, 25)).toEqual(nearest);
  });

  it("counts every differing bit", () => {
    const code = new Uint32Array(codeWords(1536)).fill(0xffffffff);
    const query = new Uint32Array(code.length);
    expect(scanCodes(code, 1, Uint8Array.of(1), query, 1)).toEqual([0]);
    expect(bitsApart(code, query)).toBe(1536);
  });

  it("returns all allowed documents if they are few", () => {
    const codes = vectors(100, 96, 3).map(toCode);
    const allowed = new Uint8Array(100);
    for (const doc of [5, 50, 99]) allowed[doc] = 1;
    expect(scanCodes(concatenate(codes), 100, allowed, codes[0]!, 10)).toEqual([5, 50, 99]);
  });

  it("cosine over bytes is close to the exact cosine", () => {
    const [query, ...others] = vectors(201, 384, 9);
    for (const vector of others) {
      const exact = vector.reduce((sum, value, index) => sum + value * query![index]!, 0);
      expect(cosine(query!, toBytes(vector))).toBeCloseTo(exact, 2);
    }
    expect(cosine(query!, new Int8Array(384))).toBe(0);
    expect(cosine(query!, new Int8Array(10))).toBe(0);
  });
});
