import type { CountedUsage } from "../agents/usage-source.ts";
import { isPlainObject } from "../event/canonical.ts";

export interface ModelShare {
  readonly model: string;
  readonly usage: CountedUsage;
}

/** Splits a message's API `usage` by model: its own, and that of another model it called (an advisor). */
export function countUsage(model: string, usage: unknown): ModelShare[] {
  const fields = objectOrEmpty(usage);
  const advisors = Array.isArray(fields["iterations"]) ? fields["iterations"].map(objectOrEmpty) : [];
  return [
    { model, usage: count(fields) },
    ...advisors
      .filter(
        (iteration) => iteration["type"] === "advisor_message" && typeof iteration["model"] === "string",
      )
      .map((iteration) => ({
        model: iteration["model"] as string,
        usage: count({ ...iteration, inference_geo: fields["inference_geo"] }),
      })),
  ];
}

function count(usage: Readonly<Record<string, unknown>>): CountedUsage {
  const cacheWrite = amountOrZero(usage["cache_creation_input_tokens"]);
  const cacheWrite1h = amountOrZero(objectOrEmpty(usage["cache_creation"])["ephemeral_1h_input_tokens"]);
  return {
    input: amountOrZero(usage["input_tokens"]),
    output: amountOrZero(usage["output_tokens"]),
    cacheRead: amountOrZero(usage["cache_read_input_tokens"]),
    cacheWrite,
    cacheWrite1h: Math.min(cacheWrite, cacheWrite1h),
    webSearches: amountOrZero(objectOrEmpty(usage["server_tool_use"])["web_search_requests"]),
    isFast: usage["speed"] === "fast",
    isUsOnly: usage["inference_geo"] === "us",
  };
}

/** Returns 0 for anything that is not a countable number. */
export function amountOrZero(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

export function objectOrEmpty(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}
