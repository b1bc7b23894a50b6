import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../app-error.ts";
import { type Embedder, MAX_CHARS } from "./embedder-contract.ts";
import type { EmbeddingsResponse } from "./embeddings-response.ts";
import { l2Normalise } from "./l2-normalise.ts";

export interface UrlEmbedderOptions {
  readonly url: URL;
  readonly model: string | null;
  readonly key: string | null;
  readonly timeoutMs?: number;
  /** Delay before the second attempt; doubles with each further one. */
  readonly backOffMs?: number;
}

const BATCH_SIZE = 64;
const MAX_ATTEMPTS = 4;
const MAX_WAIT_MS = 30_000;

export function createUrlEmbedder(options: UrlEmbedderOptions): Embedder {
  const endpoint = toEndpoint(options.url);
  const closeController = new AbortController();
  let dimensions: number | null = null;

  async function embedBatch(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const answer = await post(endpoint, options, texts, signal);
    const data = answer.data.every(({ index }) => index !== undefined)
      ? answer.data.toSorted((a, b) => a.index! - b.index!)
      : answer.data;
    if (data.length !== texts.length)
      throw requestError(endpoint, `returned ${data.length} vectors for ${texts.length} texts`);
    return data.map(({ embedding }) => {
      dimensions ??= embedding.length;
      if (embedding.length !== dimensions)
        throw requestError(
          endpoint,
          `returned vectors of ${dimensions} and of ${embedding.length} dimensions`,
        );
      return l2Normalise(Float32Array.from(embedding));
    });
  }

  return {
    // Without query and credentials: the name is stored and shown.
    name: `${endpoint.host}${endpoint.pathname}${options.model === null ? "" : ` ${options.model}`}`,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, { signal } = {}) {
      const combined = AbortSignal.any([closeController.signal, ...(signal ? [signal] : [])]);
      combined.throwIfAborted();
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH_SIZE)
        vectors.push(...(await embedBatch(texts.slice(at, at + BATCH_SIZE), combined)));
      return vectors;
    },
    isWarm: () => true,
    warm: () => {},
    unavailableReason: () => null,
    close: async () => closeController.abort(new AppError("embedder_closed", "the embedder was closed")),
  };
}

/** Accepts the endpoint itself, its `/v1`, or the server. */
function toEndpoint(url: URL): URL {
  const endpoint = new URL(url);
  const path = endpoint.pathname.replace(/\/+$/, "");
  if (path.endsWith("/embeddings")) endpoint.pathname = path;
  else endpoint.pathname = path.endsWith("/v1") ? `${path}/embeddings` : `${path}/v1/embeddings`;
  return endpoint;
}

async function post(
  endpoint: URL,
  { model, key, timeoutMs = 30_000, backOffMs = 500 }: UrlEmbedderOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<EmbeddingsResponse> {
  // Servers reject an empty text, and some a lone surrogate.
  const input = texts.map((text) => text.slice(0, MAX_CHARS).toWellFormed() || " ");
  const request = {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(model === null ? { input } : { model, input }),
    // Memory goes only to the configured server.
    redirect: "error" as const,
  };
  for (let attempt = 1; ; attempt += 1) {
    const result = await attemptOnce(endpoint, request, timeoutMs, signal);
    if (result.type === "answered") return result.answer;
    if (!result.isTransient || attempt === MAX_ATTEMPTS) throw requestError(endpoint, result.why);
    const waitMs = Math.min(result.waitMs ?? backOffMs * 2 ** (attempt - 1), MAX_WAIT_MS);
    await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

type Attempt =
  | { readonly type: "answered"; readonly answer: EmbeddingsResponse }
  | {
      readonly type: "refused";
      readonly why: string;
      readonly isTransient: boolean;
      readonly waitMs: number | null;
    };

async function attemptOnce(
  endpoint: URL,
  request: RequestInit,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await fetch(endpoint, { ...request, signal: AbortSignal.any([signal, timeout]) });
    const text = await response.text();
    if (!response.ok) {
      const why = `answered ${response.status}${text.trim() && `: ${text.trim().slice(0, 200)}`}`;
      const isTransient = response.status === 429 || response.status >= 500;
      return { type: "refused", why, isTransient, waitMs: retryAfter(response) };
    }
    // Lazy: without a server the search thread does not need zod.
    const { EmbeddingsResponse } = await import("./embeddings-response.ts");
    const parsed = EmbeddingsResponse.safeParse(parseJson(text));
    if (parsed.success) return { type: "answered", answer: parsed.data };
    return { type: "refused", why: "the response has no data[].embedding", isTransient: false, waitMs: null };
  } catch (error) {
    signal.throwIfAborted();
    const isTimeout = (error as Error).name === "TimeoutError";
    const cause = (error as Error).cause;
    const detail = cause instanceof Error && cause.message !== "" ? cause.message : (error as Error).message;
    const why = isTimeout ? `no answer within ${timeoutMs / 1_000} s` : detail;
    return { type: "refused", why, isTransient: true, waitMs: null };
  }
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function requestError(endpoint: URL, why: string): AppError {
  return new AppError("embedder_failed", `${endpoint.origin}${endpoint.pathname}: ${why}`);
}
