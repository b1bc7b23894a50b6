import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { factId as idOfFact } from "../event/ids.ts";
import type { ItemRow, MadeRow, MemoryRows, OutboxEntry, ToldOfItem } from "../store/memory-rows.ts";
import { textOf } from "./fact-words.ts";
import { INJECTION_KINDS } from "./memory-contract.ts";
import { ItemContent } from "./memory-item.ts";
import type { Work } from "./memory-work.ts";
import { type Basis, resolveItem } from "./resolve-item.ts";

/** What memory itself wrote of an item, and what is there of it. */
interface ToldRead {
  readonly event: HooklineEvent;
  readonly itemId: number;
  readonly known: ItemRow | undefined;
  /** What makes it again, when it is there. */
  readonly again: readonly OutboxEntry[];
  readonly told: ToldOfItem;
}

export async function readTold(rows: MemoryRows, factId: string): Promise<ToldRead | undefined> {
  const event = await rows.fact(factId);
  const itemId = event?.["itemId"];
  if (event === undefined || typeof itemId !== "number") return undefined;
  const [known] = await rows.items([itemId]);
  const told = await rows.toldOf(itemId);
  // What was imported is made of what is told just now.
  const isRemade = known !== undefined && (event.eventType === "memory.mark" || known.madeBy !== "import");
  const source = isRemade ? await rows.sourceOf(known) : undefined;
  const again = !isRemade ? [] : source === undefined ? importOf(told) : [source];
  return { event, itemId, known, again, told };
}

function importOf({ made }: ToldOfItem): OutboxEntry[] {
  const imported = made.find(({ madeBy }) => madeBy === "import");
  return imported === undefined ? [] : [{ kind: "made", key: imported.factId }];
}

/** Items that our rules made are made again with it; others stand by themselves. */
export function takeMade({ items, made, again }: Work, read: ToldRead): void {
  const { event, itemId, known, told } = read;
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
    again.push(...read.again);
    return;
  }
  const content = ItemContent.safeParse(item["content"]);
  if (row.madeBy !== "import" || !content.success) return;
  const basis: Basis = {
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
  const others = told.made.filter(({ madeBy }) => madeBy !== row.madeBy);
  items.set(itemId, resolveItem(basis, { made: [...others, row], mark: told.mark }, "import"));
}

export function takeMark({ marks, again }: Work, { event, itemId, known, ...read }: ToldRead): void {
  const { pinned, edit, unedited } = event;
  marks.push({
    itemId,
    sessionId: event.sessionId,
    pinned: typeof pinned === "boolean" ? pinned : null,
    pinnedAtIso: typeof pinned === "boolean" ? event.occurredAtIso : null,
    editJson: isPlainObject(edit) ? JSON.stringify(edit) : null,
    editedAtIso: isPlainObject(edit) || unedited === true ? event.occurredAtIso : null,
  });
  if (known !== undefined) again.push(...read.again);
  // One that was imported with its mark is made in the same step, when the mark is not written yet.
  else again.push({ kind: "made", key: idOfFact("memory.item", String(itemId), "import") });
}

export function takeInjected({ injections }: Work, event: HooklineEvent): void {
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

function kindOf(value: unknown): Basis["kind"] {
  return value === "summary" || value === "prompt" ? value : "observation";
}
