import { expect } from "vitest";
import { controlEnvelopeEvent } from "../../src/event/control-events.ts";
import type { HooklineEvent } from "../../src/event/event.ts";
import type { ControlRows } from "../../src/store/control-rows.ts";

/** The rows that control reads from one store, with a way to apply events to it. */
export interface ControlUnderTest {
  readonly control: ControlRows;
  /** Applies events, in this order. */
  apply(events: readonly HooklineEvent[]): Promise<void>;
  /** Adds a summary for a turn of that session. */
  summarise(sessionId: string, createdAtIso: string, completed: string): void;
  close(): Promise<void>;
}

export interface ControlGuarantee {
  readonly name: string;
  readonly check: (under: ControlUnderTest) => Promise<void>;
}

/** The guarantees of every store to control (src/store/control-rows.ts). */
export const CONTROL_GUARANTEES: readonly ControlGuarantee[] = [
  {
    name: "gives a session's envelopes by their number, also where that has two digits",
    async check({ control, apply }) {
      const bodies = Array.from({ length: 12 }, (_, n) => ({ type: "text", text: `t${n + 1}` }));
      await apply([
        ...envelopes("a", bodies).reverse(),
        ...envelopes("b", [{ type: "text", text: "other" }]),
      ]);
      const page = await control.envelopes("a", 8, 3);
      expect(page.map(({ seq, text }) => [seq, text])).toEqual([
        [9, "t9"],
        [10, "t10"],
        [11, "t11"],
      ]);
      expect([await control.lastEnvelopeSeq("a"), await control.lastEnvelopeSeq("nobody")]).toEqual([12, 0]);
    },
  },
  {
    name: "knows which driven sessions nobody closed",
    async check({ control, apply }) {
      const closed = { type: "state", state: "closed" };
      await apply([
        ...envelopes("open", [{ type: "state", state: "idle" }]),
        ...envelopes("again", [closed, { type: "text", text: "on" }]),
        ...envelopes("shut", [{ type: "text", text: "x" }, closed]),
      ]);
      expect(await control.unfinishedSessions()).toEqual([
        { sessionId: "again", lastSeq: 2, projectPath: "/p", cwd: "/p" },
        { sessionId: "open", lastSeq: 1, projectPath: "/p", cwd: "/p" },
      ]);
    },
  },
  {
    name: "knows in which sessions a request was lost, and since when",
    async check({ control, apply }) {
      await apply([
        ...envelopes("lost", [{ type: "permission.resolved", outcome: "lost" }]),
        ...envelopes("answered", [{ type: "question.resolved", outcome: "answered" }]),
      ]);
      expect(await control.sessionsWithLostRequests(day(14))).toEqual([
        { sessionId: "lost", projectPath: "/p", cwd: "/p" },
      ]);
      expect(await control.sessionsWithLostRequests(day(16))).toEqual([]);
    },
  },
  {
    name: "gives what happened since a time, in order of arrival, out of the newest",
    async check({ control, apply }) {
      await apply([event("a", 14), event("b", 16), event("c", 13), event("d", 15)]);
      expect(ids(await control.eventsSince(day(14), 10))).toEqual(["a", "b", "d"]);
      expect(ids(await control.eventsSince(day(14), 2))).toEqual(["d"]);
    },
  },
  {
    name: "gives what was written of requests by the beginning of their ids, since a time, in order of arrival",
    async check({ control, apply }) {
      const card = (id: string, at: number, cardId: string, phase: string) =>
        event(id, at, { eventType: "control.card", phase, card: { cardId } });
      const envelope = (id: string, at: number, type: string, seq: number, fields: object) =>
        event(id, at, { eventType: "control.envelope", phase: type, envelope: { type, seq, ...fields } });
      await apply([
        card("a", 16, "toolu_1a", "asked"),
        card("b", 15, "toolu_1a", "settled"),
        card("c", 15, "toolu_2", "asked"),
        card("d", 13, "toolu_1b", "asked"),
        envelope("e", 15, "permission.request", 1, { toolUseId: "toolu_1c" }),
        envelope("f", 15, "permission.resolved", 2, { toolUseId: "toolu_1c" }),
        envelope("g", 15, "question.request", 3, { toolUseId: "toolu_1c", requestId: "other" }),
        envelope("h", 15, "tool.start", 4, { toolUseId: "toolu_1c" }),
      ]);
      expect(ids(await control.requestEvents("toolu_1", day(14)))).toEqual(["a", "b", "e", "f"]);
      expect(ids(await control.requestEvents("toolu_1a", day(16)))).toEqual(["a"]);
      expect(ids(await control.requestEvents("toolu_%", day(1)))).toEqual([]);
    },
  },
  {
    name: "gives verdicts, the newest first, of all sessions or of one",
    async check({ control, apply }) {
      const verdict = { eventType: "control.verdict", phase: "denied" };
      await apply([
        event("a", 14, verdict),
        event("b", 16, { ...verdict, sessionId: "t" }),
        event("c", 15, verdict),
        event("d", 16),
      ]);
      expect(ids(await control.verdicts({ limit: 2 }))).toEqual(["b", "c"]);
      expect(ids(await control.verdicts({ limit: 9, sessionId: "s", sinceIso: day(15) }))).toEqual(["c"]);
    },
  },
  {
    name: "counts the calls that ran unchecked since a time",
    async check({ control, apply }) {
      const unchecked = { eventType: "control.verdict", phase: "unchecked" };
      await apply([event("a", 13, unchecked), event("b", 15, unchecked), event("c", 14, unchecked)]);
      expect(await control.uncheckedCalls(day(14))).toEqual({ count: 2, lastAtIso: day(15) });
      expect(await control.uncheckedCalls(day(16))).toEqual({ count: 0, lastAtIso: null });
    },
  },
  {
    name: "gives the newest calls since a time, in order of time",
    async check({ control, apply }) {
      const call = { eventType: "tool.start" };
      await apply([event("c", 16, call), event("a", 14, call), event("b", 15, call), event("x", 16)]);
      expect(ids(await control.newestCalls(day(14), 2))).toEqual(["b", "c"]);
      expect(ids(await control.newestCalls(day(16), 9))).toEqual(["c"]);
    },
  },
  {
    name: "has what was applied, and nothing else",
    async check({ control, apply }) {
      expect(await control.hasEvent("a")).toBe(false);
      await apply([event("a", 14)]);
      expect([await control.hasEvent("a"), await control.hasEvent("b")]).toEqual([true, false]);
    },
  },
  {
    name: "gives the words of a session's last summary",
    async check({ control, apply, summarise }) {
      await apply([event("a", 14), event("b", 14, { sessionId: "t" })]);
      summarise("s", day(15), "the later");
      summarise("s", day(14), "the earlier");
      summarise("t", day(16), "another's");
      expect(await control.lastSummary("s")).toEqual({ request: null, completed: "the later" });
      expect(await control.lastSummary("nobody")).toBeNull();
    },
  },
];

function day(n: number): string {
  return `2026-11-${n}T12:00:00.000Z`;
}

function event(id: string, onDay: number, overrides: Partial<HooklineEvent> = {}): HooklineEvent {
  const base = { v: 1, eventType: "turn.start", occurredAtIso: day(onDay), provider: "claude" } as const;
  return { ...base, id, sessionId: "s", projectPath: "/p", cwd: "/p", origin: "hook", ...overrides };
}

function envelopes(
  sessionId: string,
  bodies: readonly (Record<string, unknown> & { readonly type: string })[],
): HooklineEvent[] {
  const base = { sessionId, projectPath: "/p", cwd: "/p", occurredAtIso: day(15) };
  return bodies.map((body, index) => controlEnvelopeEvent(base, { ...body, seq: index + 1 }));
}

function ids(events: readonly HooklineEvent[]): string[] {
  return events.map(({ id }) => id);
}
