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

it("distinguishes a failed call from a denied one", () => {
  expect(call({})).toContain("Bash failed npm test");
  for (const denied of [{ denial: "user-rejected" }, { permissionDecision: { decision: "reject" } }])
    expect(call(denied)).toContain("Bash denied npm test");
});

it("shows the counts of an injection, whose event has no text", () => {
  const injection = { kind: "startup", tokens: 840, items: [{ id: 1 }, { id: 2 }] };
  expect(call({ eventType: "memory.injected", payload: undefined, injection })).toMatch(
    /memory\.injected\s+startup: 2 items, 840 tokens$/,
  );
});

it("shows how a request was settled that was not answered here", () => {
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

it("shows a machine-written prompt without its tags", () => {
  const prompt = "<task-notification>\n<status>completed</status>\n<summary>Build completed</summary>";
  const turn = { eventType: "turn.start", payload: undefined, prompt };
  expect(call({ ...turn, machine: true })).toMatch(/turn\.start\s+Build completed$/);
  expect(call(turn)).toContain("<task-notification>");
});

it("shows requests, answers and messages", () => {
  const lineOf = (eventType: string, more: object): string =>
    call({ eventType, payload: undefined, ...more })
      .slice("08:00:00.000 s1 ".length)
      .trim();
  const card = { cardId: "c", toolName: "Bash", input: { command: "npm run deploy" } };
  expect(lineOf("control.card", { phase: "asked", card })).toMatch(/asked\s+Bash npm run deploy$/);
  const settled = {
    cardId: "c",
    toolName: "Bash",
    outcome: "deny",
    by: "user",
    who: "page",
    message: "later",
  };
  expect(lineOf("control.card", { phase: "settled", card: settled })).toMatch(/Bash denied by page: later$/);
  const envelope = { type: "text", seq: 3, text: "All is well." };
  expect(lineOf("control.envelope", { phase: "text", envelope })).toMatch(/All is well\.$/);
  const blocks = { 0: { type: "thinking" }, 1: { type: "text", text: "Two tests fail." } };
  expect(lineOf("assistant.message", { blocks })).toMatch(/assistant\.message\s+Two tests fail\.$/);
  expect(lineOf("assistant.message", { blocks: { 0: { type: "tool_use", name: "Read" } } })).toMatch(/Read$/);
  expect(lineOf("control.card", { phase: "asked", private: true })).toMatch(/\(private\)$/);
});
