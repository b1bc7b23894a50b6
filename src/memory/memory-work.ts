import type {
  InjectionRow,
  ItemRow,
  MadeRow,
  MarkRow,
  MemoryRows,
  MemoryWrite,
  OutboxEntry,
} from "../store/memory-rows.ts";
import type { Words } from "./turn-words.ts";

/** What is being made of some entries of the outbox. */
export interface Work {
  readonly rows: MemoryRows;
  readonly items: Map<number, ItemRow>;
  readonly gone: Set<number>;
  readonly summaries: NonNullable<MemoryWrite["summaries"]>[number][];
  readonly made: MadeRow[];
  readonly marks: MarkRow[];
  readonly injections: InjectionRow[];
  readonly again: OutboxEntry[];
  /** What was said in the turns that were looked at. */
  readonly turns: Map<string, TurnSaid>;
}

/** What was said in a turn, around a time. */
export interface TurnSaid {
  readonly words: ReadonlyMap<string, Words>;
  /** By message, the calls whose words it may change. */
  readonly callsBeside: ReadonlyMap<string, readonly string[]>;
  readonly prompt: string | null;
  readonly branch: string | null;
  readonly isOver: boolean;
}

export function openWork(rows: MemoryRows): Work {
  return {
    rows,
    items: new Map(),
    gone: new Set(),
    summaries: [],
    made: [],
    marks: [],
    injections: [],
    again: [],
    turns: new Map(),
  };
}

export function toWrite(work: Work, done: readonly OutboxEntry[]): MemoryWrite {
  const { items, gone, summaries, made, marks, injections, again } = work;
  return { done, items: [...items.values()], gone: [...gone], summaries, made, marks, injections, again };
}
