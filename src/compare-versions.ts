/** Negative if `a` is older than `b`, by semver 2.0. A non-version is older than any version. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  for (const [index, part] of left.core.entries()) {
    const order = byNumber(part, right.core[index]!);
    if (order !== 0) return order;
  }
  // A pre-release comes before its release.
  if (left.pre.length === 0 || right.pre.length === 0) {
    return Number(left.pre.length === 0) - Number(right.pre.length === 0);
  }
  for (const [index, part] of left.pre.entries()) {
    const other = right.pre[index];
    if (other === undefined) return 1;
    const order = byIdentifier(part, other);
    if (order !== 0) return order;
  }
  return Math.sign(left.pre.length - right.pre.length);
}

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9a-z.-]+))?(?:\+[0-9a-z.-]+)?$/i;

function parse(text: string): { core: string[]; pre: string[] } | null {
  const match = VERSION.exec(text.trim());
  return match && { core: match.slice(1, 4) as string[], pre: match[4]?.split(".") ?? [] };
}

/** Digits of any length: without leading zeros, the longer one is larger. */
function byNumber(a: string, b: string): number {
  const [left, right] = [a, b].map((digits) => digits.replace(/^0+(?=.)/, "")) as [string, string];
  return Math.sign(left.length - right.length) || byText(left, right);
}

/** Numbers before words, numbers by value, words by their characters. */
function byIdentifier(a: string, b: string): number {
  const [isLeft, isRight] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isLeft && isRight) return byNumber(a, b);
  return Number(isRight) - Number(isLeft) || byText(a, b);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
