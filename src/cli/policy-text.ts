import { subjectOfCall } from "../agents/tool-call.ts";
import type { ReactionRule } from "../policy/reaction-rules.ts";
import type { Rules } from "../policy/rules-file.ts";
import { oneLine } from "../shown/plain-text.ts";
import { plural } from "./amounts.ts";
import { tableLines } from "./table.ts";

const MAX_CALL_CHARS = 100;

/** A short description of a call: the tool and its subject. */
export function callText(toolName: string, toolInput: unknown, toolKind?: string): string {
  const about = subjectOfCall({ toolName, toolKind, toolInput });
  const text = oneLine(about === null ? toolName : `${toolName} ${about}`);
  return text.length > MAX_CALL_CHARS ? `${text.slice(0, MAX_CALL_CHARS - 1).toWellFormed()}…` : text;
}

export function ruleCountsText({ tools, protect, prompts, reactions }: Rules): string {
  const counts = [
    [tools, "rule for tools", "rules for tools"],
    [protect, "protected glob", "protected globs"],
    [prompts, "rule for prompts", "rules for prompts"],
    [reactions, "reaction", "reactions"],
  ] as const;
  const texts = counts.flatMap(([list, singular, pluralForm]) =>
    list.length === 0 ? [] : [`${list.length} ${list.length === 1 ? singular : pluralForm}`],
  );
  return texts.length === 0 ? "no rules" : texts.join(", ");
}

/** One row per rule: id, subject, outcome, project, reason. */
export function rulesText({ tools, protect, prompts, reactions }: Rules, width: number): string[] {
  const where = (project: string | null): string => (project === null ? "" : `in ${oneLine(project)}`);
  const rows = [
    ...tools.map((rule) => [rule.id, rule.match, rule.then, where(rule.project), oneLine(rule.reason ?? "")]),
    ...protect.map(({ glob, project }) => ["protect", oneLine(glob), "ask", where(project), ""]),
    ...prompts.map((rule) => [
      rule.id,
      oneLine(`/${rule.find}/`),
      rule.then,
      where(rule.project),
      oneLine(rule.reason ?? ""),
    ]),
    ...reactions.map((rule) => [
      rule.id,
      triggerText(rule),
      rule.do.type,
      where(rule.project),
      actionText(rule),
    ]),
  ];
  return tableLines([{}, {}, {}, {}, { isWide: true }], rows, width);
}

function triggerText({ on, match }: ReactionRule): string {
  return match === null ? on : `${on} ${oneLine(match)}`;
}

function actionText({ do: action }: ReactionRule): string {
  switch (action.type) {
    case "command":
      return oneLine(action.command);
    case "notify":
    case "speak":
    case "context":
      return oneLine(action.text);
    case "block":
    case "deny":
      return oneLine(action.reason);
    case "webhook":
      return oneLine(action.url);
    case "env":
      return oneLine(Object.keys(action.set).join(" "));
    case "builtin":
      return action.name;
    default:
      return action satisfies never;
  }
}

export function timesText(count: number): string {
  return plural(count, "time");
}
