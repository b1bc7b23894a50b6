import { expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { forgetContent } from "../privacy/forgotten-event.ts";
import { createDetailFold } from "./read-detail.ts";
import type { SessionDetail } from "./session-detail.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

const detailOf = (story: Story, seconds = 30): SessionDetail => {
  const detail = createDetailFold(claude.usage);
  for (const event of story.events) detail.apply(event);
  return detail.read(story.at(seconds), story.view);
};
const skillsOf = (story: Story): unknown => detailOf(story).skills;

it("lists a session's skills as completed, in progress or interrupted by the turn's end", () => {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  const skill = (at: number, hook: string, name: string, promptId: string): void =>
    story.hook(at, hook, {
      tool_name: "Skill",
      tool_input: { skill: name },
      prompt_id: promptId,
      tool_use_id: `toolu_${name}`,
      tool_response: {},
    });
  story.prompt(1, "p1", "go");
  skill(2, "PreToolUse", "spec", "p1");
  skill(3, "PostToolUse", "spec", "p1");
  skill(4, "PreToolUse", "release", "p1");
  story.stop(5, "p1");
  story.prompt(6, "p2", "again");
  skill(7, "PreToolUse", "review", "p2");
  expect(skillsOf(story)).toEqual([
    { skillName: "spec", state: "completed", startedAtIso: iso(2), endedAtIso: iso(3) },
    { skillName: "release", state: "interrupted", startedAtIso: iso(4), endedAtIso: null },
    { skillName: "review", state: "in_progress", startedAtIso: iso(7), endedAtIso: null },
  ]);
  story.hook(20, "SessionEnd", { reason: "other" });
  expect(skillsOf(story)).toMatchObject([{}, {}, { skillName: "review", state: "interrupted" }]);
});

it("ends an interrupted turn at its last activity, whether the session continues or ends", () => {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, "p1", "go");
  story.startCall(3, "t1", "make");
  story.processGone(5);
  story.hook(600, "SessionStart", { source: "resume" }, { ...ATTENDED, pid: 200 });
  story.hook(601, "UserPromptSubmit", { prompt_id: "p2", prompt: "again" }, { pid: 200 });
  const interrupted = { promptId: "p1", outcome: "interrupted", endedAtIso: iso(3) };
  expect(detailOf(story, 602).turns).toMatchObject([interrupted, { outcome: "running", endedAtIso: null }]);
  story.hook(700, "SessionEnd", { reason: "other" }, { pid: 200 });
  expect(detailOf(story, 900).turns).toMatchObject([
    interrupted,
    { outcome: "interrupted", endedAtIso: iso(601) },
  ]);
});

it("distinguishes a forgotten prompt from a private one", () => {
  const story = createStory();
  story.prompt(1, "p1", "the walrus");
  const detail = createDetailFold(claude.usage);
  for (const event of story.events) detail.apply(forgetContent(event));
  expect(detail.read(story.at(30), story.view).turns).toMatchObject([{ prompt: null, isForgotten: true }]);
});
