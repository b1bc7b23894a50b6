import { expect, it } from "vitest";
import type { EnvelopeBody } from "./envelope.ts";
import { createEnvelopeMask } from "./mask-envelopes.ts";

const assistantText = (text: string): EnvelopeBody => ({
  type: "text",
  text,
  messageId: null,
  parent: null,
  aborted: false,
  error: null,
});
const prompt = (text: string): EnvelopeBody => ({ type: "user", text, messageId: "m", images: 0 });
const idle: EnvelopeBody = { type: "state", state: "idle", why: null };
const call: EnvelopeBody = {
  type: "tool.start",
  toolUseId: "t",
  tool: "Bash",
  input: { command: "deploy to the castle" },
  parent: null,
};

it("masks secrets and cuts private parts", () => {
  const mask = createEnvelopeMask();
  const key = `sk-ant-api03-${"a1B2".repeat(12)}`;
  expect(JSON.stringify(mask(assistantText(`the key is ${key}`)))).not.toContain(key);
  expect(mask(prompt("go <private>to the castle</private> now"))).toMatchObject({ text: "go  now" });
});

it("removes all content of a turn started by a wholly private prompt", () => {
  const mask = createEnvelopeMask();
  const hidden = [prompt("<private>the castle</private>"), call, assistantText("In the castle.")].map(mask);
  expect(JSON.stringify(hidden)).not.toMatch(/castle/);
  expect(hidden).toMatchObject([{ type: "user" }, { type: "tool.start", tool: "Bash" }, { type: "text" }]);
  mask(idle);
  expect(mask(call)).toEqual(call);
});

it("is idempotent", () => {
  const mask = createEnvelopeMask();
  for (const body of [call, assistantText("x ".repeat(400_000)), prompt("<private>a</private> b")]) {
    const once = mask(body);
    expect(createEnvelopeMask()(once)).toEqual(once);
  }
});

it("keeps a request's fields, however large its input", () => {
  const edits = Array.from({ length: 2_000 }, (_, index) => ({ old: `${index} ${"x".repeat(300)}` }));
  const request: EnvelopeBody = {
    type: "permission.request",
    toolUseId: "t1",
    tool: "MultiEdit",
    input: { password: "hunter2-hunter2", edits },
    reason: "It writes.",
    rule: null,
    agentId: null,
    agentType: null,
  };
  const masked = createEnvelopeMask()(request);
  expect(masked).toMatchObject({ ...request, input: { $truncated: true, preview: expect.any(String) } });
  expect(JSON.stringify(masked)).not.toContain("hunter2");
});

it("keeps as many questions as fit", () => {
  const questions = Array.from({ length: 3_000 }, (_, index) => ({
    question: `Which of the ${index}?`,
    options: [{ label: "this", description: "x".repeat(40) }, { label: "that" }],
  }));
  const request: EnvelopeBody = { type: "question.request", toolUseId: "t", questions, agentId: null };
  const masked = createEnvelopeMask()(request);
  expect(masked).toMatchObject({ type: "question.request", toolUseId: "t", questions: { 0: questions[0] } });
  expect(JSON.stringify(masked).length).toBeLessThan(300_000);
});
