import type {
  InjectionRow,
  ItemRow,
  MadeRow,
  MarkRow,
  MemoryWrite,
  OutboxEntry,
} from "../store/memory-rows.ts";

/** What is being made of some entries of the outbox. */
export interface Work {
  readonly items: Map<number, ItemRow>;
  readonly gone: Set<number>;
  readonly summaries: NonNullable<MemoryWrite["summaries"]>[number][];
  readonly made: MadeRow[];
  readonly marks: MarkRow[];
  readonly injections: InjectionRow[];
  readonly again: OutboxEntry[];
}

export function openWork(): Work {
  return {
    items: new Map(),
    gone: new Set(),
    summaries: [],
    made: [],
    marks: [],
    injections: [],
    again: [],
  };
}

export function toWrite(work: Work, done: readonly OutboxEntry[]): MemoryWrite {
  const { items, gone, summaries, made, marks, injections, again } = work;
  return { done, items: [...items.values()], gone: [...gone], summaries, made, marks, injections, again };
}
