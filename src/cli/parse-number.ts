import { AppError } from "../app-error.ts";

/** An integer option within its range; undefined when absent. */
export function toInteger(
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

/** An amount, possibly with decimals; plain digits only, because `1e9` and `0x10` are likely mistakes. */
export function toAmount(
  flag: string,
  text: string | undefined,
  { what, isValid }: { readonly what: string; isValid(amount: number): boolean },
): number | undefined {
  if (text === undefined) return undefined;
  const amount = Number(text);
  if (/^\d*\.?\d+$/.test(text) && Number.isFinite(amount) && isValid(amount)) return amount;
  throw new AppError("usage", `--${flag} must be ${what}, not "${text}".`);
}
