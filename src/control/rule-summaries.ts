import type { ReactionRule } from "../policy/reaction-rules.ts";
import type { RuleSource } from "../policy/rule.ts";
import type { Rules } from "../policy/rules-file.ts";
import { toSafeLine } from "./trust/safe-line.ts";

/** A rule of any kind, as listed. */
export interface RuleSummary {
  readonly id: string;
  readonly source: RuleSource;
  readonly kind: "tool" | "protect" | "prompt" | "reaction";
  readonly match: string;
  readonly does: string;
  readonly detail: string | null;
  readonly project: string | null;
  readonly recipe: string | null;
}

export function toRuleSummaries(
  { tools, protect, prompts, reactions }: Rules,
  source: RuleSource,
): RuleSummary[] {
  return [
    ...tools.map(({ id, match, then, reason, project }) => ({
      ...{ id, source, kind: "tool" as const, match, does: then, project, recipe: null },
      detail: reason,
    })),
    ...protect.map(({ glob, project, recipe }, index) => ({
      ...{
        id: `${source}/protect/${index + 1}`,
        source,
        kind: "protect" as const,
        match: glob,
        project,
        recipe,
      },
      ...{ does: "ask", detail: null },
    })),
    ...prompts.map(({ id, find, then, reason, project, recipe }) => ({
      ...{ id, source, kind: "prompt" as const, match: `/${find}/`, does: then, project, recipe },
      detail: reason,
    })),
    ...reactions.map((rule) => ({
      ...{ id: rule.id, source, kind: "reaction" as const, project: rule.project, recipe: rule.recipe },
      match: rule.match === null ? rule.on : `${rule.on} ${rule.match}`,
      does: rule.do.type,
      detail: detailOf(rule),
    })),
  ].map((summary) => ({ ...summary, detail: summary.detail === null ? null : toSafeLine(summary.detail) }));
}

/** What it runs, says or sends to whom; only names of the variables it sets: a value may be a secret. */
function detailOf({ do: action }: ReactionRule): string | null {
  switch (action.type) {
    case "command":
      return action.command;
    case "notify":
    case "speak":
    case "context":
      return action.text;
    case "webhook":
      return action.url;
    case "block":
    case "deny":
      return action.reason;
    case "env":
      return Object.keys(action.set).join(", ");
    case "builtin":
      return action.name;
    default:
      return action satisfies never;
  }
}
