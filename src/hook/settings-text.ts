/**
 * Puts our handlers into the text of a settings file and takes them out again. Pure. Every byte that
 * is not ours stays: we cut and insert, and never print what we have parsed.
 */
import { AppError } from "../app-error.ts";
import { type HookEntries, type HookGroup, kindOfCommand } from "./commands.ts";
import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  type JsonScalar,
  memberOf,
  parseJsonTree,
  type Span,
} from "./json-tree.ts";

/** What an uninstall cannot see in the text: the empty containers that were there before us, by path
 *  ("", "hooks", "hooks.Stop"), each with the white space inside. `blank` is a whole file without a value. */
export interface Footprint {
  readonly emptied: Readonly<Record<string, string>>;
  readonly blank?: string;
}

export interface HookChanges {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
}

export interface SettingsEdit {
  readonly text: string;
  readonly changes: HookChanges;
}

interface Edit extends Span {
  readonly text: string;
}

interface OwnHandler {
  readonly kind: string;
  readonly matcher: string | undefined;
  readonly command: JsonScalar & { readonly value: string };
  readonly node: JsonNode;
}

/** `before` is the footprint of an earlier install, if there was one. */
export function addHooks(
  text: string,
  entries: HookEntries,
  file: string,
  before?: Footprint,
): SettingsEdit & { readonly footprint: Footprint } {
  if (/^\ufeff?[ \t\r\n]*$/.test(text)) {
    const bom = text.startsWith("\ufeff") ? "\ufeff" : "";
    const created = addHooks("{}\n", entries, file);
    return {
      ...created,
      text: bom + created.text,
      footprint: { emptied: {}, blank: text },
    };
  }

  const root = parseJsonTree(text, file);
  const hooks = checkShape(root, entries, file);
  const stale: JsonNode[] = [];
  const edits: Edit[] = [];
  const missing = new Map<string, HookGroup[]>(Object.entries(entries).map(([event, all]) => [event, [...all]]));
  let updated = 0;
  let kept = 0;

  for (const { key: event } of hooks?.members ?? []) {
    const array = memberOf(hooks, event)!.value;
    for (const own of ownHandlers(array)) {
      const wanted = missing.get(event) ?? [];
      const index = wanted.findIndex((group) => isSlot(group, own));
      const group = wanted[index];
      if (!group) {
        if (!stale.includes(own.node) && !isKept(own.node)) stale.push(own.node);
        continue;
      }
      wanted.splice(index, 1);
      keep.add(own.node);
      kept++;
      const { command } = group.hooks[0]!;
      if (own.command.value === command) continue;
      edits.push({ start: own.command.start, end: own.command.end, text: JSON.stringify(command) });
      updated++;
    }
  }
  return undefined as never;
}
