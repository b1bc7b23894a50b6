import { appendEdit, applyEdits, cutItems, detectStyle } from "../../hook/json-edit.ts";
import { type JsonNode, memberOf, readJsonTree } from "../../hook/json-tree.ts";
import type { RecipeRules } from "./recipe.ts";

/** Adds a recipe's rules to the text of a valid rules file and removes them again. All other bytes stay. */

interface Entry {
  readonly id?: string | undefined;
  readonly path?: string | undefined;
  readonly recipe?: string | undefined;
  readonly project?: string | undefined;
}

/** Replaces the recipe's earlier entries for the same project: entries by id, files by path. */
export function addRecipe(text: string, rules: RecipeRules): string {
  const source = /^\ufeff?\s*$/u.test(text) ? "{}\n" : text;
  const added = Object.entries(rules).map(([list, entries]) => [list, entries as readonly Entry[]] as const);
  const entriesByList = new Map(added);
  const remaining = cutEntries(source, (list, old) =>
    (entriesByList.get(list) ?? []).some((entry) => isSameEntry(old, entry)),
  ).text;
  return added.reduce((current, [list, entries]) => append(current, list, entries), remaining);
}

export function removeRecipe(text: string, name: string): { text: string; removed: number } {
  if (/^\ufeff?\s*$/u.test(text)) return { text, removed: 0 };
  return cutEntries(text, (_list, entry) => entry.recipe === name);
}

function isSameEntry(old: Entry, entry: Entry): boolean {
  if (old.recipe !== entry.recipe || old.project !== entry.project) return false;
  if (entry.id === undefined) return old.path === entry.path;
  return old.id === entry.id || (old.id?.replace(/-\d+$/u, "") ?? "") === entry.id;
}

function append(text: string, list: string, entries: readonly Entry[]): string {
  const root = readJsonTree(text);
  if (root.type !== "object") return text;
  const usedIds = new Set(entriesOf(root).map(({ entry }) => entry.id));
  const named = entries.map((entry) => {
    if (entry.id === undefined) return entry;
    let id = entry.id;
    for (let count = 2; usedIds.has(id); count++) id = `${entry.id}-${count}`;
    usedIds.add(id);
    return { ...entry, id };
  });
  const style = detectStyle(text, root);
  const array = memberOf(root, list)?.value;
  const edit =
    array === undefined
      ? appendEdit(text, style, root, { [list]: named })
      : appendEdit(text, style, array, named);
  return applyEdits(text, [edit]);
}

function cutEntries(
  text: string,
  isCut: (list: string, entry: Entry) => boolean,
): { text: string; removed: number } {
  const root = readJsonTree(text);
  const lists = root.type === "object" ? root.members : [];
  const cutNodes = new Set(
    entriesOf(root)
      .filter(({ list, entry }) => isCut(list, entry))
      .map(({ node }) => node),
  );
  const edits = lists.flatMap(({ value }) => cutItems(value, cutNodes));
  return { text: applyEdits(text, edits), removed: cutNodes.size };
}

function entriesOf(root: JsonNode): { list: string; node: JsonNode; entry: Entry }[] {
  if (root.type !== "object") return [];
  return root.members.flatMap(({ key, value }) =>
    value.type === "array"
      ? value.items.map((node) => ({
          list: key,
          node,
          entry: {
            id: textOf(node, "id"),
            path: textOf(node, "path"),
            recipe: textOf(node, "recipe"),
            project: textOf(node, "project"),
          },
        }))
      : [],
  );
}

function textOf(node: JsonNode, key: string): string | undefined {
  const value = memberOf(node, key)?.value;
  return value?.type === "scalar" && typeof value.value === "string" ? value.value : undefined;
}
