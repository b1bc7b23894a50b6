import { canonicalJson } from "../event/canonical.ts";

/** What a person allowed for the rest of one session. In memory only: lost when the driver restarts. */
export interface SessionRules {
  add(tool: string, input: unknown, scope: "exact" | "tool"): string;
  /** Returns the rule that allows this call. */
  find(tool: string, input: unknown): string | null;
}

export function createSessionRules(): SessionRules {
  const rules = new Map<string, string>();
  const keyOf = (tool: string, input: unknown): string => `${tool} ${canonicalJson(input)}`;
  return {
    add(tool, input, scope) {
      const rule = `session/${scope}/${tool}`;
      rules.set(scope === "tool" ? tool : keyOf(tool, input), rule);
      return rule;
    },
    find: (tool, input) => rules.get(tool) ?? rules.get(keyOf(tool, input)) ?? null,
  };
}
