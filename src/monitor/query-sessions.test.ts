import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPipeline, type Pipeline } from "../../test/support/pipeline.ts";
import { claude } from "../agents/claude/claude.ts";
import { querySession, querySessions, type SessionCriteria } from "./query-sessions.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { openSessionTracker, type SessionTracker } from "./session-tracker.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";
import { createWatchedSessions } from "./watched-sessions.ts";

const DAY_S = 86_400;
const NOW_S = 10 * DAY_S;

let pipeline: Pipeline;
let tracker: SessionTracker;

/** Sessions over ten days, several at exactly the same time; those of the last day are watched. */
beforeAll(async () => {
  pipeline = await openPipeline();
  const stories = Array.from({ length: 60 }, (_, n) => storyOf(n));
  await pipeline.appendEvents(stories.flatMap(({ events }) => events));
  tracker = await openSessionTracker({
    prices: claude.usage,
    rows: (work) => work(pipeline.store.sessions),
    nowMs: () => Date.parse(iso(NOW_S)),
    monotonicMs: () => 1e9,
    onChange: () => undefined,
    onDrop: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  await tracker.buildMissingRows();
});
afterAll(async () => {
  await tracker.close();
  await pipeline.close();
});

/** Every third waits, every third failed, every third has ended; groups of five share their times. */
function storyOf(n: number): Story {
  const sessionId = `${"abcdef"[n % 6]}${String(n).padStart(7, "0")}-0000`;
  const story = createStory(sessionId);
  const at = NOW_S - 100 - Math.floor(n / 5) * DAY_S * 0.6;
  const prompt_id = `p-${n}`;
  const cwd = n % 2 === 0 ? "/home/dev/acme-shop" : "/home/dev/other";
  story.hook(at - 9, "SessionStart", { source: "startup", cwd }, ATTENDED);
  const prompt = n % 4 === 0 ? `Mend the Till ${n}` : `look ${n}`;
  story.hook(at - 8, "UserPromptSubmit", { prompt_id, prompt, cwd });
  if (n % 3 === 0) story.hook(at, "PermissionRequest", { tool_name: "Bash", tool_input: {}, prompt_id, cwd });
  if (n % 3 === 1) story.hook(at, "StopFailure", { prompt_id, error: "server_error", cwd });
  if (n % 3 === 2) story.hook(at, "SessionEnd", { reason: "other", cwd });
  return story;
}

const rows: Parameters<typeof querySessions>[1] = (work) => work(pipeline.store.sessions);
const ask = (criteria: Partial<SessionCriteria> = {}) =>
  querySessions(tracker.watched, rows, { limit: 1_000, ...criteria });

async function allPages(criteria: Partial<SessionCriteria>, limit: number): Promise<SessionSnapshot[]> {
  const found: SessionSnapshot[] = [];
  for (let after: string | undefined; ; ) {
    const page = await ask({ ...criteria, after, limit });
    expect(page.sessions.length).toBeLessThanOrEqual(limit);
    found.push(...page.sessions);
    if (page.next === null) return found;
    after = page.next;
  }
}

describe("pages of sessions", () => {
  it("merge watched and saved sessions, newest first", async () => {
    const watched = [...tracker.watched.ids()];
    expect(watched.length).toBeGreaterThan(5);
    expect(watched.length).toBeLessThan(60);
    const { sessions, next } = await ask();
    expect(sessions).toHaveLength(60);
    expect(next).toBeNull();
    const times = sessions.map(({ lastEventAtIso }) => lastEventAtIso);
    expect(times).toEqual([...times].sort().reverse());
  });

  const filters: Record<string, [Partial<SessionCriteria>, (session: SessionSnapshot) => boolean]> = {
    nothing: [{}, () => true],
    "a state": [{ state: ["completed"] }, ({ state }) => state === "completed"],
    "two states": [{ state: ["active", "idle"] }, ({ state }) => state === "active" || state === "idle"],
    "those that need a person": [{ needsPerson: true }, ({ needsPerson }) => needsPerson],
    "a project by its path": [
      { project: "/home/dev/other" },
      ({ projectPath }) => projectPath === "/home/dev/other",
    ],
    "a project by its name": [{ project: "other" }, ({ projectPath }) => projectPath === "/home/dev/other"],
    words: [{ q: "the TILL" }, ({ lastUserMessage }) => lastUserMessage!.includes("Mend the Till")],
    "a provider": [{ provider: "codex" }, () => false],
    "a time": [
      { since: iso(NOW_S - 3 * DAY_S) },
      ({ lastEventAtIso }) => lastEventAtIso >= iso(NOW_S - 3 * DAY_S),
    ],
    "all of them": [
      { state: ["active", "idle"], needsPerson: true, project: "acme-shop", q: "till" },
      (session) =>
        session.needsPerson && session.projectPath === "/home/dev/acme-shop" && /till/i.test(session.title!),
    ],
  };
  it.each(Object.entries(filters))(
    "contain every matching session once, filtered by %s",
    async (_name, [criteria, fits]) => {
      const expected = (await ask()).sessions.filter(fits);
      for (const limit of [1, 3, 7, 60]) {
        const ids = (await allPages(criteria, limit)).map(({ sessionId }) => sessionId);
        expect(ids).toEqual(expected.map(({ sessionId }) => sessionId));
      }
    },
  );

  it("are empty after a malformed cursor", async () => {
    expect(await ask({ after: "garbage" })).toEqual({ sessions: [], next: null });
  });
});

describe("one session", () => {
  it("is read in pages when it is long, yielding between them", async () => {
    const long = await openPipeline();
    const story = createStory("long-session");
    story.hook(1, "SessionStart", { source: "startup" }, ATTENDED);
    story.hook(2, "UserPromptSubmit", { prompt_id: "p", prompt: "go" });
    for (let n = 0; n < 700; n++) {
      const call = {
        prompt_id: "p",
        tool_name: "Bash",
        tool_input: { command: `n ${n}` },
        tool_use_id: `c${n}`,
      };
      story.hook(3 + n, "PreToolUse", call);
      story.hook(3.5 + n, "PostToolUse", { ...call, tool_response: { stdout: "" } });
    }
    await long.appendEvents(story.events);
    const read: typeof rows = (work) => work(long.store.sessions);
    let [ticks, isDone] = [0, false];
    const count = (): void => {
      ticks++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const unwatched = createWatchedSessions({ prices: claude.usage, nowMs: () => 0, monotonicMs: () => 0 });
    const detail = await querySession(unwatched, read, "long-session", Date.parse(iso(NOW_S)));
    isDone = true;
    expect(detail).toMatchObject({
      turns: [{ number: 1, toolCount: 700 }],
      tools: [{ toolName: "Bash", count: 700 }],
    });
    expect(ticks).toBeGreaterThan(1);
    await long.close();
  });

  const find = (id: string) => querySession(tracker.watched, rows, id, Date.parse(iso(NOW_S)));

  it("is found by its id or a prefix, watched or saved", async () => {
    for (const { sessionId } of (await ask()).sessions) {
      expect(await find(sessionId)).toMatchObject({ session: { sessionId }, turns: [{ number: 1 }] });
      expect(await find(sessionId.slice(0, 8))).toMatchObject({ session: { sessionId } });
    }
  });

  it("is not guessed: an ambiguous prefix returns all matches, and too short a prefix none", async () => {
    expect(await find("a00000")).toMatchObject({ ambiguous: expect.arrayContaining(["a0000000-0000"]) });
    expect(await find("a0")).toBeUndefined();
    expect(await find("nobody")).toBeUndefined();
    expect(await find("%")).toBeUndefined();
  });
});
