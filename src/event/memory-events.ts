import { type HooklineEvent, type Origin, UNKNOWN_SESSION } from "./event.ts";
import { factId } from "./ids.ts";

/**
 * What memory itself writes into the log, so that a rebuild has it again: ready-made items (by a model, by an
 * import), what a person marked, what was forgotten, and what was given to a session.
 */

interface MemoryEventBase {
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly occurredAtIso: string;
  readonly promptId?: string | null | undefined;
}

/** An item that rules did not make. `item` is a MemoryItem's content, summary and place, as JSON. */
export function memoryItemEvent(
  base: MemoryEventBase,
  itemId: number,
  madeBy: "model" | "import",
  item: Readonly<Record<string, unknown>>,
): HooklineEvent {
  const id = factId("memory.item", String(itemId), madeBy);
  return { ...stamp(base), id, eventType: "memory.item", itemId, madeBy, item: { ...item } };
}

/** A person pinned or edited an item. `edit: null` takes an edit back. */
export function memoryMarkEvent(
  base: MemoryEventBase,
  itemId: number,
  mark: { readonly pinned?: boolean; readonly edit?: Readonly<Record<string, unknown>> | null },
): HooklineEvent {
  const id = factId("memory.mark", String(itemId), base.occurredAtIso, JSON.stringify(mark));
  const { pinned, edit } = mark;
  const told = {
    ...(pinned !== undefined && { pinned }),
    // Null is what nobody told: it would not be kept.
    ...(edit === null ? { unedited: true } : edit !== undefined && { edit: { ...edit } }),
  };
  return { ...stamp(base), id, eventType: "memory.mark", itemId, ...told };
}

/**
 * Tombstones: ids of facts and of sessions that must not come back, never their text. `guard` tells forgotten
 * text when it is seen again without saying what it is (src/privacy/forgotten-text.ts).
 */
export function memoryForgottenEvent(
  occurredAtIso: string,
  gone: {
    readonly facts: readonly string[];
    readonly sessions: readonly string[];
    readonly guard?: Readonly<Record<string, unknown>>;
  },
): HooklineEvent {
  const id = factId("memory.forgotten", occurredAtIso, ...gone.sessions, ...gone.facts);
  const base = { sessionId: UNKNOWN_SESSION, projectPath: null, occurredAtIso };
  return { ...stamp(base), id, eventType: "memory.forgotten", ...gone };
}

/** What was given to a session, by id, and why; never the text. */
export function memoryInjectedEvent(
  base: MemoryEventBase,
  given: {
    readonly kind: string;
    readonly key: string;
    readonly tokens: number;
    readonly items: readonly Readonly<Record<string, unknown>>[];
  },
): HooklineEvent {
  const { key, ...rest } = given;
  const id = factId("memory.injected", base.sessionId, given.kind, key);
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
