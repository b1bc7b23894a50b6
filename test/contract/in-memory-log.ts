import type { HooklineEvent } from "../../src/event/event.ts";
import { toLine } from "../../src/event/line.ts";
import type { Log, LogBatch, Position } from "../../src/log/log.ts";

/** State that survives reopening: lines by their index, some of which may have been lost. */
export interface InMemoryDisk {
  readonly lines: Map<number, string>;
  next: number;
}

export function createInMemoryDisk(): InMemoryDisk {
  return { lines: new Map(), next: 0 };
}

/** Lines per part. Small, so tests span several parts. */
const PART_LINES = 8;

/** A minimal second implementation: a map from index to line. A position is the index after the last line read. */
export function openInMemoryLog(disk: InMemoryDisk): Log {
  const listeners = new Set<() => void>();
  const unread = new Map<number, string>();
  let exclusive: Promise<unknown> = Promise.resolve();

  const put = (lines: readonly string[]): Position => {
    for (const line of lines) {
      unread.set(disk.next, line);
      disk.lines.set(disk.next++, line);
    }
    for (const listener of listeners) listener();
    return toPosition(disk.next);
  };
  const partOf = (index: number): number => Math.floor(index / PART_LINES);
  async function* read(from: number, to: number): AsyncGenerator<LogBatch> {
    for (let index = from; index < Math.min(to, disk.next); index++) {
      const line = disk.lines.get(index);
      if (line !== undefined) yield { lines: [line], part: partOf(index), next: toPosition(index + 1) };
    }
  }
  const missing = (before: number): number[] =>
    Array.from({ length: before }, (_, index) => index).filter((index) => !disk.lines.has(index));

  return {
    name: "memory",
    read: (after) => read(toLineIndex(after), Number.POSITIVE_INFINITY),
    async *readNewestFirst() {
      for (let part = partOf(disk.next); part >= 0; part--)
        yield read(part * PART_LINES, (part + 1) * PART_LINES);
    },
    watch(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    inspect: async () => ({ parts: partOf(disk.next) + 1, missing: missing(disk.next).map(String) }),
    findDamage: async () => ({ damaged: [], quarantined: [] }),
    append: async (events: readonly HooklineEvent[]) => put(events.map(toLine)),
    markApplied(lines) {
      const applied = new Set(lines);
      for (const [index, line] of unread) if (applied.has(line)) unread.delete(index);
    },
    async erase(change) {
      let count = 0;
      for (const [index, line] of disk.lines) {
        const text = line.trim() === "" ? undefined : change(line);
        if (text === undefined) continue;
        disk.lines.set(index, Buffer.byteLength(text) > Buffer.byteLength(line) ? "" : text);
        count++;
      }
      return count;
    },
    runExclusive(work) {
      const next = exclusive.then(work);
      exclusive = next.catch(() => undefined);
      return next;
    },
    async restore(position, known) {
      const lost = missing(disk.next);
      if (lost.length === 0) return null;
      const restored = lost.flatMap((index) => unread.get(index) ?? []);
      const rereadFrom = toPosition(Math.min(toLineIndex(position), disk.next));
      put(restored);
      const parts = [...new Set(lost.filter((index) => index < toLineIndex(position)).map(partOf))];
      const facts: HooklineEvent[] = [];
      for await (const fact of known.factsOf(parts)) facts.push(fact);
      put(facts.map(toLine));
      await known.moveFacts(parts, partOf(disk.next - 1));
      for (const index of lost) disk.lines.set(index, "");
      return { restored: facts.length, unread: restored.length, rereadFrom };
    },
    damagedParts: async () => [],
    repair: async () => null,
    tidy: () => undefined,
    removeLeftovers: () => undefined,
    findText: async (isFound) => ([...disk.lines.values()].some(isFound) ? ["memory"] : []),
    close: async () => undefined,
  };
}

function toPosition(index: number): Position {
  return String(index) as Position;
}

function toLineIndex(position: Position | undefined): number {
  return Number(position ?? 0);
}
