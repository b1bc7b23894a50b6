import { isPlainObject } from "../event/canonical.ts";
import { factId as idOfFact } from "../event/ids.ts";
import type { ItemRow, MadeRow, MemoryRows, OutboxEntry } from "../store/memory-rows.ts";
import { textOf } from "./fact-words.ts";
import { INJECTION_KINDS } from "./memory-contract.ts";
import { ItemContent } from "./memory-item.ts";
import type { Work } from "./memory-work.ts";
import { type Basis, resolveItem } from "./resolve-item.ts";

/** Items that our rules made are made again with it; others stand by themselves. */
export function takeMade({ rows, items, made, again }: Work, factId: string): void {
  const event = rows.fact(factId);
  const itemId = event?.["itemId"];
  const item = event?.["item"];
  if (event === undefined || typeof itemId !== "number" || !isPlainObject(item)) return;
  const row: MadeRow = {
    itemId,
    madeBy: event["madeBy"] === "model" ? "model" : "import",
    sessionId: event.sessionId,
    factId,
    itemJson: JSON.stringify(item),
  };
  made.push(row);
  const known = rows.items([itemId])[0];
  if (known !== undefined && known.madeBy !== "import") {
    again.push(...againFor(rows, known));
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
  const others = rows.madeOf(itemId).filter(({ madeBy }) => madeBy !== row.madeBy);
  items.set(itemId, resolveItem(basis, [...others, row], rows.markOf(itemId), "import"));
}

export function takeMark({ rows, marks, again }: Work, factId: string): void {
  const event = rows.fact(factId);
  const itemId = event?.["itemId"];
  if (event === undefined || typeof itemId !== "number") return;
  const { pinned, edit, unedited } = event;
  marks.push({
    itemId,
    sessionId: event.sessionId,
    pinned: typeof pinned === "boolean" ? pinned : null,
    pinnedAtIso: typeof pinned === "boolean" ? event.occurredAtIso : null,
    editJson: isPlainObject(edit) ? JSON.stringify(edit) : null,
    editedAtIso: isPlainObject(edit) || unedited === true ? event.occurredAtIso : null,
  });
  const known = rows.items([itemId])[0];
  if (known !== undefined) again.push(...againFor(rows, known));
  // One that was imported with its mark is made in the same step, when the mark is not written yet.
  else again.push({ kind: "made", key: idOfFact("memory.item", String(itemId), "import") });
}

/** What makes an item again that is there. */
function againFor(rows: MemoryRows, item: ItemRow): OutboxEntry[] {
  const imported = rows.madeOf(item.id).find(({ madeBy }) => madeBy === "import");
  const source = rows.sourceOf(item);
  if (source !== undefined) return [source];
  return imported === undefined ? [] : [{ kind: "made", key: imported.factId }];
}

export function takeInjected({ rows, injections }: Work, factId: string): void {
  const event = rows.fact(factId);
  const injection = event?.["injection"];
  if (event === undefined || !isPlainObject(injection)) return;
  const kind = INJECTION_KINDS.find((each) => each === injection["kind"]);
  if (kind === undefined || !Array.isArray(injection["items"])) return;
  injections.push({
    id: factId,
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
