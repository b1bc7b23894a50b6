import type { HooklineEvent } from "../../event/event.ts";
import type { OutboxEntry } from "../memory-rows.ts";
import type { Database } from "./database.ts";

/** What memory is to make of a fact that changed, if anything. */
export function memoryOf(fact: HooklineEvent, isObservation: boolean): OutboxEntry | undefined {
  switch (fact.eventType) {
    case "tool_observation":
      return isObservation ? { kind: "call", key: fact.id } : undefined;
    case "assistant.message":
      return { kind: "message", key: fact.id };
    case "turn.start":
      return { kind: "turn", key: turnKey(fact.sessionId, fact.promptId, fact.id) };
    case "turn.end":
    case "turn.failed":
      if (fact.promptId == null || fact.agentId != null) return undefined;
      return { kind: "turn", key: turnKey(fact.sessionId, fact.promptId, fact.id) };
    case "memory.item":
      return { kind: "made", key: fact.id };
    case "memory.mark":
      return { kind: "mark", key: fact.id };
    case "memory.injected":
      return { kind: "injected", key: fact.id };
    default:
      return undefined;
  }
}

/** All that a batch asks for, in its transaction, as one statement and in the order of the table. */
export function askForAll(db: Database, entries: readonly OutboxEntry[]): void {
  if (entries.length === 0) return;
  const pairs = entries.map(({ kind, key }) => [kind, key]);
  db.sql(
    "INSERT OR IGNORE INTO memory_outbox (kind, key) SELECT value ->> 0, value ->> 1 FROM json_each(?) ORDER BY 1, 2",
  ).run(JSON.stringify(pairs));
}

/** Also for a call whose number moved, or whose content went. */
export function askForCall(db: Database, factId: string): void {
  ask(db, { kind: "call", key: factId });
}

export function ask(db: Database, { kind, key }: OutboxEntry): void {
  db.sql("INSERT OR IGNORE INTO memory_outbox (kind, key) VALUES (?, ?)").run(kind, key);
}

/** The key of a turn; a prompt that has no id is a turn of its own. */
export function turnKey(sessionId: string, promptId: string | null | undefined, factId: string): string {
  return `${sessionId}\n${promptId ?? `@${factId}`}`;
}
