import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPipeline, type Pipeline } from "../../test/support/pipeline.ts";
import { claude } from "../agents/claude/claude.ts";
import { waitDurationMs } from "../shown/wait-duration.ts";
import { queryAwayReport, queryUsageWithWaits, queryWaitTotals } from "./query-away-report.ts";
import { querySessions } from "./query-sessions.ts";
import { openSessionTracker, type SessionTracker } from "./session-tracker.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

const DAY = 86_400;
const NOW = 5 * DAY;

let pipeline: Pipeline;
let keeper: SessionTracker;

beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.appendEvents(
    [...old(), beside(), waits(), failed(), lost(), empty()].flatMap(({ events }) => events),
  );
  keeper = await openSessionTracker({
    prices: claude.usage,
    rows: (work) => work(pipeline.store.sessions),
    nowMs: () => Date.parse(iso(NOW)),
    monotonicMs: () => 1e9,
    onChange: () => undefined,
    onDrop: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  await keeper.buildMissingRows();
});
afterAll(async () => {
  await keeper.close();
  await pipeline.close();
});

function begun(sessionId: string, at: number, cwd = "/home/dev/acme-shop"): Story {
  const story = createStory(sessionId);
  story.hook(at, "SessionStart", { source: "startup", cwd }, ATTENDED);
  story.hook(at + 1, "UserPromptSubmit", { prompt_id: `${sessionId}-p`, prompt: "go", cwd });
  return story;
}

/** Asks at a time and is answered that many seconds later. */
function answered(story: Story, at: number, seconds: number, cwd = "/home/dev/acme-shop"): void {
  const { sessionId } = story.view;
  const fields = { prompt_id: `${sessionId}-p`, cwd };
  story.call(at, `${sessionId}-${at}`, "npm publish", fields);
  story.asks(at, "npm publish", fields);
  story.ran(at + seconds, `${sessionId}-${at}`, "npm publish", fields);
}

/** Two sessions that ended days ago: one minute and three minutes of waiting, in two projects. */
function old(): Story[] {
  return [0, 1].map((n) => {
    const cwd = n === 0 ? "/home/dev/acme-shop" : "/home/dev/other";
    const story = begun(`old-${n}`, n * DAY, cwd);
    answered(story, n * DAY + 10, n === 0 ? 60 : 180, cwd);
    story.hook(n * DAY + 300, "SessionEnd", { reason: "other", cwd });
    return story;
  });
}

/** Asks twice within 100 seconds, the second time before the first is answered. */
function beside(): Story {
  const cwd = "/home/dev/other";
  const story = begun("beside", 2 * DAY, cwd);
  const ask = (at: number, seconds: number, command: string): void => {
    const fields = { prompt_id: "beside-p", cwd };
    story.call(2 * DAY + at, command, command, fields);
    story.asks(2 * DAY + at, command, fields);
    story.ran(2 * DAY + at + seconds, command, command, fields);
  };
  ask(10, 50, "touch a");
  ask(30, 80, "touch b");
  story.hook(2 * DAY + 300, "SessionEnd", { reason: "other", cwd });
  return story;
}

/** Has been waiting for ten minutes, and has written a file. */
function waits(): Story {
  const story = begun("waits", NOW - 4_000);
  for (const n of [1, 2]) {
    const write = { tool_name: "Write", tool_input: { file_path: "/home/dev/acme-shop/a.ts", content: "a" } };
    const ids = { prompt_id: "waits-p", tool_use_id: `w${n}` };
    story.hook(NOW - 3_900 + n, "PostToolUse", { ...write, ...ids, tool_response: { type: "create" } });
  }
  answered(story, NOW - 3_000, 30);
  story.asks(NOW - 600, "rm -r dist", { prompt_id: "waits-p" });
  return story;
}

function failed(): Story {
  const story = begun("failed", NOW - 2_000);
  const call = { tool_name: "Bash", tool_input: { command: "x" }, prompt_id: "failed-p", tool_use_id: "f1" };
  story.hook(NOW - 1_950, "PostToolUseFailure", { ...call, error: "Exit code 1" });
  const error = "The user doesn't want to proceed with this tool use. The tool use was rejected";
  story.hook(NOW - 1_940, "PostToolUseFailure", { ...call, tool_use_id: "f2", error });
  const last_assistant_message = "API Error: it broke";
  story.hook(NOW - 1_900, "StopFailure", {
    ...{ prompt_id: "failed-p", error: "server_error", last_assistant_message },
  });
  return story;
}

function empty(): Story {
  const story = createStory("empty");
  story.hook(NOW - 500, "SessionStart", { source: "startup" }, ATTENDED);
  story.hook(NOW - 490, "SessionEnd", { reason: "prompt_input_exit" });
  return story;
}

function lost(): Story {
  const story = begun("lost", NOW - 1_000);
  story.gone(NOW - 900);
  return story;
}

const rows: Parameters<typeof querySessions>[1] = (work) => work(pipeline.store.sessions);

describe("what happened since a person looked", () => {
  const away = (since: number) => queryAwayReport(keeper, rows, iso(since), iso(NOW));
  const names = (sessions: readonly { sessionId: string }[]) => sessions.map(({ sessionId }) => sessionId);

  it("names who needs one, the longest waiting first, and what ended, broke and changed", async () => {
    const report = await away(NOW - 3_600);
    expect(names(report.needsPerson)).toEqual(["failed", "waits"]);
    expect(names(report.lost)).toEqual(["lost"]);
    expect(names(report.finished)).toEqual([]);
    expect(report.failures).toEqual([
      { sessionId: "failed", atIso: iso(NOW - 1_900), what: "server_error", message: "API Error: it broke" },
    ]);
    expect(report).toMatchObject({ sinceIso: iso(NOW - 3_600), untilIso: iso(NOW), failedToolCount: 1 });
    // Half a minute that was answered, and ten that are still pending.
    expect(report.humanWaitMs).toBe(630_000);
    expect(report.filesChanged).toEqual([]);
  });

  it("goes back as far as it is asked", async () => {
    const report = await away(-1);
    expect(names(report.finished)).toEqual(["beside", "old-1", "old-0"]);
    expect(report.humanWaitMs).toBe(630_000 + 240_000 + 100_000);
    expect(report.filesChanged).toEqual([
      { projectPath: "/home/dev/acme-shop", path: "/home/dev/acme-shop/a.ts", count: 2 },
    ]);
  });

  it("counts of a wait only what lies in the time that is asked for", async () => {
    expect((await away(NOW - 60)).humanWaitMs).toBe(60_000);
  });
});

describe("how long agents waited", () => {
  const waited = (by: "day" | "project" | "session", since?: number) =>
    queryWaitTotals(keeper, rows, { by, since: since === undefined ? undefined : iso(since) }, iso(NOW)).then(
      ({ totals }) => totals,
    );

  it("is told by session", async () => {
    expect(await waited("session")).toEqual([
      { key: "beside", count: 1, totalMs: 100_000, longestMs: 100_000 },
      { key: "old-0", count: 1, totalMs: 60_000, longestMs: 60_000 },
      { key: "old-1", count: 1, totalMs: 180_000, longestMs: 180_000 },
      { key: "waits", count: 2, totalMs: 630_000, longestMs: 600_000 },
    ]);
  });

  it("is told by project", async () => {
    expect(await waited("project")).toEqual([
      { key: "/home/dev/acme-shop", count: 3, totalMs: 690_000, longestMs: 600_000 },
      { key: "/home/dev/other", count: 2, totalMs: 280_000, longestMs: 180_000 },
    ]);
  });

  it("is the same in every place that tells it", async () => {
    const { sessions } = await querySessions(keeper.watched, rows, { limit: 100 });
    const shown = sessions.map((session) => [
      session.sessionId,
      waitDurationMs(session, Date.parse(iso(NOW))),
    ]);
    const told = (await waited("session")).map(({ key, totalMs }) => [key, totalMs]);
    expect(shown.filter(([, ms]) => ms !== 0).sort()).toEqual(told);
    const used = await queryUsageWithWaits(keeper, rows, { since: iso(-1), by: "model" }, iso(NOW));
    const byProject = used.projects.map(({ project, waitMs }) => [project, waitMs]).sort();
    expect(byProject).toEqual((await waited("project")).map(({ key, totalMs }) => [key, totalMs]));
  });

  it("is told by day, and since a time", async () => {
    const day = (seconds: number): string => {
      const date = new Date(iso(seconds));
      const two = (value: number): string => String(value).padStart(2, "0");
      return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    };
    expect((await waited("day")).map(({ key, totalMs }) => [key, totalMs])).toEqual([
      [day(0), 60_000],
      [day(DAY), 180_000],
      [day(2 * DAY), 100_000],
      [day(NOW - 600), 630_000],
    ]);
    expect(await waited("day", NOW - 3_600)).toMatchObject([{ count: 2 }]);
  });
});
