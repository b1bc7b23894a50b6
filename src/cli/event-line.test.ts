import { expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { eventLine } from "./event-line.ts";

const call = (more: object): string =>
  eventLine({
    v: 1,
    id: "1",
    eventType: "tool_observation",
    occurredAtIso: "2026-11-15T08:00:00.000Z",
    sessionId: "s1",
    provider: "claude",
    projectPath: null,
    cwd: null,
    origin: "transcript",
    payload: { toolName: "Bash", toolInput: {}, success: false, metadata: { command: "npm test" } },
    ...more,
  } as HooklineEvent);

it("tells a call that failed from one that was denied", () => {
  expect(call({})).toContain("Bash failed npm test");
  for (const denied of [{ denial: "user-rejected" }, { permissionDecision: { decision: "reject" } }])
    expect(call(denied)).toContain("Bash denied npm test");
});

it("counts what was injected, whose event has no text", () => {
  const injection = { kind: "startup", tokens: 840, items: [{ id: 1 }, { id: 2 }] };
  expect(call({ eventType: "memory.injected", payload: undefined, injection })).toMatch(
    /memory\.injected\s+startup: 2 items, 840 tokens$/,
  );
});

it("says where a request went that was not answered here", () => {
  const settled = (by: string): string =>
    call({
      eventType: "control.card",
      phase: "settled",
      payload: undefined,
      card: { cardId: "c", toolName: "Bash", outcome: "withdrawn", by },
    });
  expect(settled("terminal")).toMatch(/Bash answered in the terminal$/);
  expect(settled("ended")).toMatch(/Bash no longer waiting: the session ended$/);
  expect(settled("timeout")).toMatch(/Bash left to the terminal: no answer here in time$/);
  expect(settled("stopped")).toMatch(/Bash no longer waiting$/);
});

it("says what a program reports without its tags", () => {
  const prompt = "<task-notification>\n<status>completed</status>\n<summary>Build completed</summary>";
  const told = { eventType: "turn.start", payload: undefined, prompt };
  expect(call({ ...told, machine: true })).toMatch(/turn\.start\s+Build completed$/);
  expect(call(told)).toContain("<task-notification>");
});

it("says what was asked, answered and said", () => {
  const told = (eventType: string, more: object): string =>
    call({ eventType, payload: undefined, ...more })
      .slice("08:00:00.000 s1 ".length)
      .trim();
  const card = { cardId: "c", toolName: "Bash", input: { command: "npm run deploy" } };
  expect(told("control.card", { phase: "asked", card })).toMatch(/asked\s+Bash npm run deploy$/);
  const settled = {
    cardId: "c",
    toolName: "Bash",
    outcome: "deny",
    by: "user",
    who: "page",
    message: "later",
  };
  expect(told("control.card", { phase: "settled", card: settled })).toMatch(/Bash denied by page: later$/);
  const envelope = { type: "text", seq: 3, text: "All is well." };
  expect(told("control.envelope", { phase: "text", envelope })).toMatch(/All is well\.$/);
  const blocks = { 0: { type: "thinking" }, 1: { type: "text", text: "Two tests fail." } };
  expect(told("assistant.message", { blocks })).toMatch(/assistant\.message\s+Two tests fail\.$/);
  expect(told("assistant.message", { blocks: { 0: { type: "tool_use", name: "Read" } } })).toMatch(/Read$/);
  expect(told("control.card", { phase: "asked", private: true })).toMatch(/\(private\)$/);
});
