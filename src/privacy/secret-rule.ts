/** The shape of a token rule, and the bodies that many formats share. */

export interface TokenRule {
  readonly kind: string;
  readonly prefix: string;
  /** Sticky; must match directly after the prefix. */
  readonly body: RegExp;
  /** Short prefixes that also end ordinary words ("task-", "SK") need a non-word character before them. */
  readonly bounded?: boolean;
  /** For formats with a fixed part in the middle: what precedes it. Ends in `$`, at most 96 characters. */
  readonly head?: RegExp;
}

/** One rule for each of the space-separated prefixes. */
export function rules(kind: string, prefixes: string, body: RegExp): TokenRule[] {
  return prefixes.split(" ").map((prefix) => ({ kind, prefix, body }));
}

export function bounded(kind: string, prefixes: string, body: RegExp): TokenRule[] {
  return rules(kind, prefixes, body).map((rule) => ({ ...rule, bounded: true }));
}

/** For a fixed part in the middle. `before` is the source of what precedes it, without an escaped `\n`. */
export function withHead(kind: string, before: string, prefixes: string, body: RegExp): TokenRule[] {
  const head = new RegExp(`(?:(?<![A-Za-z0-9~])|(?<=\\\\[nrt]))${before}$`);
  return rules(kind, prefixes, body).map((rule) => ({ ...rule, head }));
}

/** At least `least` characters, with a digit and a letter among the first sixty. */
export function random(chars: string, minLength: number, rest = ""): RegExp {
  return new RegExp(
    `(?=[${chars}]{0,60}\\d)(?=[${chars}]{0,60}[A-Za-z])[${chars}]{${minLength},}${rest}`,
    "y",
  );
}

/** Like `random`, with letters of both cases: for prefixes that also start ordinary names. */
export function mixed(chars: string, minLength: number, rest = ""): RegExp {
  const anywhere = `[${chars}]{0,60}`;
  return new RegExp(
    `(?=${anywhere}\\d)(?=${anywhere}[a-z])(?=${anywhere}[A-Z])[${chars}]{${minLength},}${rest}`,
    "y",
  );
}

/** Exactly `length` characters, not followed by more of their kind. */
export function exactly(chars: string, length: number): RegExp {
  return new RegExp(
    `(?=[${chars}]{0,60}\\d)(?=[${chars}]{0,60}[A-Za-z])[${chars}]{${length}}(?![A-Za-z0-9])`,
    "y",
  );
}

export const ALNUM = "A-Za-z0-9";
export const WORD = "\\w-";
export const ALNUM_20 = /[A-Za-z0-9]{20,}/y;
export const ALNUM_30 = /[A-Za-z0-9]{30,}/y;
export const WORD_16 = /[\w-]{16,}/y;
export const WORD_20 = /[\w-]{20,}/y;
export const WORD_40 = /[\w-]{40,}/y;
export const HEX_32 = /[A-Fa-f0-9]{32,}/y;
export const HEX_40 = /[a-f0-9]{40,}/y;
export const UUID = /[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}/iy;
export const BASE64_32 = /[A-Za-z0-9+/]{32,}={0,3}/y;
export const BASE64_60 = /[A-Za-z0-9+/]{60,}={0,3}/y;
