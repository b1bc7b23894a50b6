import { describe, expect, it } from "vitest";
import { judgePrompt, type PromptRule } from "./prompt-rules.ts";
import { readRules } from "./rules-file.ts";

const rules = rulesIn(`[
  { "id": "key", "find": "key=\\\\w+", "then": "filter", "with": "key=…", "reason": "Keys stay here." },
  { "id": "name", "find": "(alice) b\\\\.", "then": "filter", "with": "$1" },
  { "id": "hint", "find": "deploy", "then": "context", "with": "Deploys go through CI." },
  { "id": "hint-2", "find": "deploy", "then": "context", "with": "Never on Friday.", "project": "/srv/*" },
  { "id": "stop", "find": "force push", "then": "block", "reason": "Not that." }
]`);

function rulesIn(prompts: string): readonly PromptRule[] {
  const reading = readRules(`{"prompts":${prompts}}`, "user");
  if (reading.type === "invalid") throw new Error(JSON.stringify(reading.problems));
  return reading.rules.prompts;
}

function judge(prompt: string, projectPath: string | null = null) {
  return judgePrompt(rules, { prompt, projectPath });
}

describe("a prompt", () => {
  it("that no rule matches is left alone", () => {
    expect(judge("hello")).toBeNull();
  });

  it("is blocked before anything else", () => {
    expect(judge("Force PUSH and deploy with key=abc")).toEqual({
      type: "block",
      rule: "user/stop",
      reason: "Not that.",
    });
  });

  it("passes each filter once", () => {
    const verdict = judge("deploy key=abc KEY=def for Alice B.");
    expect(verdict).toEqual({
      type: "filter",
      rule: "user/key",
      reason: "Keys stay here.",
      prompt: "deploy key=… key=… for Alice",
    });
    expect(judge("deploy key=… for Alice")).toMatchObject({ type: "context" });
  });

  it("gets the context of matching rules, and none of other projects", () => {
    expect(judge("please deploy")).toEqual({
      type: "context",
      rule: "user/hint",
      text: "Deploys go through CI.",
    });
    expect(judge("please deploy", "/srv/shop")).toMatchObject({
      text: "Deploys go through CI.\nNever on Friday.",
    });
  });
});
