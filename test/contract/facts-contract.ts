import { expect } from "vitest";
import type { HooklineEvent } from "../../src/event/event.ts";
import { toLine } from "../../src/event/line.ts";
import type { LogPart, Position } from "../../src/log/log.ts";
import type { ApplyResult, Facts } from "../../src/store/facts.ts";

/** The facts of one store under test, in their own location. */
export interface FactsUnderTest {
  readonly facts: Facts;
  /** The same facts as another process opens them. */
  reopen(): Promise<Facts>;
  /** Makes the engine refuse the fact with this id from now on. */
  refuse(id: string): void;
  /** Makes the engine fail before it commits while `work` runs. */
  failing(work: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

export interface FactsGuarantee {
  readonly name: string;
  readonly check: (under: FactsUnderTest) => Promise<void>;
}

/** The guarantees of every store's facts (src/store/facts.ts). */
export const FACTS_GUARANTEES: readonly FactsGuarantee[] = [
  {
    name: "stands where the last batch ended, also when it is opened again",
    async check({ facts, reopen }) {
      expect(await facts.position()).toBeUndefined();
      await apply(facts, [event("a")], 1);
      await apply(facts, [event("b")], 2);
      expect(await facts.position()).toBe(at(2));
      const again = await reopen();
      expect(await again.position()).toBe(at(2));
      expect(await idsOf(again)).toEqual(["a", "b"]);
    },
  },
  {
    name: "commits a batch and its position together, or neither",
    async check({ facts, failing }) {
      await apply(facts, [event("a")], 1);
      await failing(() => apply(facts, [event("b"), event("c")], 2));
      expect([await facts.position(), await idsOf(facts)]).toEqual([at(1), ["a"]]);
      await apply(facts, [event("b"), event("c")], 2);
      expect([await facts.position(), await idsOf(facts)]).toEqual([at(2), ["a", "b", "c"]]);
    },
  },
  {
    name: "is not changed by a batch that is applied again",
    async check({ facts }) {
      const batch = [event("a"), event("b", { eventType: "turn.end", lastAssistantMessage: "done" })];
      await apply(facts, batch, 1);
      const before = await facts.events({ after: 0, limit: 10 });
      expect((await apply(facts, batch, 1)).events).toBe(2);
      expect(await facts.events({ after: 0, limit: 10 })).toEqual(before);
    },
  },
  {
    name: "makes one fact of all that is told under its id",
    async check({ facts }) {
      const end = { eventType: "turn.end", lastAssistantMessage: "done" };
      await apply(facts, [event("a", { eventType: "turn.end" }), event("a", end)], 1);
      await apply(facts, [event("a", { eventType: "turn.end" })], 2);
      const rows = await facts.events({ after: 0, limit: 10 });
      expect(rows.map((row) => row.event)).toMatchObject([{ id: "a", lastAssistantMessage: "done" }]);
    },
  },
  {
    name: "reports lines that are no event, passes over blanks, and stores the rest",
    async check({ facts }) {
      const lines = [toLine(event("a")), "{half", "", "  ", '{"no":"event"}', toLine(event("b"))];
      const result = await facts.apply({ lines, part: 1, next: at(1) });
      expect(result).toMatchObject({ events: 2, invalidLines: ["{half", '{"no":"event"}'], refused: 0 });
      expect(await idsOf(facts)).toEqual(["a", "b"]);
    },
  },
  {
    name: "sets aside what the engine refuses, and stores the rest",
    async check({ facts, refuse }) {
      refuse("b");
      expect(await apply(facts, [event("a"), event("b"), event("c")], 1)).toMatchObject({ refused: 1 });
      expect([await idsOf(facts), await facts.position()]).toEqual([["a", "c"], at(1)]);
      expect(await facts.summary()).toMatchObject({ events: 2, refused: 1 });
    },
  },
  {
    name: "gives events in order of arrival, page by page, of all or of one session",
    async check({ facts }) {
      const all = ["a", "b", "c", "d"].map((id, n) => event(id, { sessionId: n % 2 === 0 ? "s" : "t" }));
      await apply(facts, all, 1);
      const [first, second] = await facts.events({ after: 0, limit: 2 });
      expect([first!.event.id, second!.event.id]).toEqual(["a", "b"]);
      const rest = await facts.events({ after: second!.seq, limit: 10 });
      expect(rest.map((row) => row.event.id)).toEqual(["c", "d"]);
      const ofSession = await facts.events({ after: 0, limit: 10, sessionId: "t" });
      expect(ofSession.map((row) => row.event.id)).toEqual(["b", "d"]);
    },
  },
  {
    name: "gives what a session told before a place, the newest first",
    async check({ facts }) {
      await apply(facts, [event("a"), event("x", { sessionId: "t" }), event("b"), event("c")], 1);
      const newest = { sessionId: "s", after: 0, before: Number.MAX_SAFE_INTEGER, limit: 2 };
      const page = await facts.sessionEvents(newest);
      expect(page.map((row) => row.event.id)).toEqual(["c", "b"]);
      const older = await facts.sessionEvents({ ...newest, before: page.at(-1)!.seq });
      expect(older.map((row) => row.event.id)).toEqual(["a"]);
    },
  },
  {
    name: "knows of prompts which were told, which are private and which began with a command",
    async check({ facts }) {
      const hidden = event("h", { prompt: undefined, promptId: "hidden", private: true });
      await apply(facts, [event("o", { promptId: "open" }), hidden], 1);
      const known = await facts.prompts(["open", "hidden", "unknown"]);
      expect([...known]).toEqual([
        ["open", { eventIds: ["o"], isPrivate: false, slashCommand: undefined }],
        ["hidden", { eventIds: ["h"], isPrivate: true, slashCommand: undefined }],
      ]);
    },
  },
  {
    name: "keeps no content of a private turn, in whatever order it is told",
    async check({ facts }) {
      const message = event("m", {
        eventType: "turn.end",
        promptId: "p",
        lastAssistantMessage: "the secret plan",
      });
      await apply(facts, [message], 1);
      await apply(facts, [event("h", { promptId: "p", prompt: undefined, private: true })], 2);
      await apply(facts, [{ ...message, id: "n" }, event("o", { promptId: "q" })], 3);
      expect(JSON.stringify(await facts.events({ after: 0, limit: 10 }))).not.toContain("secret plan");
      expect(await facts.privateFacts(["m", "n", "o", "unknown"])).toEqual(new Set(["m", "n"]));
    },
  },
  {
    name: "gives large content back whole",
    async check({ facts }) {
      const toolInput = { file_path: "/x", content: "line\n".repeat(3_000) };
      await apply(
        facts,
        [event("a", { eventType: "tool.start", payload: { toolName: "Write", toolInput } })],
        1,
      );
      const [full] = await factsInParts(facts, [1]);
      expect(full?.payload?.toolInput).toEqual(toolInput);
      const [row] = await facts.events({ after: 0, limit: 1 });
      const shown = row!.event.payload?.toolInput as { $blob?: string };
      if (shown.$blob === undefined) expect(shown).toEqual(toolInput);
      else expect(JSON.parse((await facts.blob(shown.$blob))!)).toEqual(toolInput);
      expect(await facts.blob("unknown")).toBeUndefined();
    },
  },
  {
    name: "knows on which parts of the log its facts rest, and moves them",
    async check({ facts }) {
      await apply(facts, [event("a"), event("b")], 1, 1);
      await apply(facts, [event("c")], 2, 2);
      await apply(facts, [event("b")], 3, 3);
      const ids = async (...parts: LogPart[]) => (await factsInParts(facts, parts)).map(({ id }) => id);
      expect([await ids(1), await ids(2), await ids(3)]).toEqual([["a", "b"], ["b", "c"], ["b"]]);
      await facts.moveFacts([1], 4);
      expect([await ids(1), await ids(4)]).toEqual([[], ["a"]]);
      expect([await facts.hasFact("a"), await facts.hasFact("z")]).toEqual([true, false]);
    },
  },
  {
    name: "saves how far a stream was read, and keeps the last time where none is given",
    async check({ facts }) {
      expect(await facts.streamOffset("k")).toBeUndefined();
      await facts.saveStreamOffset("k", { inode: "i", byteOffset: 5 }, "2026-01-01T00:00:00.000Z");
      await facts.saveStreamOffset("k", { inode: "j", byteOffset: 9 }, null);
      const saved = { inode: "j", byteOffset: 9, updatedAtIso: "2026-01-01T00:00:00.000Z" };
      expect(await facts.streamOffset("k")).toEqual(saved);
    },
  },
  {
    name: "sums up what it has",
    async check({ facts }) {
      await apply(facts, [event("a"), event("b", { sessionId: "t", origin: "transcript" })], 1);
      expect(await facts.summary()).toEqual({
        events: 2,
        sessions: 2,
        refused: 0,
        lastEventPerSource: { hook: TIME, transcript: TIME },
      });
    },
  },
  {
    name: "removes a session and nothing of another, and knows until then that it was asked to",
    async check({ facts, reopen }) {
      await apply(facts, [event("a"), event("b", { sessionId: "t" })], 1);
      await facts.requestRemoval("s", "2026-11-15T12:00:01.000Z");
      await facts.requestRemoval("s", "2026-11-16T00:00:00.000Z");
      expect(await (await reopen()).pendingRemovals()).toEqual([
        { sessionId: "s", beforeIso: "2026-11-16T00:00:00.000Z" },
      ]);
      await facts.requestRemoval("t", TIME);
      await facts.cancelRemoval("t");
      await facts.removeSession("s");
      expect([await facts.pendingRemovals(), await idsOf(facts)]).toEqual([[], ["b"]]);
    },
  },
  {
    name: "gives a session's facts whole and in order, and none of another's",
    async check({ facts }) {
      const [a, b] = [event("a"), event("b", { prompt: "on" })];
      await apply(facts, [b, event("c", { sessionId: "t" }), a], 1);
      const found: string[] = [];
      for await (const { id, prompt } of facts.factsOfSession("s")) found.push(`${id} ${prompt}`);
      expect(found).toEqual(["b on", "a go"]);
    },
  },
  {
    name: "knows which sessions told nothing since a time, the oldest first",
    async check({ facts }) {
      const on = (id: string, sessionId: string, day: string): HooklineEvent =>
        event(id, { sessionId, occurredAtIso: `2026-01-${day}T00:00:00.000Z` });
      const all = [on("a", "new", "03"), on("b", "old", "02"), on("c", "older", "01")];
      await apply(facts, [...all, on("d", "lasting", "01"), on("e", "lasting", "05")], 1);
      expect(await facts.sessionsOlderThan("2026-01-03T00:00:00.000Z")).toEqual(["older", "old"]);
      const day = "2026-01-02T00:00:00.000Z";
      expect(await facts.newestSessionBefore(`${day.slice(0, 10)}T12:00:00.000Z`)).toBe(day);
      expect(await facts.newestSessionBefore("2025-01-01T00:00:00.000Z")).toBeNull();
    },
  },
];

const TIME = "2026-11-15T12:00:00.000Z";

function event(id: string, overrides: Partial<HooklineEvent> = {}): HooklineEvent {
  const base = {
    v: 1,
    eventType: "turn.start",
    occurredAtIso: TIME,
    promptId: `p-${id}`,
    prompt: "go",
  } as const;
  return {
    ...base,
    id,
    sessionId: "s",
    provider: "claude",
    projectPath: "/p",
    cwd: "/p",
    origin: "hook",
    ...overrides,
  };
}

function at(offset: number): Position {
  return String(offset) as Position;
}

function apply(
  facts: Facts,
  events: readonly HooklineEvent[],
  next: number,
  part: LogPart = 1,
): Promise<ApplyResult> {
  return facts.apply({ lines: events.map(toLine), part, next: at(next) });
}

async function idsOf(facts: Facts): Promise<string[]> {
  return (await facts.events({ after: 0, limit: 100 })).map((row) => row.event.id);
}

async function factsInParts(facts: Facts, parts: readonly LogPart[]): Promise<HooklineEvent[]> {
  const found: HooklineEvent[] = [];
  for await (const fact of facts.factsOf(parts)) found.push(fact);
  return found;
}
