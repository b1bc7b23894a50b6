import { type HooklineEvent, type Origin, UNKNOWN_SESSION } from "./event.ts";
import { factId } from "./ids.ts";

/** Who can create an item. An item forgotten by id does not come back from any of them. */
export type ItemSource = "rules" | "model" | "import";

/** The id of an item by its source; items made by rules have no event, only a tombstone. */
export function itemFactId(itemId: number, madeBy: ItemSource): string {
  return factId("memory.item", String(itemId), madeBy);
}

/**
 * What memory itself writes into the log, so that a rebuild restores it: finished items (from a model or an
 * import), what a person marked, what was forgotten, and what was injected into a session.
 */

interface MemoryEventBase {
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly occurredAtIso: string;
  readonly promptId?: string | null | undefined;
}

/** An item that rules did not create. `item` is a MemoryItem's content, summary and location, as JSON. */
export function memoryItemEvent(
  base: MemoryEventBase,
  itemId: number,
  madeBy: Exclude<ItemSource, "rules">,
  item: Readonly<Record<string, unknown>>,
): HooklineEvent {
  const id = itemFactId(itemId, madeBy);
  return { ...stamp(base), id, eventType: "memory.item", itemId, madeBy, item: { ...item } };
}

/** A person pinned or edited an item. `edit: null` reverts an edit. */
export function memoryMarkEvent(
  base: MemoryEventBase,
  itemId: number,
  mark: { readonly pinned?: boolean; readonly edit?: Readonly<Record<string, unknown>> | null },
): HooklineEvent {
  const id = factId("memory.mark", String(itemId), base.occurredAtIso, JSON.stringify(mark));
  const { pinned, edit } = mark;
  const fields = {
    ...(pinned !== undefined && { pinned }),
    // Null means unknown, and would not be stored.
    ...(edit === null ? { unedited: true } : edit !== undefined && { edit: { ...edit } }),
  };
  return { ...stamp(base), id, eventType: "memory.mark", itemId, ...fields };
}

/**
 * Tombstones: ids of facts and sessions that must not come back, and of items that must not be created again,
 * never their text. `guard` recognises forgotten text without revealing it (src/privacy/forgotten-text.ts).
 */
export function memoryForgottenEvent(
  occurredAtIso: string,
  tombstones: {
    readonly facts: readonly string[];
    readonly sessions: readonly string[];
    readonly items?: readonly number[];
    readonly guard?: Readonly<Record<string, unknown>>;
  },
): HooklineEvent {
  const items = (tombstones.items ?? []).map(String);
  const id = factId("memory.forgotten", occurredAtIso, ...tombstones.sessions, ...tombstones.facts, ...items);
  const base = { sessionId: UNKNOWN_SESSION, projectPath: null, occurredAtIso };
  return { ...stamp(base), id, eventType: "memory.forgotten", ...tombstones };
}

/** What was injected into a session, by id, and why; never the text. */
export function memoryInjectedEvent(
  base: MemoryEventBase,
  injection: {
    readonly kind: string;
    readonly key: string;
    readonly tokens: number;
    readonly items: readonly Readonly<Record<string, unknown>>[];
  },
): HooklineEvent {
  const { key, ...rest } = injection;
  const id = factId("memory.injected", base.sessionId, injection.kind, key);
  return { ...stamp(base), id, eventType: "memory.injected", injection: rest };
}

function stamp({ sessionId, projectPath, occurredAtIso, promptId }: MemoryEventBase) {
  const origin: Origin = "watch";
  return {
    v: 1,
    occurredAtIso,
    sessionId,
    provider: "hookline",
    projectPath,
    cwd: null,
    ...(promptId != null && { promptId }),
    origin,
  };
}
