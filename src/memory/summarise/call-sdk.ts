import { accessSync, constants } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Options, SDKMessage, SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import { makeFolder } from "../../files/make-folder.ts";
import type { Env } from "../../home.ts";
import { claudeEnv } from "./claude-env.ts";
import {
  DEFAULT_RETRY_MS,
  MAX_OUTPUT_TOKENS,
  type ModelAnswer,
  type ModelCall,
  type ModelRequest,
  toErrorAnswer,
} from "./model-answer.ts";

export interface SdkOptions {
  readonly env: Env;
  readonly now: () => number;
  /** Where Claude Code runs: always the same empty folder of ours, which identifies its session as ours. */
  readonly folder: string;
  readonly timeoutMs?: number;
  readonly load?: () => Promise<Sdk>;
}

export type Sdk = Pick<typeof import("@anthropic-ai/claude-agent-sdk"), "query">;

const TIMEOUT_MS = 120_000;
/** Enough for a refusal to say how long it lasts, and for an expired login to be renewed. */
const RETRIES = 1;

/** Calls through the Agent SDK with the user's login: one session of one turn, no tools, no traces. */
export function createSdkCall(options: SdkOptions): ModelCall {
  const load = options.load ?? (() => import("@anthropic-ai/claude-agent-sdk"));
  return async (request, signal) => {
    const sdk = await load().catch(describeLoadError);
    if (typeof sdk === "string") return { type: "unavailable", message: sdk };
    const claude = findClaude(options.env);
    if (claude === null) return { type: "unavailable", message: EXECUTABLE_MISSING };
    const scratch = await mkdtemp(join(tmpdir(), "hookline-ask-"));
    try {
      makeFolder(options.folder);
      const cwd = await realpath(options.folder);
      const env = claudeEnv(options.env, scratch, { retries: RETRIES, tokens: MAX_OUTPUT_TOKENS });
      return await runQuery(sdk, request, { ...FIXED_OPTIONS, cwd, env, ...claude }, signal, options);
    } finally {
      await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
    }
  };
}

const SDK_MISSING =
  "the Agent SDK is not installed: npm install -g @anthropic-ai/claude-agent-sdk, or set memory.modelVia to api";
const EXECUTABLE_MISSING =
  "the Agent SDK has no claude binary, and there is none in the PATH: install Claude Code";

function describeLoadError(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return SDK_MISSING;
  return `the Agent SDK does not load: ${error instanceof Error ? error.message : String(error)}`;
}

const FIXED_OPTIONS = {
  tools: [],
  mcpServers: {},
  strictMcpConfig: true,
  settingSources: [],
  skills: [],
  // Hooks set by an administrator must not run here either.
  settings: { disableAllHooks: true },
  persistSession: false,
  maxTurns: 1,
  permissionMode: "default",
  thinking: { type: "disabled" },
  effort: "low",
} as const satisfies Options;

async function runQuery(
  sdk: Sdk,
  { model, system, text }: ModelRequest,
  queryOptions: Omit<Options, "env"> & { readonly env: Env },
  signal: AbortSignal,
  { now, timeoutMs = TIMEOUT_MS }: SdkOptions,
): Promise<ModelAnswer> {
  const controller = new AbortController();
  const timeout = AbortSignal.timeout(timeoutMs);
  const anyAbort = AbortSignal.any([signal, timeout]);
  anyAbort.addEventListener("abort", () => controller.abort(), { once: true });
  const state: StreamState = { result: null, retryAtMs: null };
  const query = sdk.query({
    prompt: text,
    options: { ...queryOptions, model, systemPrompt: system, abortController: controller },
  });
  try {
    if (anyAbort.aborted) controller.abort();
    for await (const message of query) {
      noteMessage(state, message, now());
      if (isRateLimitRetry(message)) break;
    }
  } catch (error) {
    // An error result is also thrown, after it was emitted.
    if (state.result === null) return abortedAnswer(signal, timeout, timeoutMs) ?? failedAnswer(error);
  } finally {
    // Until its process has ended, it may write to the folder that is removed next.
    await query.return(undefined).catch(() => {});
  }
  if (state.result !== null)
    return toAnswer(state.result, state.retryAtMs ?? now() + DEFAULT_RETRY_MS, model);
  if (state.retryAtMs !== null) return toErrorAnswer(429, "the API's rate limit is reached", state.retryAtMs);
  return (
    abortedAnswer(signal, timeout, timeoutMs) ?? {
      type: "failed",
      message: "Claude Code ended without a result",
    }
  );
}

interface StreamState {
  result: SDKResultMessage | null;
  retryAtMs: number | null;
}

function noteMessage(state: StreamState, message: SDKMessage, nowMs: number): void {
  if (message.type === "result") state.result = message;
  else if (message.type === "rate_limit_event") {
    const { status, resetsAt } = message.rate_limit_info;
    if (status === "rejected" && resetsAt !== undefined) state.retryAtMs = resetsAt * 1_000;
  } else if (isRateLimitRetry(message)) state.retryAtMs = nowMs + message.retry_delay_ms;
}

/** Claude Code would wait as long as the API says; we stop instead. */
function isRateLimitRetry(message: SDKMessage): message is SDKMessage & { readonly retry_delay_ms: number } {
  return message.type === "system" && message.subtype === "api_retry" && message.error_status === 429;
}

function toAnswer(result: SDKResultMessage, retryAtMs: number, model: string): ModelAnswer {
  if (result.subtype !== "success")
    return { type: "failed", message: result.errors.join("; ") || result.subtype };
  if (result.is_error) {
    if (/not logged in|\/login/i.test(result.result)) return { type: "auth_failed", message: result.result };
    return toErrorAnswer(result.api_error_status ?? null, result.result, retryAtMs);
  }
  const modelUsage = Object.entries(result.modelUsage);
  const total = (count: (usage: (typeof modelUsage)[number][1]) => number): number =>
    modelUsage.reduce((sum, [, usage]) => sum + count(usage), 0);
  return {
    type: "answered",
    text: result.result,
    inputTokens: total(
      (usage) => usage.inputTokens + usage.cacheReadInputTokens + usage.cacheCreationInputTokens,
    ),
    outputTokens: total((usage) => usage.outputTokens),
    model: modelUsage[0]?.[0] ?? model,
  };
}

function abortedAnswer(signal: AbortSignal, timeout: AbortSignal, timeoutMs: number): ModelAnswer | null {
  if (signal.aborted) return { type: "failed", message: "the call was stopped" };
  return timeout.aborted ? { type: "failed", message: `no answer within ${timeoutMs / 1_000} s` } : null;
}

function failedAnswer(error: unknown): ModelAnswer {
  return { type: "failed", message: error instanceof Error ? error.message : String(error) };
}

/** The SDK's own binary, else the user's; null if there is neither. */
function findClaude(env: Env): Pick<Options, "pathToClaudeCodeExecutable"> | null {
  if (hasOwnClaude()) return {};
  const paths = (env["PATH"] ?? "").split(delimiter).map((dir) => join(dir, "claude"));
  const found = paths.find(isExecutable);
  return found === undefined ? null : { pathToClaudeCodeExecutable: found };
}

function hasOwnClaude(): boolean {
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  try {
    const sdk = createRequire(createRequire(import.meta.url).resolve("@anthropic-ai/claude-agent-sdk"));
    return [name, `${name}-musl`].some((packageName) => canResolve(sdk, `${packageName}/package.json`));
  } catch {
    return false;
  }
}

function canResolve(from: NodeJS.Require, name: string): boolean {
  try {
    from.resolve(name);
    return true;
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
