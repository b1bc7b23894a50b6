import type { Acceptor } from "../../capture/accept.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { memoryItemEvent, memoryMarkEvent } from "../../event/memory-events.ts";
import type { MemoryItem } from "../memory-item.ts";

export interface ItemWriterOptions {
  readonly acceptor: Acceptor;
  /** Resolves when the lines are durable. */
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  /** Whether a fact is known already, so that reporting it again changes nothing. */
  readonly hasFact: (factId: string) => Promise<boolean>;
}

/** Appends foreign items to the log, like any other events. */
export interface ItemWriter {
  /** Returns false when nothing was stored: already known, excluded, or forgotten here. */
  put(events: readonly HooklineEvent[]): Promise<boolean>;
  flush(): Promise<void>;
}

const BATCH_EVENTS = 500;

export function createItemWriter({ acceptor, append, hasFact }: ItemWriterOptions): ItemWriter {
  let pending: HooklineEvent[] = [];
  const writtenIds = new Set<string>();
  const flush = async (): Promise<void> => {
    const events = pending;
    pending = [];
    acceptor.clearCache();
    if (events.length > 0) await append(events);
  };
  return {
    async put(events) {
      const fresh: HooklineEvent[] = [];
      for (const event of events)
        if (!writtenIds.has(event.id) && !(await hasFact(event.id))) fresh.push(event);
      const accepted = await acceptor.prepare(fresh, () => acceptor.accept(fresh));
      for (const { id } of accepted) writtenIds.add(id);
      pending.push(...accepted);
      if (pending.length >= BATCH_EVENTS) await flush();
      return accepted.some((event) => event["forgotten"] !== true);
    },
    flush,
  };
}

/** Converts an item of another store to the events that create it here. */
export function itemEvents(item: MemoryItem): HooklineEvent[] {
  const { id, sessionId, project, createdAtIso, pinned, madeBy: _madeBy, ...rest } = item;
  const base = { sessionId, projectPath: project, occurredAtIso: createdAtIso };
  const content = { ...rest.content, title: titleOf(rest.content.title) };
  const itemEvent = memoryItemEvent(base, id, "import", { ...rest, project, createdAtIso, content });
  return pinned ? [itemEvent, memoryMarkEvent(base, id, { pinned: true })] : [itemEvent];
}

const MAX_TITLE_CHARS = 120;

/** One line of bounded length. */
export function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0]!.trim();
  return line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS - 1).toWellFormed()}…`;
}
