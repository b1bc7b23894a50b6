/**
 * Adds our handlers to the text of a settings file and removes them again. Pure. Every byte that is not ours
 * stays: we cut and insert, and never reprint what was parsed.
 */
import { AppError } from "../app-error.ts";
import { askKind } from "./ask-command.ts";
import { type HookEntries, type HookGroup, kindOfCommand } from "./commands.ts";
import { appendEdit, applyEdits, detectStyle, type Edit } from "./json-edit.ts";
import { type JsonNode, type JsonObject, memberOf, parseJsonTree } from "./json-tree.ts";
import { findOwnHandlers, type OwnHandler } from "./own-handlers.ts";
import { removeHandlers } from "./remove-handlers.ts";

/** What an uninstall cannot see in the text: the empty containers that were there before us, by path
 *  ("", "hooks", "hooks.Stop"), each with the white space inside; `blank` is a file that held no value. */
export interface Footprint {
  readonly emptied: Readonly<Record<string, string>>;
  readonly blank?: string;
}

export interface AddedHooks {
  readonly text: string;
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  /** Some of our handlers were there before. */
  readonly hadOurs: boolean;
  readonly footprint: Footprint;
}

export interface RemovedHooks {
  readonly text: string;
  readonly removed: number;
  /** Nothing is left: no value at all, or an object without members. */
  readonly isEmpty: boolean;
}

/** `before` is the footprint of the install that the text still shows, if known. */
export function addHooks(
  text: string,
  entries: HookEntries,
  file: string,
  before?: Footprint,
  /** The program that reads the file. */
  reader = "the agent",
): AddedHooks {
  if (isBlank(text)) {
    const bom = text.startsWith("\ufeff") ? "\ufeff" : "";
    return { ...addHooks(`${bom}{}\n`, entries, file), footprint: { emptied: {}, blank: text } };
  }
  const root = parseJsonTree(text, file);
  checkShape(root, entries, file, reader);
  const ownHandlers = findOwnHandlers(root);
  const known = ownHandlers.length > 0 ? before : undefined;
  const { stale, updates, missing } = compare(ownHandlers, entries);

  // Updates first: they may shift what is cut, but not its order.
  const updated = applyEdits(text, updates);
  const starts = new Set(stale.map((own) => shiftOffset(own.command.start, updates)));
  const clean = removeHandlers(updated, parseJsonTree(updated, file), starts, known?.emptied ?? {});
  const inserted = insertGroups(clean, missing, file);
  return {
    text: inserted.text,
    added: Object.values(missing).flat().length,
    updated: updates.length,
    removed: stale.length,
    hadOurs: ownHandlers.length > 0,
    footprint: { ...known, emptied: { ...known?.emptied, ...inserted.emptied } },
  };
}

/** Without a footprint, every container that removal leaves empty goes too, except the outermost. */
export function removeHooks(text: string, file: string, footprint?: Footprint): RemovedHooks {
  if (isBlank(text)) return { text, removed: 0, isEmpty: true };
  const root = parseJsonTree(text, file);
  const starts = new Set(findOwnHandlers(root).map((own) => own.command.start));
  const rest = removeHandlers(text, root, starts, footprint?.emptied ?? {});
  const left = parseJsonTree(rest, file);
  const isEmpty = left.type === "object" && left.members.length === 0;
  const isBlankAgain = isEmpty && starts.size > 0 && footprint?.blank !== undefined;
  return { text: isBlankAgain ? footprint.blank : rest, removed: starts.size, isEmpty };
}

/** Which of our handlers are outdated, superfluous or missing. Only the command is updated: a timeout that
 *  the user chose stays, unless the waiting time changes. */
function compare(ownHandlers: readonly OwnHandler[], entries: HookEntries) {
  const missingByEvent = new Map(Object.entries(entries).map(([event, groups]) => [event, [...groups]]));
  const stale: OwnHandler[] = [];
  const updates: Edit[] = [];
  for (const own of ownHandlers) {
    const wanted = missingByEvent.get(own.event) ?? [];
    const index = own.isEffective ? wanted.findIndex((group) => isSameHandler(group, own)) : -1;
    const command = wanted[index]?.hooks[0]?.command;
    const { value, start, end } = own.command;
    if (command === undefined || (value !== command && isTimed(own.kind))) {
      stale.push(own);
      continue;
    }
    wanted.splice(index, 1);
    if (value !== command) updates.push({ start, end, text: JSON.stringify(command) });
  }
  const missing = Object.fromEntries([...missingByEvent].filter(([, groups]) => groups.length > 0));
  return { stale, updates, missing };
}

function isTimed(kind: string): boolean {
  return kind === askKind("permission") || kind === askKind("react");
}

function isSameHandler(group: HookGroup, own: OwnHandler): boolean {
  return (
    group.matcher === own.matcher && group.hooks.some((hook) => kindOfCommand(hook.command) === own.kind)
  );
}

function shiftOffset(offset: number, edits: readonly Edit[]): number {
  return edits
    .filter((edit) => edit.end <= offset)
    .reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), offset);
}

function insertGroups(text: string, missing: HookEntries, file: string) {
  const root = parseJsonTree(text, file) as JsonObject;
  const style = detectStyle(text, root);
  const hooks = memberOf(root, "hooks")?.value;
  const emptied: Record<string, string> = {};
  const edits: Edit[] = [];

  function append(path: string, container: JsonNode, values: Parameters<typeof appendEdit>[3]): void {
    const inner = text.slice(container.start + 1, container.end - 1);
    if (inner.trim() === "") emptied[path] = inner;
    edits.push(appendEdit(text, style, container, values));
  }

  const events: Record<string, readonly HookGroup[]> = {};
  for (const [event, groups] of Object.entries(missing)) {
    const array = memberOf(hooks, event)?.value;
    if (array) append(`hooks.${event}`, array, groups);
    else events[event] = groups;
  }
  if (Object.keys(events).length > 0) {
    if (hooks) append("hooks", hooks, events);
    else append("", root, { hooks: events });
  }
  return { text: applyEdits(text, edits), emptied };
}

function isBlank(text: string): boolean {
  return /^\ufeff?[ \t\r\n]*$/.test(text);
}

function checkShape(root: JsonNode, entries: HookEntries, file: string, reader: string): void {
  const hooks = memberOf(root, "hooks")?.value;
  const events = Object.keys(entries).map((event) => ({
    what: `"hooks.${event}"`,
    node: memberOf(hooks, event)?.value,
    type: "array",
  }));
  const parts = [
    { what: "the file", node: root, type: "object" },
    { what: `"hooks"`, node: hooks, type: "object" },
    ...events,
  ];
  const wrong = parts.find(({ node, type }) => node && node.type !== type);
  if (!wrong) return;
  throw new AppError(
    "settings_shape",
    `${file}: ${wrong.what} must be an ${wrong.type} for ${reader} to read it. Correct it and run again; nothing was written.`,
  );
}
