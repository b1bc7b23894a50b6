import { expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { eventLine } from "./event-line.ts";

const event = (more: object): HooklineEvent =>
  ({
    v: 1,
    id: "1",
    eventType: "turn.start",
    occurredAtIso: "2026-11-15T03:04:05.678Z",
    sessionId: "s",
    provider: "claude",
    projectPath: null,
    cwd: null,
    origin: "hook",
    ...more,
  }) as HooklineEvent;

it("shows the local time of an event", () => {
  const zone = process.env["TZ"];
  try {
    process.env["TZ"] = "Asia/Seoul";
    expect(eventLine(event({ prompt: "go" }))).toMatch(/^12:04:05\.678 s +turn\.start +go$/);
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});

it("shows what a reaction did", () => {
  const reaction = { rule: "test-at-stop", eventId: "e", action: "command", ok: false, message: "exit 1" };
  expect(eventLine(event({ eventType: "control.reaction", reaction }))).toContain(
    "failed test-at-stop command exit 1",
  );
});
