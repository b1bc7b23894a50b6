import type { Facts } from "../../src/store/facts.ts";
import type { FactsUnderTest } from "./facts-contract.ts";

export interface BrokenFacts {
  readonly breaks: string;
  readonly how: string;
  readonly wreck: (under: FactsUnderTest) => Partial<FactsUnderTest>;
}

const facts = (change: (facts: Facts) => Partial<Facts>) => (under: FactsUnderTest) => ({
  facts: { ...under.facts, ...change(under.facts) },
});

/** One implementation per guarantee that breaks only that guarantee. */
export const BROKEN_FACTS: readonly BrokenFacts[] = [
  {
    breaks: "stands where the last batch ended, also when it is opened again",
    how: "stands where the batch began",
    wreck: facts(({ apply, position }) => ({
      apply: async (batch) => apply({ ...batch, next: (await position()) ?? batch.next }),
    })),
  },
  {
    breaks: "commits a batch and its position together, or neither",
    how: "commits the facts first, then the position",
    wreck: facts(({ apply, position }) => ({
      apply: async (batch) => {
        await apply({ ...batch, next: (await position()) ?? batch.next });
        return apply({ ...batch, lines: [] });
      },
    })),
  },
  {
    breaks: "is not changed by a batch that is applied again",
    how: "gives each fact a new place",
    wreck: facts(({ apply, events }) => {
      let times = 0;
      return {
        apply: (batch) => {
          times++;
          return apply(batch);
        },
        events: async (query) => (await events(query)).map((row) => ({ ...row, seq: row.seq + times })),
      };
    }),
  },
  {
    breaks: "makes one fact of all that is told under its id",
    how: "the last telling wins",
    wreck: facts(({ events }) => ({
      events: async (query) =>
        (await events(query)).map(({ seq, event }) => {
          const { lastAssistantMessage: _lost, ...rest } = event;
          return { seq, event: rest as typeof event };
        }),
    })),
  },
  {
    breaks: "reports lines that are no event, passes over blanks, and stores the rest",
    how: "says nothing of bad lines",
    wreck: facts(({ apply }) => ({
      apply: async (batch) => ({ ...(await apply(batch)), invalidLines: [] }),
    })),
  },
  {
    breaks: "sets aside what the engine refuses, and stores the rest",
    how: "takes what the engine refuses",
    wreck: () => ({ refuse: () => undefined }),
  },
  {
    breaks: "gives events in order of arrival, page by page, of all or of one session",
    how: "of all sessions, whichever is asked for",
    wreck: facts(({ events }) => ({ events: ({ after, limit }) => events({ after, limit }) })),
  },
  {
    breaks: "gives what a session told before a place, the newest first",
    how: "the oldest first",
    wreck: facts(({ sessionEvents }) => ({
      sessionEvents: async (query) => [...(await sessionEvents(query))].reverse(),
    })),
  },
  {
    breaks: "knows of prompts which were told, which are private and which began with a command",
    how: "takes every prompt for an open one",
    wreck: facts(({ prompts }) => ({
      prompts: async (ids) =>
        new Map([...(await prompts(ids))].map(([id, known]) => [id, { ...known, isPrivate: false }])),
    })),
  },
  {
    breaks: "keeps no content of a private turn, in whatever order it is told",
    how: "knows of no private fact",
    wreck: facts(() => ({ privateFacts: async () => new Set() })),
  },
  {
    breaks: "gives large content back whole",
    how: "gives a preview",
    wreck: facts(({ factsOf }) => ({
      async *factsOf(parts) {
        for await (const fact of factsOf(parts))
          yield { ...fact, payload: { toolInput: "…" } } as typeof fact;
      },
    })),
  },
  {
    breaks: "knows on which parts of the log its facts rest, and moves them",
    how: "leaves them where they were",
    wreck: facts(() => ({ moveFacts: async () => undefined })),
  },
  {
    breaks: "saves how far a stream was read, and keeps the last time where none is given",
    how: "forgets the time",
    wreck: facts(({ saveStreamOffset }) => ({
      saveStreamOffset: (key, offset, lastEventIso) => saveStreamOffset(key, offset, lastEventIso ?? ""),
    })),
  },
  {
    breaks: "sums up what it has",
    how: "counts a session for each event",
    wreck: facts(({ summary }) => ({ summary: async () => ({ ...(await summary()), sessions: 7 }) })),
  },
  {
    breaks: "removes a session and nothing of another, and knows until then that it was asked to",
    how: "still says that it is to be removed",
    wreck: facts(() => ({ pendingRemovals: async () => [{ sessionId: "s", beforeIso: "" }] })),
  },
  {
    breaks: "gives a session's facts whole and in order, and none of another's",
    how: "gives none",
    wreck: facts(() => ({ factsOfSession: async function* () {} })),
  },
  {
    breaks: "knows which sessions told nothing since a time, the oldest first",
    how: "the newest first",
    wreck: facts(({ sessionsOlderThan }) => ({
      sessionsOlderThan: async (iso) => [...(await sessionsOlderThan(iso))].reverse(),
    })),
  },
];
