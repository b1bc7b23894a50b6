import { AppError } from "../app-error.ts";

/** The whole number of an option, in its range; undefined when it was not given. */
export function toWhole(
  flag: string,
  text: string | undefined,
  { min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number },
): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `from ${min} to ${max}`;
  throw new AppError("usage", `--${flag} must be a whole number ${range}, not "${text}".`);
}

/** An amount that may have decimals; only plain digits, for `1e9` and `0x10` are not what people mean. */
export function toAmount(
  flag: string,
  text: string | undefined,
  { what, isFine }: { readonly what: string; isFine(amount: number): boolean },
): number | undefined {
  if (text === undefined) return undefined;
  const amount = Number(text);
  if (/^\d*\.?\d+$/.test(text) && Number.isFinite(amount) && isFine(amount)) return amount;
  throw new AppError("usage", `--${flag} must be ${what}, not "${text}".`);
}
