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

async function callModel(
  url: string,
  overrides: { key?: string; timeoutMs?: number } = {},
): Promise<ModelAnswer> {
  const env = { ANTHROPIC_API_KEY: overrides.key ?? "sk-test", ANTHROPIC_BASE_URL: `${url}/` };
  const call = createApiCall({ env, now: () => NOW_MS, timeoutMs: overrides.timeoutMs ?? 5_000 });
  return call({ model: "claude-haiku-4-5", system: "Say it.", text: "<turn/>" }, AbortSignal.timeout(20_000));
}

const errorTurn = (status: number, message: string, retryAfter?: number): Turn => ({
  error: { status, type: "some_error", message, ...(retryAfter !== undefined && { retryAfter }) },
});

describe("createApiCall", () => {
  it("sends only model and text, and returns the text and its cost", async () => {
    const api = await open({ text: "<summary/>", usage: { input_tokens: 300, cache_read_input_tokens: 50 } });
    expect(await callModel(api.url)).toEqual({
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
    [errorTurn(429, "slow down", 7), { type: "rate_limited", retryAtMs: NOW_MS + 7_000 }],
    [errorTurn(429, "slow down"), { type: "rate_limited", retryAtMs: NOW_MS + 300_000 }],
    [errorTurn(401, "invalid x-api-key"), { type: "auth_failed", message: "HTTP 401: invalid x-api-key" }],
    [errorTurn(400, "Your credit balance is too low"), { type: "auth_failed" }],
    [errorTurn(404, "model: claude-x"), { type: "unavailable" }],
    [errorTurn(529, "Overloaded"), { type: "overloaded" }],
    [errorTurn(500, "Internal"), { type: "overloaded" }],
    [errorTurn(400, "bad"), { type: "failed", message: "HTTP 400: bad" }],
  ])("distinguishes errors, each after one request: %j", async (turn, expected) => {
    const api = await open(turn);
    expect(await callModel(api.url)).toMatchObject(expected);
    expect(api.requests).toHaveLength(1);
  });

  it("sends nothing without a key", async () => {
    const api = await open({ text: "x" });
    expect(await callModel(api.url, { key: "" })).toMatchObject({
      type: "auth_failed",
      message: /ANTHROPIC_API_KEY/,
    });
    expect(api.requests).toEqual([]);
  });

  it("gives up after its timeout", async () => {
    const api = await open({ text: "late", delayMs: 2_000 });
    expect(await callModel(api.url, { timeoutMs: 100 })).toEqual({
      type: "failed",
      message: "no answer within 0.1 s",
    });
  });

  it("treats an unreachable host as a transient error", async () => {
    expect(await callModel("http://127.0.0.1:9")).toMatchObject({ type: "overloaded" });
  });
});
