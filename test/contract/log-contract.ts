import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { HooklineEvent } from "../../src/event/event.ts";
import type { KnownFacts, Log, LogBatch, LogPart, Position } from "../../src/log/log.ts";

/** One log under test, in its own location. */
export interface LogUnderTest {
  readonly log: Log;
  /** The same log as another process opens it after a crash at any moment. */
  reopen(): Promise<Log>;
  /** Removes everything that was appended, without the log's knowledge. */
  lose(): void | Promise<void>;
  close(): Promise<void>;
}

export interface LogGuarantee {
  readonly name: string;
  readonly check: (under: LogUnderTest) => Promise<void>;
}

/** The guarantees of every log (src/log/log.ts). A check throws where a log breaks its guarantee. */
export const LOG_GUARANTEES: readonly LogGuarantee[] = [
  {
    name: "gives back what was appended, in order and once",
    async check({ log }) {
      for (const id of ["a", "b", "c"]) await log.append([event(id), event(`${id}2`)]);
      expect(await idsAfter(log)).toEqual(["a", "a2", "b", "b2", "c", "c2"]);
    },
  },
  {
    name: "appends all of a batch or nothing",
    async check({ log }) {
      await log.append([event("a")]);
      const unwritable = { ...event("c"), toJSON: () => expect.unreachable("as meant") };
      await expect(append(log, [event("b"), unwritable])).rejects.toThrow("as meant");
      await log.append([event("d")]);
      expect(await idsAfter(log)).toEqual(["a", "d"]);
    },
  },
  {
    name: "is durable as soon as append resolves",
    async check({ log, reopen }) {
      await log.append([event("a"), event("b")]);
      const reopened = await reopen();
      expect(await idsAfter(reopened)).toEqual(["a", "b"]);
      await reopened.close();
    },
  },
  {
    name: "keeps the order in which append was called",
    async check({ log }) {
      const ids = Array.from({ length: 20 }, (_, at) => `e${at}`);
      await Promise.all(ids.map((id) => log.append([event(id)])));
      expect(await idsAfter(log)).toEqual(ids);
    },
  },
  {
    name: "goes on after any position, also one from before a restart",
    async check({ log, reopen }) {
      const positions: Position[] = [];
      for (let at = 0; at < 5; at++) positions.push(await log.append([event(`e${at}`)]));
      const all = ["e0", "e1", "e2", "e3", "e4"];
      const reopened = await reopen();
      for (const [at, position] of positions.entries()) {
        expect(await idsAfter(log, position)).toEqual(all.slice(at + 1));
        expect(await idsAfter(reopened, position)).toEqual(all.slice(at + 1));
      }
      expect((await batches(log)).at(-1)!.next).toBe(positions.at(-1));
      await reopened.close();
    },
  },
  {
    name: "gives the view that follows each batch once, whoever else reads",
    async check({ log }) {
      const seen: string[] = [];
      let position: Position | undefined;
      for (let at = 0; at < 6; at++) {
        await log.append([event(`e${at}`)]);
        if (at % 2 === 0) await idsAfter(log);
        for (const batch of await batches(log, position, true)) {
          seen.push(...idsOf(batch));
          if (batch.events !== undefined) expect(batch.events.map(({ id }) => id)).toEqual(idsOf(batch));
          position = batch.next;
        }
      }
      expect(seen).toEqual(["e0", "e1", "e2", "e3", "e4", "e5"]);
    },
  },
  {
    name: "erases lines for good, and every position stays what it was",
    async check({ log, reopen }) {
      const positions: Position[] = [];
      for (const id of ["keep-a", "gone-b", "keep-c"]) positions.push(await log.append([event(id)]));
      const erase = () =>
        log.runExclusive(() => log.erase((line) => (line.includes("gone-b") ? "" : undefined)));
      expect(await erase()).toBe(1);
      const reopened = await reopen();
      for (const reader of [log, reopened]) {
        expect(await idsAfter(reader)).toEqual(["keep-a", "keep-c"]);
        expect(await idsAfter(reader, positions[0])).toEqual(["keep-c"]);
        expect(await idsAfter(reader, positions[1])).toEqual(["keep-c"]);
      }
      expect(await log.findText((text) => text.includes("gone-b"))).toEqual([]);
      await reopened.close();
    },
  },
  {
    name: "changes nothing when the same is erased again",
    async check({ log }) {
      await log.append([event("a"), event("b")]);
      const erase = () =>
        log.runExclusive(() => log.erase((line) => (line.includes('"b"') ? "" : undefined)));
      expect([await erase(), await erase()]).toEqual([1, 0]);
    },
  },
  {
    name: "puts a shorter text in the place of a line, and blanks where a longer one has no room",
    async check({ log }) {
      await log.append([event("short"), event("long")]);
      const bare = JSON.stringify({ id: "bare" });
      await log.runExclusive(() => log.erase((line) => (line.includes('"short"') ? bare : `${line}${line}`)));
      expect(await idsAfter(log)).toEqual(["bare"]);
    },
  },
  {
    name: "does work that rewrites it one after the other",
    async check({ log }) {
      const steps: string[] = [];
      const work = (name: string) =>
        log.runExclusive(async () => {
          steps.push(`${name} begins`);
          await sleep(5);
          steps.push(`${name} ends`);
        });
      await Promise.all([work("a"), work("b")]);
      expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    },
  },
  {
    name: "appends again what was lost: what a view knows, and what none had read",
    async check({ log, lose }) {
      await log.append([event("known")]);
      const [batch] = (await batches(log, undefined, true)) as [LogBatch];
      log.markApplied(batch.lines);
      await log.append([event("unread")]);
      await lose();
      await log.append([event("later")]);
      const moved: LogPart[] = [];
      const known: KnownFacts = {
        factsOf: (parts) => (parts.includes(batch.part) ? [event("known")] : []),
        hasFact: (id) => id === "known",
        moveFacts: (from) => void moved.push(...from),
      };
      const report = await log.restore(batch.next, known);
      expect(report).toMatchObject({ restored: 1 });
      expect(moved).toContain(batch.part);
      expect(new Set(await idsAfter(log))).toEqual(new Set(["known", "unread", "later"]));
      const seen = await idsAfter(log, report!.rereadFrom ?? batch.next);
      expect(seen).toEqual(expect.arrayContaining(["unread", "later"]));
    },
  },
  {
    name: "restores nothing where nothing was lost",
    async check({ log }) {
      const position = await log.append([event("a")]);
      const known: KnownFacts = {
        factsOf: () => [event("a")],
        hasFact: () => true,
        moveFacts: () => undefined,
      };
      expect(await log.restore(position, known)).toBeNull();
      expect(await idsAfter(log)).toEqual(["a"]);
    },
  },
  {
    name: "gives its parts newest first, each line once",
    async check({ log }) {
      for (let at = 0; at < 40; at++) await log.append([event(`e${at}`)]);
      const parts: string[][] = [];
      for await (const part of log.readNewestFirst()) {
        const ids: string[] = [];
        for await (const batch of part) ids.push(...idsOf(batch));
        parts.unshift(ids);
      }
      expect(parts.flat()).toEqual(await idsAfter(log));
      expect(parts.flat()).toHaveLength(40);
    },
  },
  {
    name: "tells who watches that it has grown",
    async check({ log }) {
      const changed = Promise.withResolvers<string>();
      const unwatch = log.watch(() => changed.resolve("changed"));
      await log.append([event("a")]);
      expect(await Promise.race([changed.promise, sleep(5_000, "nothing", { ref: false })])).toBe("changed");
      unwatch();
    },
  },
];

function event(id: string): HooklineEvent {
  const base = { v: 1, eventType: "turn.start", occurredAtIso: "2026-11-15T12:00:00.000Z" } as const;
  return { ...base, id, sessionId: "s", provider: "claude", projectPath: null, cwd: null, origin: "hook" };
}

/** Treats a log that throws synchronously like one that rejects. */
async function append(log: Log, events: readonly HooklineEvent[]): Promise<void> {
  await log.append(events);
}

async function batches(log: Log, after?: Position, live = false): Promise<LogBatch[]> {
  const found: LogBatch[] = [];
  for await (const batch of log.read(after, { live })) found.push(batch);
  return found;
}

async function idsAfter(log: Log, after?: Position): Promise<string[]> {
  return (await batches(log, after)).flatMap(idsOf);
}

function idsOf({ lines }: LogBatch): string[] {
  return lines.filter((line) => line.trim() !== "").map((line) => (JSON.parse(line) as { id: string }).id);
}
