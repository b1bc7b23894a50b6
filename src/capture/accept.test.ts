import { describe, expect, it } from "vitest";
import type { NewEvent } from "../event/event.ts";
import { createAcceptor } from "./accept.ts";

const acceptor = () => createAcceptor({ mayRecord: () => true, recall: () => undefined });
let tick = 0;
function event(eventType: string, promptId: string, more: object = {}): NewEvent {
  return {
    v: 1,
    id: `e${++tick}`,
    eventType,
    occurredAtIso: new Date(Date.UTC(2026, 0, 1) + tick).toISOString(),
    sessionId: "s",
    provider: "claude",
    projectPath: "/p",
    cwd: "/p",
    promptId,
    origin: "hook",
    ...more,
  };
}
const prompt = (promptId: string, words: string) => event("turn.start", promptId, { prompt: words });
const call = (promptId: string) =>
  event("tool_observation", promptId, { payload: { toolName: "Bash", toolInput: { command: "plan" } } });
const words = (events: NewEvent[]) => events.map((each) => JSON.stringify(each).includes("plan"));

describe("the acceptor", () => {
  it("leaves out the content of a whole turn whose prompt is private, wherever the prompt stands in the batch", () => {
    const [first, second, third] = [
      prompt("p", "<private>plan</private>"),
      call("p"),
      event("turn.end", "p", { lastAssistantMessage: "plan" }),
    ];
    expect(words(acceptor().accept([first, second, third]))).toEqual([false, false, false]);
    expect(words(acceptor().accept([third, second, first]))).toEqual([false, false, false]);
  });

  it("keeps what came before a private prompt that was typed into a public turn, and hides what follows", () => {
    const accept = acceptor();
    const before = [prompt("p", "go"), call("p"), prompt("p", "<private>plan</private>")];
    expect(words(accept.accept(before))).toEqual([false, true, false]);
    expect(words(accept.accept([call("p")]))).toEqual([false]);
    // The turn it waits for runs under an id that nobody announces.
    expect(words(accept.accept([call("unannounced")]))).toEqual([false]);
    expect(words(accept.accept([prompt("q", "plan on"), call("q")]))).toEqual([true, true]);
  });

  it("takes only the private part out of a prompt that has more", () => {
    const [kept] = acceptor().accept([prompt("p", "please <private>plan</private> go")]);
    expect(kept?.["prompt"]).toMatch(/^please\s+go$/);
    expect(kept?.["private"]).toBeUndefined();
  });
});
