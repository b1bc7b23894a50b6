import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import type { HooklineEvent } from "../event/event.ts";
import { foldEvent } from "./fold-event.ts";
import { changedFile } from "./read-detail.ts";
import { readSession } from "./read-session.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { createSessionView } from "./session-view.ts";
import { createStory, iso } from "./story.testing.ts";

const CALLS: readonly (readonly [string, object])[] = [
  ["Bash", { command: "npm test\nls", description: "Run" }],
  ["Bash", { command: "x".repeat(400) }],
  ["Edit", { file_path: "/home/dev/acme-shop/a.ts", old_string: "x", new_string: "y" }],
  ["Grep", { pattern: "total", path: "src" }],
  ["Skill", { skill: "commit" }],
  ["Agent", { description: "Look", prompt: "…" }],
  ["AskUserQuestion", { questions: [{ question: "A?" }, { question: "B?" }] }],
  ["ExitPlanMode", { plan: "1. Build\n2. Ship" }],
  ["TaskCreate", { subject: "s", description: "d" }],
  ["mcp__shop__buy", { item: "anvil" }],
];

function record(tool: string, input: object, isRequested: boolean): HooklineEvent[] {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, { env: { CLAUDE_CODE_SESSION_ATTENDED: "1" } });
  story.prompt(1, "p1", "Go on");
  const call = { tool_name: tool, tool_input: input, prompt_id: "p1" };
  story.hook(2, "PreToolUse", { ...call, tool_use_id: "t1" });
  if (isRequested) story.hook(3, "PermissionRequest", call);
  return story.events;
}

function snapshotOf(events: readonly HooklineEvent[]): SessionSnapshot {
  const view = createSessionView("s1", claude.usage);
  for (const event of events) foldEvent(view, event);
  return readSession(view, { nowMs: Date.parse(iso(4)), quietMs: 1_000 });
}

/** As written by a version without kinds and subjects. */
function withoutKind(event: HooklineEvent): HooklineEvent {
  const { toolKind: _kind, subject: _subject, ...rest } = event;
  if (event.payload === undefined) return rest as HooklineEvent;
  const { toolKind: _toolKind, subject: _line, ...payload } = event.payload;
  return { ...rest, payload } as HooklineEvent;
}

describe("a session that an earlier version recorded", () => {
  it.each(CALLS)("looks the same as a current one, while it runs %s and while it waits", (tool, input) => {
    for (const isRequested of [false, true]) {
      const now = record(tool, input, isRequested);
      const before = now.map(withoutKind);
      expect(JSON.stringify(before)).not.toMatch(/"toolKind"|"subject":"(?!s")/);
      expect(snapshotOf(before)).toEqual(snapshotOf(now));
    }
  });
});

describe("a session of an agent whose tools have other names", () => {
  const NAMES = new Map([
    ["AskUserQuestion", "toy_ask"],
    ["ExitPlanMode", "toy_plan"],
    ["Bash", "toy_run"],
    ["Edit", "toy_change"],
  ]);
  const asToy = (event: HooklineEvent): HooklineEvent =>
    JSON.parse(
      JSON.stringify({ ...event, provider: "toy" }).replace(
        /"toolName":"(\w+)"/g,
        (_, name: string) => `"toolName":"${NAMES.get(name)}"`,
      ),
    ) as HooklineEvent;

  it.each(CALLS.filter(([tool]) => NAMES.has(tool)))("behaves the same: %s", (tool, input) => {
    const claude = snapshotOf(record(tool, input, true));
    const toy = snapshotOf(record(tool, input, true).map(asToy));
    expect(toy.waiting).toEqual({ ...claude.waiting, toolName: NAMES.get(tool) });
    expect(toy.activityPhase).toBe(claude.activityPhase);
    const busy = snapshotOf(record(tool, input, false).map(asToy));
    expect(busy.why).toBe(snapshotOf(record(tool, input, false)).why.replace(tool, NAMES.get(tool)!));
  });

  it("reports files changed by its edits", () => {
    const payload = { toolName: "toy_change", toolKind: "edit", success: true, metadata: { filePath: "/a" } };
    expect(changedFile({ payload } as unknown as HooklineEvent)).toBe("/a");
  });
});
