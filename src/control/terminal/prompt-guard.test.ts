import { describe, expect, it } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { PromptRule } from "../../policy/prompt-rules.ts";
import { createPromptGuard, type PromptGuardOptions } from "./prompt-guard.ts";

const rule = (then: PromptRule["then"], fields: Partial<PromptRule> = {}): PromptRule => ({
  id: `user/${then}`,
  source: "user",
  recipe: null,
  find: "sk-\\w+",
  ["then" as const]: then,
  reason: "No keys in prompts.",
  with: null,
  project: null,
  ...fields,
});

function guardWith(rules: readonly PromptRule[], options: Partial<PromptGuardOptions> = {}) {
  const recorded: HooklineEvent[] = [];
  const guard = createPromptGuard({
    rules: () => rules,
    isDriven: () => false,
    prompts: claude.prompts,
    projectOf: () => "/shop",
    mayRecord: () => true,
    record: (event) => void recorded.push(event),
    nowMs: () => 1_000_000,
    ...options,
  });
  const { read, write, events } = claude.answers;
  const answer = (payload: unknown): object | null => {
    const reply = guard(read(payload));
    return reply && write(events.prompt, reply);
  };
  return { guard: answer, recorded };
}

const submit = (prompt: string) => ({
  session_id: "s-1",
  hook_event_name: "UserPromptSubmit",
  cwd: "/shop",
  prompt_id: "p-1",
  prompt,
});

describe("a prompt", () => {
  it("is blocked with the reason, and kept out of the transcript", () => {
    const { guard, recorded } = guardWith([rule("block")]);
    expect(guard(submit("use sk-123"))).toEqual({
      decision: "block",
      reason: "Hookline: No keys in prompts. [user/block]",
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", suppressOriginalPrompt: true },
    });
    expect(recorded).toMatchObject([
      {
        eventType: "control.verdict",
        told: { hookEvent: "UserPromptSubmit", toolName: null, verdict: "block", rule: "user/block" },
      },
    ]);
    expect(JSON.stringify(recorded)).not.toContain("sk-123");
  });

  it("that must be filtered is blocked, and the filtered text is shown", () => {
    const { guard } = guardWith([rule("filter", { with: "[key]" })]);
    expect(guard(submit("use sk-123 twice: sk-9"))).toMatchObject({
      decision: "block",
      reason:
        "Hookline: No keys in prompts. [user/filter]\nYou can send this instead:\n\nuse [key] twice: [key]",
      hookSpecificOutput: { suppressOriginalPrompt: true },
    });
    expect(guard(submit("use [key] twice: [key]"))).toBeNull();
  });

  it("gets the context that a rule adds", () => {
    const { guard } = guardWith([rule("context", { find: "deploy", with: "Deploys are frozen." })]);
    expect(guard(submit("deploy it"))).toMatchObject({
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: expect.stringContaining("Deploys are frozen."),
      },
    });
  });

  it("is unaffected without a rule, in a driven session, and if machine-written", () => {
    expect(guardWith([rule("block")]).guard(submit("hello"))).toBeNull();
    expect(guardWith([rule("block")], { isDriven: () => true }).guard(submit("sk-1"))).toBeNull();
    const { guard, recorded } = guardWith([rule("block")]);
    expect(guard(submit("<task-notification>sk-1</task-notification>"))).toBeNull();
    for (const payload of [null, {}, { ...submit("sk-1"), hook_event_name: "Stop" }])
      expect(guard(payload)).toBeNull();
    expect(recorded).toEqual([]);
  });

  it("is judged where nothing may be recorded, and not recorded", () => {
    const { guard, recorded } = guardWith([rule("block")], { mayRecord: () => false });
    expect(guard(submit("sk-1"))).not.toBeNull();
    expect(recorded).toEqual([]);
  });
});
