import { appendEdit, applyEdits, cutItems, detectStyle, type Edit } from "../hook/json-edit.ts";
import { type JsonNode, type JsonObject, memberOf, readJsonTree } from "../hook/json-tree.ts";
import type { ToolRule } from "./rule.ts";

/** The lists of a rules file. */
export const RULE_LISTS = ["tools", "protect", "prompts", "reactions"] as const;
export type RuleList = (typeof RULE_LISTS)[number];

/** What a form sets of a tool rule; everything else in its entry stays. Null: the key is left out. */
export interface RuleFields {
  readonly match: string;
  readonly then: ToolRule["then"];
  readonly reason: string | null;
  readonly project: string | null;
}

/** Positions count from 0 in their list. Rules are added, replaced and moved in `tools`. */
export type RuleChange =
  | { readonly type: "add"; readonly rule: RuleFields }
  | { readonly type: "replace"; readonly index: number; readonly rule: RuleFields }
  | { readonly type: "move"; readonly index: number; readonly to: number }
  | { readonly type: "remove"; readonly list: RuleList; readonly index: number };

/**
 * Applies one change to the text of a valid rules file and leaves all other bytes unchanged. The result may
 * be invalid: `readRules` checks it. Null if there is no rule at that position.
 */
export function editRules(text: string, change: RuleChange): string | null {
  const whole = /^\ufeff?\s*$/u.test(text) ? "{}\n" : text;
  const root = readJsonTree(whole);
  if (root.type !== "object") return null;
  switch (change.type) {
    case "add":
      return applyEdits(whole, [addEdit(whole, root, toEntry(change.rule))]);
    case "replace": {
      const entry = itemsOf(root, "tools")[change.index];
      return entry?.type === "object" ? applyEdits(whole, fieldEdits(whole, root, entry, change.rule)) : null;
    }
    case "move": {
      const items = itemsOf(root, "tools");
      const isThere = change.index < items.length && change.to < items.length;
      return isThere ? applyEdits(whole, moveEdits(whole, items, change.index, change.to)) : null;
    }
    case "remove": {
      const list = memberOf(root, change.list)?.value;
      const meant = itemsOf(root, change.list)[change.index];
      return list === undefined || meant === undefined
        ? null
        : applyEdits(whole, cutItems(list, new Set([meant])));
    }
    default:
      return change satisfies never;
  }
}

function itemsOf(root: JsonObject, list: RuleList): readonly JsonNode[] {
  const found = memberOf(root, list)?.value;
  return found?.type === "array" ? found.items : [];
}

function toEntry({ match, then, reason, project }: RuleFields): Record<string, string> {
  return { match, then, ...(reason !== null && { reason }), ...(project !== null && { project }) };
}

function addEdit(text: string, root: JsonObject, entry: Readonly<Record<string, string>>): Edit {
  const style = detectStyle(text, root);
  const tools = memberOf(root, "tools")?.value;
  return tools === undefined
    ? appendEdit(text, style, root, { tools: [entry] })
    : appendEdit(text, style, tools, [entry]);
}

function fieldEdits(text: string, root: JsonObject, entry: JsonObject, fields: RuleFields): Edit[] {
  const set = toEntry(fields);
  const gone = new Set(
    (["reason", "project"] as const).filter((key) => fields[key] === null) as readonly string[],
  );
  const values = entry.members.flatMap(({ key, value }) =>
    Object.hasOwn(set, key) && !isText(value, set[key]!)
      ? [{ start: value.start, end: value.end, text: JSON.stringify(set[key]) }]
      : [],
  );
  const cut = cutMembers(entry, gone);
  const missing = Object.fromEntries(
    Object.entries(set).filter(([key]) => memberOf(entry, key) === undefined),
  );
  if (Object.keys(missing).length === 0) return [...values, ...cut];
  return [...values, ...cut, appendEdit(text, detectStyle(text, root), entry, missing)];
}

function isText(node: JsonNode, text: string): boolean {
  return node.type === "scalar" && node.value === text;
}

/** `match` and `then` are required and never cut, so something stays on one side. */
function cutMembers({ members }: JsonObject, keys: ReadonlySet<string>): Edit[] {
  const firstKept = members.findIndex(({ key }) => !keys.has(key));
  return members.flatMap((member, at) => {
    if (!keys.has(member.key)) return [];
    if (at < firstKept) return [{ start: member.start, end: members[at + 1]!.start, text: "" }];
    return [{ start: members[at - 1]!.end, end: member.end, text: "" }];
  });
}

/** The places stay, with the commas and line breaks between them; only the entries change places. */
function moveEdits(text: string, items: readonly JsonNode[], from: number, to: number): Edit[] {
  const order = items.map((_item, index) => index);
  order.splice(to, 0, order.splice(from, 1)[0]!);
  return items.flatMap(({ start, end }, place) => {
    const item = items[order[place]!]!;
    return order[place] === place ? [] : [{ start, end, text: text.slice(item.start, item.end) }];
  });
}
