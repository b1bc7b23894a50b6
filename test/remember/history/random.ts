import { hash } from "node:crypto";

/** Deterministic random numbers, drawn from a seed by mulberry32. */
export interface Random {
  below(limit: number): number;
  pick<T>(of: readonly T[]): T;
  /** Two different elements. */
  two<T>(of: readonly T[]): [T, T];
  hex(digits: number): string;
}

export function openRandom(seed: string): Random {
  let state = hash("sha256", seed, "buffer").readUInt32BE(0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (of) => of[below(of.length)]!,
    two(of) {
      const first = below(of.length);
      const second = (first + 1 + below(of.length - 1)) % of.length;
      return [of[first]!, of[second]!];
    },
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(""),
  };
}
