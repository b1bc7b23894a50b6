import { expect, it } from "vitest";
import type { RecordedSession } from "../store/memory-rows.ts";
import { createWorkerSessions } from "./worker-sessions.ts";

/** Session lookups resolve when the test says so. */
function open() {
  const told: Readonly<Record<string, unknown>>[] = [];
  const lookups: ((found: RecordedSession | undefined) => void)[] = [];
  let ids = 0;
  const sessions = createWorkerSessions({
    async record(payload) {
      told.push(payload);
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
  return { sessions, told, answer, names: () => told.map((payload) => payload["hook_event_name"]) };
}

const call = { toolName: "Read", location: { cwd: "/p" } };

it("a session that two tell of at once begins once", async () => {
  const { sessions, names, answer } = open();
  const both = [sessions.observe("s", call), sessions.observe("s", call)];
  await answer();
  await Promise.all(both);
  expect(names()).toEqual(["SessionStart", "PostToolUse", "PostToolUse"]);
});

it("a call that is told right after a prompt is one of its turn, though the prompt's session is still looked up", async () => {
  const { sessions, told, names, answer } = open();
  const location = { cwd: "/p" };
  const first = sessions.init("s", { prompt: "one", location });
  await answer();
  await first;
  const both = [sessions.init("s", { prompt: "two", location }), sessions.observe("s", call)];
  await answer();
  const [prompt] = await Promise.all(both);
  expect(prompt).toMatchObject({ status: "ok", promptNumber: 2 });
  expect(names()).toEqual(["SessionStart", "UserPromptSubmit", "UserPromptSubmit", "PostToolUse"]);
  expect(told[3]!["prompt_id"]).toBe(told[2]!["prompt_id"]);
  expect(told[2]!["prompt_id"]).not.toBe(told[1]!["prompt_id"]);
});

it("one whose session cannot be looked up does not hold up the next", async () => {
  let asked = 0;
  const sessions = createWorkerSessions({
    record: async () => ({ eventIds: [] }),
    async session() {
      if (asked++ === 0) throw new Error("the database is busy");
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
