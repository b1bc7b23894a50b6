import type { Options, Query, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { AppError } from "../app-error.ts";

/** The only module that imports the Agent SDK, an optional peer: everything else works without it. */

export type {
  HookCallback,
  Options,
  PermissionResult,
  Query,
  SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";

export type Sdk = Pick<typeof import("@anthropic-ai/claude-agent-sdk"), "query">;

export type OpenQuery = (input: AsyncIterable<SDKUserMessage>, options: Options) => Promise<Query>;

/** Loads the SDK on first use. */
export async function openQuery(
  input: AsyncIterable<SDKUserMessage>,
  options: Options,
  load: () => Promise<Sdk> = () => import("@anthropic-ai/claude-agent-sdk"),
): Promise<Query> {
  const sdk = await load().catch(refuseMissing);
  return sdk.query({ prompt: input, options });
}

function refuseMissing(cause: unknown): never {
  if ((cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") {
    const message = "The Agent SDK is not installed: npm install -g @anthropic-ai/claude-agent-sdk";
    throw new AppError("sdk_missing", message, { cause });
  }
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new AppError("sdk_missing", `The Agent SDK does not load: ${why}`, { cause });
}
