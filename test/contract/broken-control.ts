import type { ControlRows } from "../../src/store/control-rows.ts";
import type { ControlUnderTest } from "./control-contract.ts";

export interface BrokenControl {
  readonly breaks: string;
  readonly how: string;
  readonly wreck: (under: ControlUnderTest) => Partial<ControlUnderTest>;
}

const rows = (change: (control: ControlRows) => Partial<ControlRows>) => (under: ControlUnderTest) => ({
  control: { ...under.control, ...change(under.control) },
});

/** One implementation per guarantee that breaks only that guarantee. */
export const BROKEN_CONTROL: readonly BrokenControl[] = [
  {
    breaks: "gives a session's envelopes by their number, also where that has two digits",
    how: "orders numbers as text",
    wreck: rows(({ envelopes }) => ({
      envelopes: async (sessionId, afterSeq, limit) =>
        (await envelopes(sessionId, 0, 1_000))
          .filter(({ seq }) => String(seq) > String(afterSeq))
          .slice(0, limit),
    })),
  },
  {
    breaks: "knows which driven sessions nobody closed",
    how: "knows those that were never closed alone",
    wreck: rows(({ unfinishedSessions }) => ({
      unfinishedSessions: async () => (await unfinishedSessions()).filter(({ lastSeq }) => lastSeq === 1),
    })),
  },
  {
    breaks: "knows in which sessions a request was lost, and since when",
    how: "whenever it was",
    wreck: rows(({ sessionsWithLostRequests }) => ({
      sessionsWithLostRequests: () => sessionsWithLostRequests(""),
    })),
  },
  {
    breaks: "gives what happened since a time, in order of arrival, out of the newest",
    how: "out of the oldest",
    wreck: rows(({ eventsSince }) => ({
      eventsSince: async (iso, limit) => (await eventsSince(iso, 1_000)).slice(0, limit),
    })),
  },
  {
    breaks:
      "gives what was written of requests by the beginning of their ids, since a time, in order of arrival",
    how: "whenever it was",
    wreck: rows(({ requestEvents }) => ({ requestEvents: (idStart) => requestEvents(idStart, "") })),
  },
  {
    breaks: "gives verdicts, the newest first, of all sessions or of one",
    how: "the oldest first",
    wreck: rows(({ verdicts }) => ({ verdicts: async (query) => (await verdicts(query)).reverse() })),
  },
  {
    breaks: "counts the calls that ran unchecked since a time",
    how: "since ever",
    wreck: rows(({ uncheckedCalls }) => ({ uncheckedCalls: () => uncheckedCalls("") })),
  },
  {
    breaks: "gives the newest calls since a time, in order of time",
    how: "the oldest of them",
    wreck: rows(({ newestCalls }) => ({
      newestCalls: async (iso, limit) => (await newestCalls(iso, 1_000)).slice(0, limit),
    })),
  },
  {
    breaks: "has what was applied, and nothing else",
    how: "has everything",
    wreck: rows(() => ({ hasEvent: async () => true })),
  },
  {
    breaks: "gives the words of a session's last summary",
    how: "of any session's",
    wreck: rows(({ lastSummary }) => ({ lastSummary: () => lastSummary("t") })),
  },
];
