import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../test/support/cli.ts";
import type { HooklineEvent } from "../event/event.ts";
import { toLine } from "../event/line.ts";
import { LifecycleSessionMonitor } from "./lifecycle-session-monitor.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

const DAY = 86_400;

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

function begun(sessionId: string, at: number): Story {
  const story = createStory(sessionId);
  story.hook(at, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(at + 1, `${sessionId}-p`, "go");
  return story;
}

describe("a monitor of the log alone", () => {
  it("knows at its start what the log tells, without what ended more than a day ago", async () => {
    const old = begun("old", 0);
    old.hook(10, "SessionEnd", { reason: "other" });
    const recent = begun("recent", 2 * DAY);
    recent.hook(2 * DAY + 10, "SessionEnd", { reason: "other" });
    const waits = begun("waits", 0);
    waits.asks(20, "rm -r dist", { prompt_id: "waits-p" });
    write([...old.events, ...recent.events, ...waits.events]);
    now = 2 * DAY + 60;
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

  it("tells of changes as they are written, and of lines that are none it says nothing", async () => {
    const story = begun("s", 0);
    write(story.events);
    const { monitor, changes } = await watch();
    expect(changes.at(-1)).toMatchObject({ sessionId: "s", activityPhase: "busy" });
    const told = story.events.length;
    story.stop(9, "s-p");
    appendFileSync(path, 'no json\n{"a":1}\n\n');
    write(story.events.slice(told));
    await until(() => changes.at(-1)!.activityPhase === "interactable");
    await monitor.stop();
    const heard = changes.length;
    write(begun("later", 20).events);
    expect([changes.length, monitor.sessions().length]).toEqual([heard, 1]);
  });

  it("follows a log that begins a new segment, and half a line until it is whole", async () => {
    const story = begun("s", 0);
    write(story.events);
    const { monitor } = await watch();
    const told = story.events.length;
    story.stop(9, "s-p");
    const line = `${toLine(story.events[told]!)}\n`;
    renameSync(path, join(dir, "lifecycle-1.jsonl"));
    writeFileSync(path, line.slice(0, 40));
    appendFileSync(path, line.slice(40));
    await until(() => monitor.session("s")!.activityPhase === "interactable");
  });

  it("begins before there is a log", async () => {
    const { monitor } = await watch();
    expect(monitor.sessions()).toEqual([]);
    write(begun("s", 0).events);
    await until(() => monitor.session("s")?.activityPhase === "busy");
  });
});
