import { z } from "zod";
import type { Env } from "../../home.ts";
import {
  DEFAULT_RETRY_MS,
  MAX_OUTPUT_TOKENS,
  type ModelAnswer,
  type ModelCall,
  type ModelRequest,
  toErrorAnswer,
} from "./model-answer.ts";

export interface ApiOptions {
  readonly env: Env;
  readonly now: () => number;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 120_000;
const DEFAULT_URL = "https://api.anthropic.com";

/** Calls the Messages API directly, once: the caller decides about retries. */
export function createApiCall({ env, now, timeoutMs = TIMEOUT_MS }: ApiOptions): ModelCall {
  return async (request, signal) => {
    const key = env["ANTHROPIC_API_KEY"];
    if (key === undefined || key === "")
      return { type: "auth_failed", message: "ANTHROPIC_API_KEY is not set in the daemon's environment" };
    const url = new URL("v1/messages", `${(env["ANTHROPIC_BASE_URL"] || DEFAULT_URL).replace(/\/+$/, "")}/`);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" },
        body: JSON.stringify(toBody(request)),
        signal: AbortSignal.any([signal, timeout]),
      });
      const text = await response.text();
      return response.ok ? toAnswer(text) : toError(response, text, now());
    } catch (error) {
      if (timeout.aborted) return { type: "failed", message: `no answer within ${timeoutMs / 1_000} s` };
      if (signal.aborted) return { type: "failed", message: "the call was stopped" };
      return { type: "overloaded", message: `${url.host} cannot be reached: ${reasonOf(error)}` };
    }
  };
}

function toBody({ model, system, text }: ModelRequest): object {
  return { model, max_tokens: MAX_OUTPUT_TOKENS, system, messages: [{ role: "user", content: text }] };
}

const Message = z.looseObject({
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  usage: z.looseObject({
    input_tokens: z.number().nullish(),
    cache_creation_input_tokens: z.number().nullish(),
    cache_read_input_tokens: z.number().nullish(),
    output_tokens: z.number().nullish(),
  }),
});

function toAnswer(body: string): ModelAnswer {
  const message = Message.safeParse(parseJson(body));
  if (!message.success) return { type: "failed", message: "the answer is not a message" };
  const { model, content, usage } = message.data;
  return {
    type: "answered",
    text: content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join(""),
    inputTokens:
      (usage.input_tokens ?? 0) +
      (usage.cache_creation_input_tokens ?? 0) +
      (usage.cache_read_input_tokens ?? 0),
    outputTokens: usage.output_tokens ?? 0,
    model,
  };
}

const ErrorBody = z.looseObject({ error: z.looseObject({ message: z.string() }) });

function toError(response: Response, body: string, nowMs: number): ModelAnswer {
  const parsedError = ErrorBody.safeParse(parseJson(body));
  const message = `HTTP ${response.status}: ${parsedError.success ? parsedError.data.error.message : response.statusText}`;
  return toErrorAnswer(response.status, message, retryAtMs(response.headers.get("retry-after"), nowMs));
}

/** The header is in seconds or a date. */
function retryAtMs(header: string | null, nowMs: number): number {
  if (header === null || header.trim() === "") return nowMs + DEFAULT_RETRY_MS;
  const seconds = Number(header);
  const atMs = Number.isFinite(seconds) ? nowMs + seconds * 1_000 : Date.parse(header);
  return Number.isFinite(atMs) ? atMs : nowMs + DEFAULT_RETRY_MS;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown } }).cause?.code;
  return typeof cause === "string" ? cause : error instanceof Error ? error.message : String(error);
}
