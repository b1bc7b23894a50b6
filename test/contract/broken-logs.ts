import type { Log } from "../../src/log/log.ts";
import { createInMemoryDisk, openInMemoryLog } from "./in-memory-log.ts";
import type { LogUnderTest } from "./log-contract.ts";

export interface BrokenLog {
  readonly breaks: string;
  readonly how: string;
  readonly wreck: (under: LogUnderTest) => Partial<LogUnderTest>;
}

const log = (change: (log: Log) => Partial<Log>) => (under: LogUnderTest) => ({
  log: { ...under.log, ...change(under.log) },
});

/** One log per guarantee that breaks only that guarantee. */
export const BROKEN_LOGS: readonly BrokenLog[] = [
  {
    breaks: "gives back what was appended, in order and once",
    how: "the second batch is there twice",
    wreck: log(({ append }) => ({
      append: async (events) => {
        await append(events.slice(0, 1));
        return append(events);
      },
    })),
  },
  {
    breaks: "appends all of a batch or nothing",
    how: "event by event",
    wreck: log(({ append }) => ({
      append: async (events) => {
        for (const event of events.slice(0, -1)) await append([event]);
        return append(events.slice(-1));
      },
    })),
  },
  {
    breaks: "is durable as soon as append resolves",
    how: "another process does not see it",
    wreck: () => ({ reopen: async () => openInMemoryLog(createInMemoryDisk()) }),
  },
  {
    breaks: "keeps the order in which append was called",
    how: "some take longer",
    wreck: log(({ append }) => {
      let calls = 0;
      return {
        append: async (events) => {
          if (calls++ % 2 === 0) await new Promise(setImmediate);
          return append(events);
        },
      };
    }),
  },
  {
    breaks: "goes on after any position, also one from before a restart",
    how: "begins with the line before",
    wreck: log(({ read }) => ({
      read: (after, options) => read(after && (String(Number(after) - 1) as typeof after), options),
    })),
  },
  {
    breaks: "gives the view that follows each batch once, whoever else reads",
    how: "whoever reads takes it away",
    wreck: log(({ read }) => {
      let taken = 0;
      return {
        async *read(after, options) {
          for await (const batch of read(after, options)) {
            if (options?.live === true && Number(batch.next) <= taken) continue;
            taken = Math.max(taken, Number(batch.next));
            yield batch;
          }
        },
      };
    }),
  },
  {
    breaks: "erases lines for good, and every position stays what it was",
    how: "a copy of them stays",
    wreck: log(() => ({ findText: async (isFound) => (isFound('"gone-b"') ? ["a copy"] : []) })),
  },
  {
    breaks: "changes nothing when the same is erased again",
    how: "counts what was erased before",
    wreck: log(({ erase }) => {
      let all = 0;
      return {
        erase: async (change) => {
          all += await erase(change);
          return all;
        },
      };
    }),
  },
  {
    breaks: "puts a shorter text in the place of a line, and blanks where a longer one has no room",
    how: "only ever blanks",
    wreck: log(({ erase }) => ({
      erase: (change) => erase((line) => (change(line) === undefined ? undefined : "")),
    })),
  },
  {
    breaks: "does work that rewrites it one after the other",
    how: "all at once",
    wreck: log(() => ({ runExclusive: (work) => work() })),
  },
  {
    breaks: "appends again what was lost: what a view knows, and what none had read",
    how: "forgets what none had read",
    wreck: log(({ append, markApplied }) => ({
      append: async (events) => {
        const position = await append(events);
        markApplied(events.map((event) => JSON.stringify(event)));
        return position;
      },
      restore: async () => null,
    })),
  },
  {
    breaks: "restores nothing where nothing was lost",
    how: "appends all that is known",
    wreck: log(({ append }) => ({
      restore: async (_position, known) => {
        let restored = 0;
        for await (const fact of known.factsOf([])) restored += Number((await append([fact])) !== "");
        return { restored, unread: 0, rereadFrom: undefined };
      },
    })),
  },
  {
    breaks: "gives its parts newest first, each line once",
    how: "oldest first",
    wreck: log(({ readNewestFirst }) => ({
      async *readNewestFirst() {
        const parts = [];
        for await (const part of readNewestFirst()) parts.unshift(part);
        yield* parts;
      },
    })),
  },
  {
    breaks: "tells who watches that it has grown",
    how: "says nothing",
    wreck: log(() => ({ watch: () => () => undefined })),
  },
];
