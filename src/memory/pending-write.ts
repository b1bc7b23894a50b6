import type {
  InjectionRow,
  ItemRow,
  MadeRow,
  MarkRow,
  MemoryWrite,
  OutboxEntry,
} from "../store/memory-rows.ts";

/** Collects what is built from some outbox entries. */
export interface PendingWrite {
  readonly items: Map<number, ItemRow>;
  readonly removed: Set<number>;
  readonly summaries: NonNullable<MemoryWrite["summaries"]>[number][];
  readonly made: MadeRow[];
  readonly marks: MarkRow[];
  readonly injections: InjectionRow[];
  readonly requeued: OutboxEntry[];
}

export function createPendingWrite(): PendingWrite {
  return {
    items: new Map(),
    removed: new Set(),
    summaries: [],
    made: [],
    marks: [],
    injections: [],
    requeued: [],
  };
}

export function toMemoryWrite(pending: PendingWrite, done: readonly OutboxEntry[]): MemoryWrite {
  const { items, removed, summaries, made, marks, injections, requeued } = pending;
  return {
    done,
    items: [...items.values()],
    removed: [...removed],
    summaries,
    made,
    marks,
    injections,
    requeue: requeued,
  };
}
