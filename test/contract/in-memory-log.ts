import type { HooklineEvent } from "../../src/event/event.ts";
import { toLine } from "../../src/event/line.ts";
import type { Log, LogBatch, Position } from "../../src/log/log.ts";

/** What outlives a log that is opened again: its lines by their place, of which some may have been taken away. */
export interface InMemoryDisk {
  readonly lines: Map<number, string>;
  next: number;
}

export function createInMemoryDisk(): InMemoryDisk {
  return { lines: new Map(), next: 0 };
}

/** Lines of one part. Small, so that tests meet several. */
const PART_LINES = 8;

/** A second log, as small as the contract allows: a map from place to line. A position is the place after the last line read. */
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
  const partOf = (place: number): number => Math.floor(place / PART_LINES);
  async function* read(from: number, to: number): AsyncGenerator<LogBatch> {
    for (let place = from; place < Math.min(to, disk.next); place++) {
      const line = disk.lines.get(place);
      if (line !== undefined) yield { lines: [line], part: partOf(place), next: toPosition(place + 1) };
    }
  }
  const missing = (before: number): number[] =>
    Array.from({ length: before }, (_, place) => place).filter((place) => !disk.lines.has(place));

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
      for (const [place, line] of unread) if (applied.has(line)) unread.delete(place);
    },
    async erase(change) {
      let count = 0;
      for (const [place, line] of disk.lines) {
        const text = line.trim() === "" ? undefined : change(line);
        if (text === undefined) continue;
        disk.lines.set(place, Buffer.byteLength(text) > Buffer.byteLength(line) ? "" : text);
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
      const again = lost.flatMap((place) => unread.get(place) ?? []);
      const rereadFrom = toPosition(Math.min(toLineIndex(position), disk.next));
      put(again);
      const parts = [...new Set(lost.filter((place) => place < toLineIndex(position)).map(partOf))];
      const facts: HooklineEvent[] = [];
      for await (const fact of known.factsOf(parts)) facts.push(fact);
      put(facts.map(toLine));
      await known.moveFacts(parts, partOf(disk.next - 1));
      for (const place of lost) disk.lines.set(place, "");
      return { restored: facts.length, unread: again.length, rereadFrom };
    },
    damagedParts: async () => [],
    repair: async () => null,
    tidy: () => undefined,
    removeLeftovers: () => undefined,
    findText: async (isFound) => ([...disk.lines.values()].some(isFound) ? ["memory"] : []),
    close: async () => undefined,
  };
}

function toPosition(place: number): Position {
  return String(place) as Position;
}

function toLineIndex(position: Position | undefined): number {
  return Number(position ?? 0);
}
