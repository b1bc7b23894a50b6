import type { CountedUsage } from "../agents/usage-source.ts";
import { isPlainObject } from "../event/canonical.ts";

export interface ModelShare {
  readonly model: string;
  readonly usage: CountedUsage;
}

/** The API's `usage` of a message by model: its own, and what another model was asked for within it (an advisor). */
export function countUsage(model: string, usage: unknown): ModelShare[] {
  const whole = object(usage);
  const advisors = Array.isArray(whole["iterations"]) ? whole["iterations"].map(object) : [];
  return [
    { model, usage: count(whole) },
    ...advisors
      .filter((one) => one["type"] === "advisor_message" && typeof one["model"] === "string")
      .map((one) => ({
        model: one["model"] as string,
        usage: count({ ...one, inference_geo: whole["inference_geo"] }),
      })),
  ];
}

function count(usage: Readonly<Record<string, unknown>>): CountedUsage {
  const cacheWrite = amount(usage["cache_creation_input_tokens"]);
  const cacheWrite1h = amount(object(usage["cache_creation"])["ephemeral_1h_input_tokens"]);
  return {
    input: amount(usage["input_tokens"]),
    output: amount(usage["output_tokens"]),
    cacheRead: amount(usage["cache_read_input_tokens"]),
    cacheWrite,
    cacheWrite1h: Math.min(cacheWrite, cacheWrite1h),
    webSearches: amount(object(usage["server_tool_use"])["web_search_requests"]),
    isFast: usage["speed"] === "fast",
    isUsOnly: usage["inference_geo"] === "us",
  };
}

/** A number that can be counted; anything else is none. */
export function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

export function object(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}
