/** Why a request is not simply allowed, before it is assigned a step. */
export interface Finding {
  readonly verdict: "deny" | "ask";
  readonly rule: string;
  readonly reason: string;
}

export function deny(rule: string, reason: string): Finding {
  return { verdict: "deny", rule: `builtin/${rule}`, reason };
}

export function ask(rule: string, reason: string): Finding {
  return { verdict: "ask", rule: `builtin/${rule}`, reason };
}

/** The most severe: the first that denies, or else the first. */
export function mostSevere(findings: readonly (Finding | null)[]): Finding | null {
  const found = findings.filter((each) => each !== null);
  return found.find((each) => each.verdict === "deny") ?? found[0] ?? null;
}
