import { expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { forgetContent } from "../privacy/forgotten-event.ts";
import { createDetail } from "./read-detail.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

const skillsOf = (story: Story): unknown => {
  const detail = createDetail(claude.usage);
  for (const event of story.events) detail.tell(event);
  return detail.read(story.at(30), story.view).skills;
};

it("lists a session's skills with their state: completed, in progress, or cut off by the turn's end", () => {
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

it("tells a prompt that was forgotten from one that was private", () => {
  const story = createStory();
  story.prompt(1, "p1", "the walrus");
  const detail = createDetail(claude.usage);
  for (const event of story.events) detail.tell(forgetContent(event));
  expect(detail.read(story.at(30), story.view).turns).toMatchObject([{ prompt: null, isForgotten: true }]);
});
