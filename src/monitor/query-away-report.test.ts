import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPipeline, type Pipeline } from "../../test/support/pipeline.ts";
import { claude } from "../agents/claude/claude.ts";
import { waitDurationMs } from "../shown/wait-duration.ts";
import { queryAwayReport, queryUsageWithWaits, queryWaitTotals } from "./query-away-report.ts";
import { querySessions } from "./query-sessions.ts";
import { openSessionTracker, type SessionTracker } from "./session-tracker.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

const DAY_S = 86_400;
const NOW_S = 5 * DAY_S;

let pipeline: Pipeline;
let tracker: SessionTracker;

beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.appendEvents(
    [...oldSessions(), overlapping(), waiting(), failed(), lost(), empty()].flatMap(({ events }) => events),
  );
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

function startedStory(sessionId: string, at: number, cwd = "/home/dev/acme-shop"): Story {
  const story = createStory(sessionId);
  story.hook(at, "SessionStart", { source: "startup", cwd }, ATTENDED);
  story.hook(at + 1, "UserPromptSubmit", { prompt_id: `${sessionId}-p`, prompt: "go", cwd });
  return story;
}

/** Adds a request that is answered `seconds` later. */
function addAnsweredRequest(story: Story, at: number, seconds: number, cwd = "/home/dev/acme-shop"): void {
  const { sessionId } = story.view;
  const fields = { prompt_id: `${sessionId}-p`, cwd };
  story.startCall(at, `${sessionId}-${at}`, "npm publish", fields);
  story.requestPermission(at, "npm publish", fields);
  story.endCall(at + seconds, `${sessionId}-${at}`, "npm publish", fields);
}

/** Two sessions that ended days ago: one minute and three minutes of waiting, in two projects. */
function oldSessions(): Story[] {
  return [0, 1].map((n) => {
    const cwd = n === 0 ? "/home/dev/acme-shop" : "/home/dev/other";
    const story = startedStory(`old-${n}`, n * DAY_S, cwd);
    addAnsweredRequest(story, n * DAY_S + 10, n === 0 ? 60 : 180, cwd);
    story.hook(n * DAY_S + 300, "SessionEnd", { reason: "other", cwd });
    return story;
  });
}

/** Makes two overlapping requests that last 100 seconds together. */
function overlapping(): Story {
  const cwd = "/home/dev/other";
  const story = startedStory("beside", 2 * DAY_S, cwd);
  const ask = (at: number, seconds: number, command: string): void => {
    const fields = { prompt_id: "beside-p", cwd };
    story.startCall(2 * DAY_S + at, command, command, fields);
    story.requestPermission(2 * DAY_S + at, command, fields);
    story.endCall(2 * DAY_S + at + seconds, command, command, fields);
  };
  ask(10, 50, "touch a");
  ask(30, 80, "touch b");
  story.hook(2 * DAY_S + 300, "SessionEnd", { reason: "other", cwd });
  return story;
}

/** Has been waiting for ten minutes, and has written a file. */
function waiting(): Story {
  const story = startedStory("waits", NOW_S - 4_000);
  for (const n of [1, 2]) {
    const write = { tool_name: "Write", tool_input: { file_path: "/home/dev/acme-shop/a.ts", content: "a" } };
    const ids = { prompt_id: "waits-p", tool_use_id: `w${n}` };
    story.hook(NOW_S - 3_900 + n, "PostToolUse", { ...write, ...ids, tool_response: { type: "create" } });
  }
  addAnsweredRequest(story, NOW_S - 3_000, 30);
  story.requestPermission(NOW_S - 600, "rm -r dist", { prompt_id: "waits-p" });
  return story;
}

function failed(): Story {
  const story = startedStory("failed", NOW_S - 2_000);
  const call = { tool_name: "Bash", tool_input: { command: "x" }, prompt_id: "failed-p", tool_use_id: "f1" };
  story.hook(NOW_S - 1_950, "PostToolUseFailure", { ...call, error: "Exit code 1" });
  const error = "The user doesn't want to proceed with this tool use. The tool use was rejected";
  story.hook(NOW_S - 1_940, "PostToolUseFailure", { ...call, tool_use_id: "f2", error });
  const last_assistant_message = "API Error: it broke";
  story.hook(NOW_S - 1_900, "StopFailure", {
    ...{ prompt_id: "failed-p", error: "server_error", last_assistant_message },
  });
  return story;
}

function empty(): Story {
  const story = createStory("empty");
  story.hook(NOW_S - 500, "SessionStart", { source: "startup" }, ATTENDED);
  story.hook(NOW_S - 490, "SessionEnd", { reason: "prompt_input_exit" });
  return story;
}

function lost(): Story {
  const story = startedStory("lost", NOW_S - 1_000);
  story.processGone(NOW_S - 900);
  return story;
}

const rows: Parameters<typeof querySessions>[1] = (work) => work(pipeline.store.sessions);

describe("the away report", () => {
  const away = (since: number) => queryAwayReport(tracker, rows, iso(since), iso(NOW_S));
  const names = (sessions: readonly { sessionId: string }[]) => sessions.map(({ sessionId }) => sessionId);

  it("lists who needs a person, longest wait first, and what ended, failed and changed", async () => {
    const report = await away(NOW_S - 3_600);
    expect(names(report.needsPerson)).toEqual(["failed", "waits"]);
    expect(names(report.lost)).toEqual(["lost"]);
    expect(names(report.finished)).toEqual([]);
    expect(report.failures).toEqual([
      {
        sessionId: "failed",
        atIso: iso(NOW_S - 1_900),
        what: "server_error",
        message: "API Error: it broke",
      },
    ]);
    expect(report).toMatchObject({ sinceIso: iso(NOW_S - 3_600), untilIso: iso(NOW_S), failedToolCount: 1 });
    // Half a minute that was answered, and ten that are still pending.
    expect(report.humanWaitMs).toBe(630_000);
    expect(report.filesChanged).toEqual([]);
  });

  it("goes back as far as requested", async () => {
    const report = await away(-1);
    expect(names(report.finished)).toEqual(["beside", "old-1", "old-0"]);
    expect(report.humanWaitMs).toBe(630_000 + 240_000 + 100_000);
    expect(report.filesChanged).toEqual([
      { projectPath: "/home/dev/acme-shop", path: "/home/dev/acme-shop/a.ts", count: 2 },
    ]);
  });

  it("counts only the part of a wait within the requested time", async () => {
    expect((await away(NOW_S - 60)).humanWaitMs).toBe(60_000);
  });
});

describe("wait totals", () => {
  const waitTotals = (by: "day" | "project" | "session", since?: number) =>
    queryWaitTotals(
      tracker,
      rows,
      { by, since: since === undefined ? undefined : iso(since) },
      iso(NOW_S),
    ).then(({ totals }) => totals);

  it("are grouped by session", async () => {
    expect(await waitTotals("session")).toEqual([
      { key: "beside", count: 1, totalMs: 100_000, longestMs: 100_000 },
      { key: "old-0", count: 1, totalMs: 60_000, longestMs: 60_000 },
      { key: "old-1", count: 1, totalMs: 180_000, longestMs: 180_000 },
      { key: "waits", count: 2, totalMs: 630_000, longestMs: 600_000 },
    ]);
  });

  it("are grouped by project", async () => {
    expect(await waitTotals("project")).toEqual([
      { key: "/home/dev/acme-shop", count: 3, totalMs: 690_000, longestMs: 600_000 },
      { key: "/home/dev/other", count: 2, totalMs: 280_000, longestMs: 180_000 },
    ]);
  });

  it("match every other place that shows them", async () => {
    const { sessions } = await querySessions(tracker.watched, rows, { limit: 100 });
    const shown = sessions.map((session) => [
      session.sessionId,
      waitDurationMs(session, Date.parse(iso(NOW_S))),
    ]);
    const totalsBySession = (await waitTotals("session")).map(({ key, totalMs }) => [key, totalMs]);
    expect(shown.filter(([, ms]) => ms !== 0).sort()).toEqual(totalsBySession);
    const used = await queryUsageWithWaits(tracker, rows, { since: iso(-1), by: "model" }, iso(NOW_S));
    const byProject = used.projects.map(({ project, waitMs }) => [project, waitMs]).sort();
    expect(byProject).toEqual((await waitTotals("project")).map(({ key, totalMs }) => [key, totalMs]));
  });

  it("are grouped by day, since a time", async () => {
    const day = (seconds: number): string => {
      const date = new Date(iso(seconds));
      const two = (value: number): string => String(value).padStart(2, "0");
      return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    };
    expect((await waitTotals("day")).map(({ key, totalMs }) => [key, totalMs])).toEqual([
      [day(0), 60_000],
      [day(DAY_S), 180_000],
      [day(2 * DAY_S), 100_000],
      [day(NOW_S - 600), 630_000],
    ]);
    expect(await waitTotals("day", NOW_S - 3_600)).toMatchObject([{ count: 2 }]);
  });
});
