import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../test/support/cli.ts";
import type { HooklineEvent } from "../event/event.ts";
import { toLine } from "../event/line.ts";
import {
  LifecycleEvent,
  LifecycleSessionMonitor,
  type TurnRichData,
  toTurnRichData,
} from "./lifecycle-session-monitor.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

const DAY_S = 86_400;

let dir: string;
let path: string;
let now = 0;
let monitors: LifecycleSessionMonitor[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-monitor-"));
  path = join(dir, "lifecycle.jsonl");
  [now, monitors] = [0, []];
});
afterEach(async () => {
  for (const monitor of monitors) await monitor.stop();
  rmSync(dir, { recursive: true, force: true });
});

const write = (events: readonly HooklineEvent[]): void =>
  appendFileSync(path, events.map((event) => `${toLine(event)}\n`).join(""));

async function watch(): Promise<{ monitor: LifecycleSessionMonitor; changes: SessionSnapshot[] }> {
  const monitor = new LifecycleSessionMonitor({ path, nowMs: () => Date.parse(iso(now)) });
  monitors.push(monitor);
  const changes: SessionSnapshot[] = [];
  monitor.onChange((snapshot) => changes.push(snapshot));
  await monitor.start();
  return { monitor, changes };
}

function startedStory(sessionId: string, at: number): Story {
  const story = createStory(sessionId);
  story.hook(at, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(at + 1, `${sessionId}-p`, "go");
  return story;
}

describe("a monitor that reads only the log", () => {
  it("reads the log at its start, except sessions that ended more than a day ago", async () => {
    const old = startedStory("old", 0);
    old.hook(10, "SessionEnd", { reason: "other" });
    const recent = startedStory("recent", 2 * DAY_S);
    recent.hook(2 * DAY_S + 10, "SessionEnd", { reason: "other" });
    const waiting = startedStory("waits", 0);
    waiting.requestPermission(20, "rm -r dist", { prompt_id: "waits-p" });
    write([...old.events, ...recent.events, ...waiting.events]);
    now = 2 * DAY_S + 60;
    const { monitor } = await watch();
    expect(monitor.sessions().map(({ sessionId, state }) => [sessionId, state])).toEqual([
      ["recent", "completed"],
      ["waits", "active"],
    ]);
    expect(monitor.session("waits")).toMatchObject({
      activityPhase: "waiting_permission",
      waiting: { text: "rm -r dist" },
    });
    expect(monitor.session("old")).toBeUndefined();
  });

  it("reports changes as they are written, and ignores invalid lines", async () => {
    const story = startedStory("s", 0);
    write(story.events);
    const { monitor, changes } = await watch();
    expect(changes.at(-1)).toMatchObject({ sessionId: "s", activityPhase: "busy" });
    const before = story.events.length;
    story.stop(9, "s-p");
    appendFileSync(path, 'no json\n{"a":1}\n\n');
    write(story.events.slice(before));
    await until(() => changes.at(-1)!.activityPhase === "interactable");
    await monitor.stop();
    const countAtStop = changes.length;
    write(startedStory("later", 20).events);
    expect([changes.length, monitor.sessions().length]).toEqual([countAtStop, 1]);
  });

  it("follows a log into a new segment, and waits for the rest of an incomplete line", async () => {
    const story = startedStory("s", 0);
    write(story.events);
    const { monitor } = await watch();
    const before = story.events.length;
    story.stop(9, "s-p");
    const line = `${toLine(story.events[before]!)}\n`;
    renameSync(path, join(dir, "lifecycle-1.jsonl"));
    writeFileSync(path, line.slice(0, 40));
    appendFileSync(path, line.slice(40));
    await until(() => monitor.session("s")!.activityPhase === "interactable");
  });

  it("starts before the log exists", async () => {
    const { monitor } = await watch();
    expect(monitor.sessions()).toEqual([]);
    write(startedStory("s", 0).events);
    await until(() => monitor.session("s")?.activityPhase === "busy");
  });
});

/** Lines as other programs write them: without `v` and `origin`, a skill without its call or prompt id. */
describe("a monitor of another program's stream", () => {
  const line = (at: number, fields: object): string =>
    `${JSON.stringify({
      id: `01HS${at}`,
      occurredAtIso: iso(at),
      sessionId: "sess-123",
      provider: "claude",
      projectPath: "/home/dev/kw-chat",
      ...fields,
    })}\n`;
  const started = { eventType: "session.lifecycle", phase: "started", cwd: "/home/dev/kw-chat" };
  const ended = { ...started, phase: "ended" };
  const skill = (phase: string, skillName = "spec"): object => ({
    eventType: "skill.lifecycle",
    phase,
    skillName,
    triggerCommand: `/${skillName} docs/abc.md`,
    turnSeq: 42,
    targetDocPath: "docs/abc.md",
  });
  const shown = (monitor: LifecycleSessionMonitor): unknown[] => {
    const { state, activityPhase, currentSkill } = monitor.session("sess-123")!;
    return [state, activityPhase, currentSkill];
  };

  it("shows the skill in progress, and clears it when it completes and when the session ends", async () => {
    const { monitor } = await watch();
    now = 2;
    appendFileSync(path, line(0, started) + line(2, skill("in_progress")));
    await until(() => monitor.session("sess-123")?.currentSkill === "spec");
    expect(shown(monitor)).toEqual(["active", "busy", "spec"]);
    expect(monitor.session("sess-123")).toMatchObject({ provider: "claude", cwd: "/home/dev/kw-chat" });
    appendFileSync(path, line(5, skill("completed")));
    await until(() => monitor.session("sess-123")!.currentSkill === null);
    appendFileSync(path, line(7, skill("in_progress", "review")) + line(9, ended));
    await until(() => monitor.session("sess-123")!.state === "completed");
    expect(shown(monitor)).toEqual(["completed", null, null]);
  });

  it('reads a line without a cwd, and treats the string "null" as no project', async () => {
    appendFileSync(path, line(0, { ...started, cwd: undefined, projectPath: "null" }));
    const { monitor } = await watch();
    expect(monitor.session("sess-123")).toMatchObject({ state: "active", projectPath: null, cwd: null });
  });

  it("starts before the folder of the stream exists", async () => {
    path = join(dir, "streams/deeper/lifecycle.jsonl");
    const { monitor } = await watch();
    expect(monitor.sessions()).toEqual([]);
    mkdirSync(join(dir, "streams/deeper"), { recursive: true });
    appendFileSync(path, line(0, started));
    await until(() => monitor.session("sess-123")?.state === "active");
  });

  it("starts over when the stream is replaced by another file, or truncated", async () => {
    appendFileSync(
      path,
      line(0, { ...started, sessionId: "old" }) + line(1, { ...started, sessionId: "old" }),
    );
    const { monitor } = await watch();
    renameSync(path, join(dir, "moved-away"));
    writeFileSync(
      path,
      line(2, started) + line(3, skill("in_progress")) + line(4, skill("in_progress", "b")),
    );
    await until(() => monitor.session("sess-123")?.currentSkill === "b");
    writeFileSync(path, line(5, { ...started, sessionId: "third" }));
    await until(() => monitor.session("third")?.state === "active");
  });

  it("ends a skill with its turn where the program reports turns", async () => {
    now = 9;
    const turn = [line(1, { eventType: "turn.start", prompt: "go" }), line(2, skill("in_progress"))];
    appendFileSync(path, line(0, started) + turn.join("") + line(8, { eventType: "turn.end" }));
    const { monitor } = await watch();
    expect(shown(monitor)).toEqual(["active", "interactable", null]);
  });
});

describe("the types that other programs import", () => {
  it("match the events that hooks write", () => {
    const story = startedStory("s", 0);
    const input = { skill: "release", args: "docs/a.md" };
    story.hook(2, "PreToolUse", { tool_name: "Skill", tool_use_id: "toolu_1", tool_input: input });
    story.hook(3, "SessionEnd", { reason: "other" });
    const events: LifecycleEvent[] = story.events.flatMap((event) => {
      const parsed = LifecycleEvent.safeParse(event);
      return parsed.success ? [parsed.data] : [];
    });
    const names = events.map((event) =>
      event.eventType === "skill.lifecycle" ? [event.phase, event.skillName, event.turnSeq] : [event.phase],
    );
    expect(names).toEqual([["started"], ["in_progress", "release", null], ["ended"]]);
  });

  it("include the data that the end of a turn adds to a session", async () => {
    write(startedStory("s", 0).events);
    const { monitor } = await watch();
    const turnData: TurnRichData = toTurnRichData(monitor.session("s")!);
    const tokens = { input: 0, output: 0, cached: 0 };
    expect(turnData).toEqual({ model: null, tokens, turnCount: 1, gitBranch: null });
  });
});
