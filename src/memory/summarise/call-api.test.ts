import { afterEach, describe, expect, it } from "vitest";
import { type FakeApi, openFakeApi, type Turn } from "../../../test/support/fake-api.ts";
import { createApiCall } from "./call-api.ts";
import type { ModelAnswer } from "./model-answer.ts";

const NOW_MS = Date.parse("2026-11-15T10:00:00Z");
const opened: FakeApi[] = [];

afterEach(async () => {
  for (const api of opened.splice(0)) await api.close();
});

async function open(turn: Turn): Promise<FakeApi> {
  const api = await openFakeApi([], { side: () => turn });
  opened.push(api);
  return api;
}

async function ask(url: string, change: { key?: string; timeoutMs?: number } = {}): Promise<ModelAnswer> {
  const env = { ANTHROPIC_API_KEY: change.key ?? "sk-test", ANTHROPIC_BASE_URL: `${url}/` };
  const call = createApiCall({ env, now: () => NOW_MS, timeoutMs: change.timeoutMs ?? 5_000 });
  return call({ model: "claude-haiku-4-5", system: "Say it.", text: "<turn/>" }, AbortSignal.timeout(20_000));
}

const refusal = (status: number, message: string, retryAfter?: number): Turn => ({
  error: { status, type: "some_error", message, ...(retryAfter !== undefined && { retryAfter }) },
});

describe("a call of the API", () => {
  it("sends the model, our words and nothing else, and gives the text and what it cost", async () => {
    const api = await open({ text: "<summary/>", usage: { input_tokens: 300, cache_read_input_tokens: 50 } });
    expect(await ask(api.url)).toEqual({
      type: "answered",
      text: "<summary/>",
      inputTokens: 350,
      outputTokens: 20,
      model: "claude-haiku-4-5",
    });
    expect(api.requests.map(({ body }) => body)).toEqual([
      {
        model: "claude-haiku-4-5",
        max_tokens: 4_096,
        system: "Say it.",
        messages: [{ role: "user", content: "<turn/>" }],
      },
    ]);
    expect(api.requests[0]?.headers["x-api-key"]).toBe("sk-test");
  });

  it.each([
    [refusal(429, "slow down", 7), { type: "rate_limited", retryAtMs: NOW_MS + 7_000 }],
    [refusal(429, "slow down"), { type: "rate_limited", retryAtMs: NOW_MS + 300_000 }],
    [refusal(401, "invalid x-api-key"), { type: "auth_failed", message: "HTTP 401: invalid x-api-key" }],
    [refusal(400, "Your credit balance is too low"), { type: "auth_failed" }],
    [refusal(404, "model: claude-x"), { type: "unavailable" }],
    [refusal(529, "Overloaded"), { type: "overloaded" }],
    [refusal(500, "Internal"), { type: "overloaded" }],
    [refusal(400, "bad"), { type: "failed", message: "HTTP 400: bad" }],
  ])("tells refusals apart, each after one request: %j", async (turn, wanted) => {
    const api = await open(turn);
    expect(await ask(api.url)).toMatchObject(wanted);
    expect(api.requests).toHaveLength(1);
  });

  it("without a key asks nobody", async () => {
    const api = await open({ text: "x" });
    expect(await ask(api.url, { key: "" })).toMatchObject({
      type: "auth_failed",
      message: /ANTHROPIC_API_KEY/,
    });
    expect(api.requests).toEqual([]);
  });

  it("gives up after its time", async () => {
    const api = await open({ text: "late", delayMs: 2_000 });
    expect(await ask(api.url, { timeoutMs: 100 })).toEqual({
      type: "failed",
      message: "no answer within 0.1 s",
    });
  });

  it("takes a machine that is not to be reached for trouble that passes", async () => {
    expect(await ask("http://127.0.0.1:9")).toMatchObject({ type: "overloaded" });
  });
});
