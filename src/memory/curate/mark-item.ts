import type { HooklineEvent } from "../../event/event.ts";
import { memoryMarkEvent } from "../../event/memory-events.ts";
import type { ItemContent, MemoryItem } from "../memory-item.ts";

/** What a person may do to an item. What is left out stays as it is; `null` takes an edit back. */
export interface ItemMark {
  readonly pinned?: boolean | undefined;
  readonly edit?: Readonly<Partial<ItemContent>> | null | undefined;
}

/** The mark as an event: through the acceptor like all else, for people paste secrets too. */
export function markItem(
  item: Pick<MemoryItem, "id" | "sessionId" | "project">,
  { pinned, edit }: ItemMark,
  occurredAtIso: string,
): HooklineEvent {
  return memoryMarkEvent({ sessionId: item.sessionId, projectPath: item.project, occurredAtIso }, item.id, {
    ...(pinned !== undefined && { pinned }),
    ...(edit !== undefined && { edit }),
  });
}
