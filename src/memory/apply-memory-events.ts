import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { itemFactId } from "../event/memory-events.ts";
import type { ItemOverrides, ItemRow, MadeRow, MemoryRows, OutboxEntry } from "../store/memory-rows.ts";
import { textOf } from "./fact-text.ts";
import { INJECTION_KINDS } from "./memory-contract.ts";
import { ItemContent } from "./memory-item.ts";
import type { PendingWrite } from "./pending-write.ts";
import { type BaseItem, resolveItem } from "./resolve-item.ts";

/** An event that memory itself wrote about an item, and the item's current state. */
interface ItemEventSources {
  readonly event: HooklineEvent;
  readonly itemId: number;
  readonly known: ItemRow | undefined;
  /** Entries that rebuild the item, if it exists. */
  readonly requeue: readonly OutboxEntry[];
  readonly overrides: ItemOverrides;
}

export async function readItemEvent(rows: MemoryRows, factId: string): Promise<ItemEventSources | undefined> {
  const event = await rows.fact(factId);
  const itemId = event?.["itemId"];
  if (event === undefined || typeof itemId !== "number") return undefined;
  const [known] = await rows.items([itemId]);
  const overrides = await rows.overridesOf(itemId);
  // A re-imported item is built from this event itself.
  const isRebuilt = known !== undefined && (event.eventType === "memory.mark" || known.madeBy !== "import");
  const source = isRebuilt ? await rows.sourceOf(known) : undefined;
  const requeue = !isRebuilt ? [] : source === undefined ? importOf(overrides) : [source];
  return { event, itemId, known, requeue, overrides };
}

function importOf({ made }: ItemOverrides): OutboxEntry[] {
  const imported = made.find(({ madeBy }) => madeBy === "import");
  return imported === undefined ? [] : [{ kind: "made", key: imported.factId }];
}

/**
 * Stores an item made by a model or an import. An item made by our rules is rebuilt with it; an imported
 * one stands alone.
 */
export function applyMadeItem({ items, made, requeued }: PendingWrite, read: ItemEventSources): void {
  const { event, itemId, known, overrides } = read;
  const item = event["item"];
  if (!isPlainObject(item)) return;
  const row: MadeRow = {
    itemId,
    madeBy: event["madeBy"] === "model" ? "model" : "import",
    sessionId: event.sessionId,
    factId: event.id,
    itemJson: JSON.stringify(item),
  };
  made.push(row);
  if (known !== undefined && known.madeBy !== "import") {
    requeued.push(...read.requeue);
    return;
  }
  const content = ItemContent.safeParse(item["content"]);
  if (row.madeBy !== "import" || !content.success) return;
  const base: BaseItem = {
    id: itemId,
    kind: kindOf(item["kind"]),
    sessionId: event.sessionId,
    project: textOf(item["project"]) ?? event.projectPath,
    promptNumber: typeof item["promptNumber"] === "number" ? item["promptNumber"] : null,
    toolName: textOf(item["toolName"]),
    branch: textOf(item["branch"]),
    success: typeof item["success"] === "boolean" ? item["success"] : null,
    createdAtIso: textOf(item["createdAtIso"]) ?? event.occurredAtIso,
    content: content.data,
    summary: null,
  };
  const others = overrides.made.filter(({ madeBy }) => madeBy !== row.madeBy);
  items.set(itemId, resolveItem(base, { ...overrides, made: [...others, row] }, "import"));
}

export function applyMark(
  { marks, requeued }: PendingWrite,
  { event, itemId, known, ...read }: ItemEventSources,
): void {
  const { pinned, edit, unedited } = event;
  marks.push({
    itemId,
    sessionId: event.sessionId,
    pinned: typeof pinned === "boolean" ? pinned : null,
    pinnedAtIso: typeof pinned === "boolean" ? event.occurredAtIso : null,
    editJson: isPlainObject(edit) ? JSON.stringify(edit) : null,
    editedAtIso: isPlainObject(edit) || unedited === true ? event.occurredAtIso : null,
  });
  if (known !== undefined) requeued.push(...read.requeue);
  // An item imported together with its mark is built in this same step, before the mark is written.
  else requeued.push({ kind: "made", key: itemFactId(itemId, "import") });
}

export function applyInjection({ injections }: PendingWrite, event: HooklineEvent): void {
  const injection = event["injection"];
  if (!isPlainObject(injection)) return;
  const kind = INJECTION_KINDS.find((each) => each === injection["kind"]);
  if (kind === undefined || !Array.isArray(injection["items"])) return;
  injections.push({
    id: event.id,
    sessionId: event.sessionId,
    project: event.projectPath,
    kind,
    atIso: event.occurredAtIso,
    tokens: typeof injection["tokens"] === "number" ? injection["tokens"] : 0,
    itemsJson: JSON.stringify(injection["items"]),
  });
}

function kindOf(value: unknown): BaseItem["kind"] {
  return value === "summary" || value === "prompt" ? value : "observation";
}
