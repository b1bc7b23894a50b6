import { editRules, type RuleChange, type RuleFields } from "../policy/edit-rules.ts";
import { type RuleProblem, type Rules, readRules } from "../policy/rules-file.ts";
import { type RuleSummary, toRuleSummaries } from "./rule-summaries.ts";

/** A user's rules file before it is saved. */
export interface RulesPreview {
  readonly text: string;
  /** Then `rules` and `tools` are empty: a file with one mistake contributes no rules. */
  readonly problems: RuleProblem[];
  readonly rules: RuleSummary[];
  /** The tool rules as a form edits them, in the file's order. */
  readonly tools: RuleFields[];
}

/** Null if the change names a rule that is not there. Nothing is written. */
export function previewRules(text: string, change: RuleChange | null): RulesPreview | null {
  const reading = readRules(text, "user");
  if (reading.type === "invalid") return { text, problems: [...reading.problems], rules: [], tools: [] };
  if (change === null) return { text, problems: [], ...describeRules(reading.rules) };
  const next = editRules(text, change);
  return next === null ? null : previewRules(next, null);
}

/** The user's rules as a page lists and edits them. */
export function describeRules(rules: Rules): Pick<RulesPreview, "rules" | "tools"> {
  return {
    rules: toRuleSummaries(rules, "user"),
    tools: rules.tools.map(({ match, then, reason, project }) => ({
      match,
      then,
      reason,
      project,
    })),
  };
}
