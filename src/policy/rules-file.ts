import type { z } from "zod";
import { type JsonNode, JsonSyntaxError, memberOf, positionOf, readJsonTree } from "../hook/json-tree.ts";
import type { PromptRule } from "./prompt-rules.ts";
import type { ReactionRule } from "./reaction-rules.ts";
import type { RuleSource, ToolRule } from "./rule.ts";
import { findMisuses, type Misuse } from "./rules-misuse.ts";
import { RulesFile } from "./rules-schema.ts";

/** The contents of a file, each rule with its id and its source. */
export interface Rules {
  readonly tools: readonly ToolRule[];
  readonly protect: readonly ProtectedGlob[];
  readonly prompts: readonly PromptRule[];
  readonly reactions: readonly ReactionRule[];
}

export interface ProtectedGlob {
  readonly glob: string;
  readonly project: string | null;
  readonly recipe: string | null;
}

export const NO_RULES: Rules = { tools: [], protect: [], prompts: [], reactions: [] };

export interface RuleProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type RulesReading =
  | { readonly type: "rules"; readonly rules: Rules }
  | { readonly type: "invalid"; readonly problems: readonly RuleProblem[] };

/** All or nothing: a file with one mistake contributes no rules. A blank file has no rules. */
export function readRules(text: string, source: RuleSource): RulesReading {
  if (/^\ufeff?\s*$/u.test(text)) return { type: "rules", rules: NO_RULES };
  let root: JsonNode;
  try {
    root = readJsonTree(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column, message } = error;
    return { type: "invalid", problems: [{ line, column, message: `not valid JSON: ${message}` }] };
  }
  const parsed = RulesFile.safeParse(JSON.parse(text.replace(/^\ufeff/u, "")));
  const misuses = parsed.success ? findMisuses(parsed.data, source) : parsed.error.issues.flatMap(toMisuses);
  const problems = [
    ...findDuplicateKeys(root),
    ...misuses.map(({ path, message }) => ({ at: offsetOf(root, path), message: withPath(path, message) })),
  ]
    .map(({ at, message }) => ({ ...positionOf(text, at), message }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
  if (problems.length > 0 || !parsed.success) return { type: "invalid", problems };
  return { type: "rules", rules: toRules(parsed.data, source) };
}

function toMisuses(issue: z.core.$ZodIssue): Misuse[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: "there is no such key" }));
  if (issue.code === "invalid_key") return issue.issues.map(({ message }) => ({ path: issue.path, message }));
  return [{ path: issue.path, message: issue.message.replace(/^Invalid (input|option): /u, "") }];
}

function withPath(path: readonly PropertyKey[], message: string): string {
  const location = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return location === "" ? message : `${location.replace(/^\./u, "")}: ${message}`;
}

/** The offset of the deepest existing part of the path: for a member, its key. */
function offsetOf(root: JsonNode, path: readonly PropertyKey[]): number {
  let node = root;
  let at = root.start;
  for (const key of path) {
    const member = typeof key === "string" ? memberOf(node, key) : undefined;
    const item = typeof key === "number" && node.type === "array" ? node.items[key] : undefined;
    const next = member?.value ?? item;
    if (next === undefined) break;
    at = member?.start ?? next.start;
    node = next;
  }
  return at;
}

/** Parsers use the last of two equal keys: the first would silently have no effect. */
function findDuplicateKeys(node: JsonNode): { at: number; message: string }[] {
  if (node.type === "scalar") return [];
  if (node.type === "array") return node.items.flatMap(findDuplicateKeys);
  return node.members.flatMap((member, index) => {
    const isKnown = node.members.slice(0, index).some(({ key }) => key === member.key);
    const inside = findDuplicateKeys(member.value);
    return isKnown ? [{ at: member.start, message: `"${member.key}" is there twice` }, ...inside] : inside;
  });
}

function toRules(file: RulesFile, source: RuleSource): Rules {
  const stamp = (kind: string, id: string | undefined, index: number) => ({
    id: id === undefined ? `${source}/${kind}/${index + 1}` : `${source}/${id}`,
    source,
  });
  const defaults = { recipe: null, reason: null, project: null };
  return {
    tools: file.tools.map((entry, index) => ({
      ...{ ...defaults, agentType: null, modes: null, set: null, replace: [] },
      ...entry,
      ...stamp("tools", entry.id, index),
    })),
    protect: file.protect.map((entry) =>
      typeof entry === "string"
        ? { glob: entry, project: null, recipe: null }
        : { glob: entry.path, project: entry.project ?? null, recipe: entry.recipe ?? null },
    ),
    prompts: file.prompts.map((entry, index) => ({
      ...{ ...defaults, with: null },
      ...entry,
      ...stamp("prompts", entry.id, index),
    })),
    reactions: file.reactions.map((entry, index) => ({
      ...{ recipe: null, match: null, agentType: null, project: null, when: {} },
      ...entry,
      ...stamp("reactions", entry.id, index),
    })),
  };
}
