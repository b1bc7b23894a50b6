import { asObject, type Json, number, text } from "../read-json.ts";

/** What is kept of an `api_error` line's `error`. */
export function apiErrorData(error: Json): Json {
  const told = text(error, "formatted") ?? text(error, "message");
  return {
    status: number(error, "status"),
    message: told?.split("\n")[0],
    resetsAtIso: resetTime(error["rateLimits"]) ?? resetTime(fromHeaders(asObject(error["headers"]))),
  };
}

/** When a limit ends, where the agent says so: `resetsAt` in seconds since the epoch. */
export function resetTime(limits: unknown): string | undefined {
  const seconds = number(asObject(limits), "resetsAt");
  if (seconds === undefined || seconds <= 0 || seconds > MOST_SECONDS) return undefined;
  return new Date(seconds * 1000).toISOString();
}

const MOST_SECONDS = 1e11;

/** Older versions kept the headers of the response. */
function fromHeaders(headers: Json): Json {
  return { resetsAt: Number(headers["anthropic-ratelimit-unified-reset"] ?? Number.NaN) };
}
