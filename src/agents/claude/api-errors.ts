import { asObject, type Json, number, text } from "../read-json.ts";

/** The part of an `api_error` line's `error` that is stored. */
export function apiErrorData(error: Json): Json {
  const message = text(error, "formatted") ?? text(error, "message");
  return {
    status: number(error, "status"),
    message: message?.split("\n")[0],
    resetsAtIso: resetTime(error["rateLimits"]) ?? resetTime(fromHeaders(asObject(error["headers"]))),
  };
}

/** When a limit resets, if the agent reports it: `resetsAt` in seconds since the epoch. */
export function resetTime(limits: unknown): string | undefined {
  const seconds = number(asObject(limits), "resetsAt");
  if (seconds === undefined || seconds <= 0 || seconds > MAX_EPOCH_SECONDS) return undefined;
  return new Date(seconds * 1000).toISOString();
}

const MAX_EPOCH_SECONDS = 1e11;

/** Older versions stored the headers of the response. */
function fromHeaders(headers: Json): Json {
  return { resetsAt: Number(headers["anthropic-ratelimit-unified-reset"] ?? Number.NaN) };
}
