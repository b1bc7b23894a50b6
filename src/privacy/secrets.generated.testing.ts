/** Deterministic pseudo-random characters for tests, so that no token is written out in a file. */
export interface SecretCase {
  readonly text: string;
  readonly secret: string;
  readonly kind: string;
}

export function token(kind: string, secret: string, text = (s: string) => s): SecretCase {
  return { text: text(secret), secret, kind };
}

export function pseudoRandom(length: number, alphabet: string): string {
  let seed = length * 7919 + alphabet.length;
  let out = "";
  for (let n = 0; n < length; n++) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    out += alphabet[(seed >> 8) % alphabet.length];
  }
  return out;
}

export const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
export const alnum = (length: number) =>
  pseudoRandom(length, "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789");
export const lower = (length: number) => pseudoRandom(length, "abcdefghijklmnopqrstuvwxyz0123456789");
export const hex = (length: number) => pseudoRandom(length, "0123456789abcdef");
export const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
