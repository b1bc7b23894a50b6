import type { PromptEntry } from "./prompt-rules.ts";
import { findEventMismatches } from "./reaction-rules.ts";
import type { RuleSource } from "./rule.ts";
import type { RulesFile, ToolEntry } from "./rules-schema.ts";

export interface Misuse {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Entries of a file that have a valid shape but make no sense. */
export function findMisuses(file: RulesFile, source: RuleSource): Misuse[] {
  const entries = [
    ...file.tools.map((entry, index) => ({ path: ["tools", index], entry, found: toolMisuses(entry) })),
    ...file.prompts.map((entry, index) => ({ path: ["prompts", index], entry, found: promptMisuses(entry) })),
    ...file.reactions.map((entry, index) => ({
      path: ["reactions", index],
      entry,
      found: findEventMismatches(entry),
    })),
  ];
  const known = new Map<string, string>();
  const misuses: Misuse[] = [];
  for (const { path, entry, found } of entries) {
    const { id } = entry;
    const inner = [...found, ...projectMisuses(entry, source)];
    if (id !== undefined) {
      const first = known.get(id);
      if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/u.test(id))
        inner.push({ path: ["id"], message: "an id has letters, digits, - _ and . in it" });
      else if (first !== undefined)
        inner.push({ path: ["id"], message: `"${id}" is the id of ${first} too` });
      known.set(id, `${path[0]}[${path[1]}]`);
    }
    misuses.push(...inner.map((misuse) => ({ ...misuse, path: [...path, ...misuse.path] })));
  }
  for (const [index, entry] of file.protect.entries())
    if (typeof entry !== "string")
      misuses.push(
        ...projectMisuses(entry, source).map((misuse) => ({
          ...misuse,
          path: ["protect", index, ...misuse.path],
        })),
      );
  return misuses;
}

function toolMisuses(entry: ToolEntry): Misuse[] {
  const found: Misuse[] = [];
  const changes = entry.set !== undefined || entry.replace !== undefined;
  if (entry.then === "rewrite" && !changes)
    found.push({ path: ["then"], message: 'to rewrite, "set" or "replace" must say how' });
  if (entry.then !== "rewrite" && changes)
    found.push({
      path: [entry.set === undefined ? "replace" : "set"],
      message: 'belongs to "then": "rewrite"',
    });
  return found;
}

function promptMisuses(entry: PromptEntry): Misuse[] {
  if (entry.then === "context" && (entry.with ?? "") === "")
    return [{ path: ["then"], message: 'for context, "with" must hold what the model is told' }];
  if (entry.then === "block" && entry.with !== undefined)
    return [{ path: ["with"], message: "a prompt that is blocked is not changed" }];
  return [];
}

function projectMisuses(entry: { readonly project?: string | undefined }, source: RuleSource): Misuse[] {
  if (source !== "project" || entry.project === undefined) return [];
  return [{ path: ["project"], message: "rules in a project hold in that project alone" }];
}
