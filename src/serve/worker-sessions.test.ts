import { expect, it } from "vitest";
import type { RecordedSession } from "../store/memory-rows.ts";
import { createWorkerSessions } from "./worker-sessions.ts";

/** Session lookups resolve when the test says so. */
function open() {
  const payloads: Readonly<Record<string, unknown>>[] = [];
  const lookups: ((found: RecordedSession | undefined) => void)[] = [];
  let ids = 0;
  const sessions = createWorkerSessions({
    async record(payload) {
      payloads.push(payload);
      return { eventIds: [] };
    },
    session: () => new Promise((resolve) => lookups.push(resolve)),
    sessionOfRow: async () => undefined,
    newId: () => `id-${++ids}`,
  });
  /** Resolves lookups until no work is left. */
  const answer = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; quiet++) {
      await new Promise((resolve) => setImmediate(resolve));
      const lookup = lookups.shift();
      if (lookup === undefined) continue;
      lookup(undefined);
      quiet = -1;
    }
  };
  return {
    sessions,
    payloads,
    answer,
    names: () => payloads.map((payload) => payload["hook_event_name"]),
  };
}

const call = { toolName: "Read", location: { cwd: "/p" } };

it("starts a session once for concurrent reports", async () => {
  const { sessions, names, answer } = open();
  const both = [sessions.observe("s", call), sessions.observe("s", call)];
  await answer();
  await Promise.all(both);
  expect(names()).toEqual(["SessionStart", "PostToolUse", "PostToolUse"]);
});

it("assigns a call right after a prompt to that prompt's turn, even while its session is looked up", async () => {
  const { sessions, payloads, names, answer } = open();
  const location = { cwd: "/p" };
  const first = sessions.init("s", { prompt: "one", location });
  await answer();
  await first;
  const both = [sessions.init("s", { prompt: "two", location }), sessions.observe("s", call)];
  await answer();
  const [prompt] = await Promise.all(both);
  expect(prompt).toMatchObject({ status: "ok", promptNumber: 2 });
  expect(names()).toEqual(["SessionStart", "UserPromptSubmit", "UserPromptSubmit", "PostToolUse"]);
  expect(payloads[3]!["prompt_id"]).toBe(payloads[2]!["prompt_id"]);
  expect(payloads[2]!["prompt_id"]).not.toBe(payloads[1]!["prompt_id"]);
});

it("does not block the next report when a lookup fails", async () => {
  let lookupCount = 0;
  const sessions = createWorkerSessions({
    record: async () => ({ eventIds: [] }),
    async session() {
      if (lookupCount++ === 0) throw new Error("the database is busy");
      return undefined;
    },
    sessionOfRow: async () => undefined,
    newId: () => "id",
  });
  const [first, second] = await Promise.allSettled([
    sessions.observe("s", call),
    sessions.observe("s", call),
  ]);
  expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
});
