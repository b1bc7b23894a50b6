import { describe, expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { callEvent } from "./compress/call.testing.ts";
import { makeItem } from "./inject/items.testing.ts";
import { toolFeedback } from "./tool-feedback.ts";

let clock = 0;
const commandRun = (command: string, success: boolean, more: object = {}): HooklineEvent => {
  clock++;
  return {
    ...callEvent({
      toolName: "Bash",
      toolInput: { command },
      toolOutput: "",
      success,
      metadata: { command, exitCode: success ? 0 : 1 },
    }),
    id: `e${clock}`,
    toolUseId: `toolu_${clock}`,
    occurredAtIso: `2026-11-15T08:${String(clock).padStart(2, "0")}:00.000Z`,
    ...more,
  };
};

describe("toolFeedback", () => {
  it("is null when there is nothing to report", () => {
    const session = [commandRun("npm run lint", false), commandRun("npm test", true)];
    expect(toolFeedback({ event: commandRun("npm test", true), session, items: [] })).toBeNull();
    expect(toolFeedback({ event: commandRun("npm run build", false), session, items: [] })).toBeNull();
    expect(toolFeedback({ event: callEvent({ toolName: "Read" }), session, items: [] })).toBeNull();
  });

  it("reports how often the command failed in a row, and when it last succeeded", () => {
    const passed = commandRun("npm test", true);
    const session = [
      passed,
      commandRun("npm test | tail -3", false),
      commandRun("cd web && npm t 2>&1", false),
    ];
    const at = passed.occurredAtIso.slice(0, 16).replace("T", " ");
    expect(toolFeedback({ event: commandRun("npm run test", false), session, items: [] })).toBe(
      `\`npm test\` has now failed 3 times in a row. It last succeeded at ${at} UTC.`,
    );
    expect(toolFeedback({ event: commandRun("npm test", false), session: [passed], items: [] })).toBe(
      `\`npm test\` failed. It last succeeded at ${at} UTC.`,
    );
  });

  it("includes other sessions of the project, and ignores denials", () => {
    const item = makeItem(
      1,
      { type: "failure", facts: ["Command: make"] },
      { sessionId: "other", success: false, createdAtIso: "2026-11-14T10:00:00.000Z" },
    );
    const session = [commandRun("make", false, { denial: "user-rejected" })];
    expect(toolFeedback({ event: commandRun("make", false), session, items: [item] })).toBe(
      "`make` has now failed 2 times in a row.",
    );
    expect(toolFeedback({ event: commandRun("make", false), session, items: [] })).toBeNull();
  });

  it("warns about a secret in the output, by its kind", () => {
    const payload = { toolName: "Bash", toolOutput: "A=[REDACTED:github-token]", success: true };
    expect(toolFeedback({ event: callEvent(payload), session: [], items: [] })).toBe(
      "The output contains what looks like a secret (github-token): do not repeat or commit it.",
    );
  });
});
