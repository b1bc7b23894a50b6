import { describe, expect, it } from "vitest";
import type { Envelope, EnvelopeBody } from "../control/envelope.ts";
import { toAttachInput } from "./attach-input.ts";
import { drivenSession } from "./driven-session.testing.ts";
import { envelopeLines } from "./envelope-lines.ts";
import type { AttachMessage } from "./follow-session.ts";
import { applyToLiveText, type LiveText, NO_LIVE_TEXT } from "./live-text.ts";
import { applyToTurn, NEW_TURN } from "./turn-end.ts";

const envelope = (body: EnvelopeBody): Envelope => ({
  v: 1,
  epoch: "e1",
  sessionId: "s1",
  seq: 1,
  ts: "2026-11-15T12:00:00.000Z",
  ...body,
});
const message = (body: EnvelopeBody): AttachMessage => ({
  type: "envelope",
  envelope: envelope(body),
  isReplay: false,
});
const delta = (text: string) => message({ type: "text.delta", text });
const text = (words: string, parent: string | null = null) =>
  message({ type: "text", text: words, messageId: null, parent, aborted: false, error: null });
const partial = (partialText: string): AttachMessage => ({
  type: "snapshot",
  session: drivenSession({ partialText }),
});
const result = (outcome: "completed" | "interrupted" | "api_error", more: object = {}): EnvelopeBody => ({
  type: "result",
  ok: outcome === "completed",
  outcome,
  apiStatus: outcome === "completed" ? null : 529,
  message: outcome === "completed" ? null : "Overloaded",
  durationMs: 3_000,
  numTurns: 1,
  turnCostUsd: 0.02,
  totalCostUsd: 0.05,
  usage: { inputTokens: 1, outputTokens: 1, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
  modelUsage: {},
  denials: [],
  messageIds: [],
  ...more,
});

describe("the agent's text", () => {
  const outputOf = (messages: AttachMessage[], isLive: boolean): string => {
    let live: LiveText = NO_LIVE_TEXT;
    return messages
      .map((next) => {
        const update = applyToLiveText(live, next, isLive);
        live = update.live;
        return update.output;
      })
      .join("");
  };

  it("is written once, live or not", () => {
    const messages = [
      delta("Hel"),
      delta("lo"),
      text("Hello"),
      delta("By"),
      text("Bye\n"),
      text("sub", "t1"),
    ];
    expect(outputOf(messages, true)).toBe("Hello\nBye\n");
    expect(outputOf(messages, false)).toBe("Hello\nBye\n");
  });

  it("continues after a lost connection, with the text it missed", () => {
    expect(outputOf([partial("Hel"), delta("lo"), text("Hello")], true)).toBe("Hello\n");
    expect(outputOf([delta("He"), { type: "down" }, partial("Hello"), text("Hello")], true)).toBe("Hello\n");
    expect(outputOf([delta("He"), { type: "down" }, text("Hello"), partial("B"), text("Bye")], true)).toBe(
      "Hello\nBye\n",
    );
    expect(outputOf([partial("Hel"), text("Hello")], false)).toBe("Hello\n");
  });

  it("is written in full if another text was shown", () => {
    expect(outputOf([delta("lost"), text("Hello")], true)).toBe("lost\nHello\n");
  });
});

describe("a turn", () => {
  const run = (...bodies: EnvelopeBody[]) => bodies.map(envelope).reduce(applyToTurn, NEW_TURN).end;
  const state = (name: "idle" | "thinking" | "closed", why: string | null = null): EnvelopeBody => ({
    type: "state",
    state: name,
    why,
  });

  it("is over once the session is idle after a result, not before", () => {
    expect(run(state("idle"), state("thinking"), result("completed"))).toBeNull();
    expect(run(state("idle"), state("thinking"), result("completed"), state("idle"))).toEqual({
      type: "completed",
    });
  });

  it("fails with the outcome of its last result", () => {
    expect(run(result("completed"), state("thinking"), result("api_error"), state("idle"))).toMatchObject({
      type: "failed",
      code: "api_error",
      message: "The turn ended: api_error (529), Overloaded; 3s, $0.02, $0.05 total.",
    });
  });

  it("fails with the error if the session is closed during it", () => {
    const error: EnvelopeBody = { type: "error", code: "process_exit", message: "claude was killed" };
    expect(run(state("thinking"), error, state("closed"))).toMatchObject({
      code: "session_closed",
      message: "claude was killed (process_exit)",
    });
    expect(run(state("closed", "the daemon ended"))).toMatchObject({ message: "the daemon ended" });
  });
});

describe("a line of an envelope", () => {
  it("is short, on one line, and without control characters", () => {
    const [line] = envelopeLines(
      envelope({
        type: "tool.start",
        toolUseId: "t",
        tool: "Bash",
        input: { command: `echo \u001b]0;x\u0007${"y".repeat(500)}\nls` },
        parent: null,
      }),
    );
    expect(line).toMatch(/^● Bash echo y+…$/);
    expect(line).toHaveLength(200);
  });

  it.each([
    [result("completed"), "Done in 3s, $0.02, $0.05 total."],
    [
      { type: "decision", toolUseId: "t", tool: "Bash", verdict: "deny", rule: "builtin/x", reason: "no" },
      "✗ Bash denied: no (builtin/x)",
    ],
    [
      { type: "retry", attempt: 2, max: 10, delayMs: 4_000, status: 529, error: null },
      "API error: status 529; retry 2 of 10 in 4s.",
    ],
    [{ type: "user", text: "hi\nyou", messageId: "m", images: 0 }, "> hi\n> you"],
    [{ type: "state", state: "closed", why: "idle for an hour" }, "Closed: idle for an hour."],
    [
      { type: "permission.resolved", toolUseId: "t", outcome: "allow", by: "user", who: "phone", rule: null },
      "  allowed by phone",
    ],
    [result("interrupted"), "Stopped after 3s, $0.02, $0.05 total."],
    [
      { type: "rule", rule: "session/exact/Bash", scope: "exact", toolUseId: null },
      "  this Bash call is allowed for this session",
    ],
    [{ type: "error", code: "process_exit", message: "killed" }, "killed (process_exit)"],
  ] as [EnvelopeBody, string][])("%#", (body, expected) => {
    expect(envelopeLines(envelope(body)).join("\n")).toBe(expected);
  });

  it("is omitted for envelopes that are shown elsewhere or unknown", () => {
    const task = { type: "task", taskId: "b1", what: "started", description: "Wait", status: null } as const;
    expect(envelopeLines(envelope({ ...task, background: true }))).toEqual(["  task started: Wait"]);
    expect(envelopeLines(envelope({ ...task, background: false }))).toEqual([]);
    expect(envelopeLines(envelope({ type: "text.delta", text: "x" }))).toEqual([]);
    expect(envelopeLines({ ...envelope({ type: "text.delta", text: "x" }), type: "new" } as never)).toEqual(
      [],
    );
  });
});

describe("a typed line", () => {
  it.each([
    ["  go on  ", { type: "send", text: "go on", interrupt: false }],
    ["/say /etc is a folder", { type: "send", text: "/etc is a folder", interrupt: false }],
    ["/now something else", { type: "send", text: "something else", interrupt: true }],
    ["/stop", { type: "command", name: "stop", body: {} }],
    ["/close", { type: "command", name: "close", body: {} }],
    ["/mode plan", { type: "command", name: "mode", body: { mode: "plan", who: "hookline attach" } }],
    ["/model opus", { type: "command", name: "model", body: { model: "opus" } }],
    ["/quit", { type: "quit" }],
    ["", { type: "nothing" }],
  ])("%j", (line, input) => {
    expect(toAttachInput(line)).toEqual(input);
  });

  it.each(["/mode", "/mode yolo", "/model", "/say", "/what", "/", "/help"])("%j is explained", (line) => {
    expect(toAttachInput(line)).toMatchObject({ type: "unknown" });
  });
});
