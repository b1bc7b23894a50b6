import { describe, expect, it } from "vitest";
import { PRICES } from "../agents/claude/price-table.ts";
import { canonicalModelName, contextWindowOf, isPriced, priceOf } from "../agents/claude/prices.ts";
import { countUsage } from "./count-usage.ts";

/** The usage a scripted API returned to the real CLI in the runs whose costs are below. */
const responseUsage = {
  input_tokens: 1003,
  output_tokens: 517,
  cache_read_input_tokens: 20_011,
  cache_creation_input_tokens: 3007,
  cache_creation: { ephemeral_5m_input_tokens: 2003, ephemeral_1h_input_tokens: 1004 },
  server_tool_use: { web_search_requests: 3 },
};

function micros(model: string, usage: object = responseUsage): number | undefined {
  const parts = countUsage(model, usage).map((share) => priceOf(share.model, share.usage));
  return parts.includes(undefined) ? undefined : Math.round(parts.reduce((a, b) => a! + b!)! * 1000) / 1000;
}

describe("the price of a message", () => {
  it.each([
    ["claude-3-5-haiku-20241022", 38_080.68],
    ["claude-haiku-4-5", 40_100.85],
    ["claude-haiku-5-5", 31_010.085],
    ["claude-3-5-sonnet-20241022", 60_302.55],
    ["claude-3-7-sonnet-20250219", 60_302.55],
    ["claude-sonnet-4-20250514", 60_302.55],
    ["claude-sonnet-4-5", 60_302.55],
    ["claude-sonnet-4-6", 60_302.55],
    ["claude-sonnet-5", 50_201.7],
    ["claude-sonnet-5-5", 48_200.6],
    ["claude-opus-4-5-20251101", 80_504.25],
    ["claude-opus-4-6", 80_504.25],
    ["claude-opus-4-7", 80_504.25],
    ["claude-opus-4-8", 80_504.25],
    ["claude-opus-5", 80_504.25],
    ["claude-opus-5-5", 66_401.2],
    ["claude-fable-5", 131_008.5],
    ["claude-fable-5-1", 116_000.25],
    ["claude-fable-5-2", 98_800.2],
    ["claude-mythos-5", 131_008.5],
    ["claude-mythos-5-1", 116_000.25],
    ["claude-mythos-5-2", 98_800.2],
  ])("for %s equals the cost that Claude Code 2.1.325 reported: %d", (model, reported) => {
    expect(micros(model)).toBe(reported);
  });

  it("matches the reported cost in fast mode, for the models that have one", () => {
    const fast = { ...responseUsage, speed: "fast" };
    expect(micros("claude-opus-5-5", fast)).toBe(102_802.4);
    expect(micros("claude-opus-4-8", fast)).toBe(131_008.5);
    expect(micros("claude-opus-4-6", fast)).toBe(333_025.5);
    expect(micros("claude-fable-5-2", fast)).toBe(167_600.4);
    expect(micros("claude-sonnet-5-5", fast)).toBe(48_200.6);
  });

  it("matches the reported cost of a long prompt, which only one model charges extra for", () => {
    const long = (tokens: number) => ({ ...responseUsage, cache_read_input_tokens: tokens });
    expect(micros("claude-haiku-5-5", long(100_011))).toBe(39_050.425);
    expect(micros("claude-opus-5-5", long(300_011))).toBe(122_401.2);
    expect(micros("claude-sonnet-4-5", long(300_011))).toBe(144_302.55);
  });

  it("matches the reported cost within the USA, where everything but searches costs 10 % more", () => {
    expect(micros("claude-opus-5-5", { ...responseUsage, inference_geo: "us" })).toBe(70_041.32);
  });

  it("counts cache writes of unknown duration as the short kind", () => {
    expect(micros("claude-opus-5-5", { ...responseUsage, cache_creation: undefined })).toBe(63_389.2);
  });

  it("includes the price of an advisor called within it", () => {
    const advisor = {
      type: "advisor_message",
      model: "claude-fable-5-2",
      input_tokens: 50,
      output_tokens: 60,
    };
    expect(micros("claude-opus-5-5", { ...responseUsage, iterations: [{ type: "message" }, advisor] })).toBe(
      66_401.2 + 2800,
    );
  });

  it("is 0 for unreadable usage, and unknown for an unknown model", () => {
    expect(micros("claude-opus-5-5", { input_tokens: "7", output_tokens: -1, cache_creation: [] })).toBe(0);
    expect(micros("claude-opus-9-9")).toBeUndefined();
  });
});

describe("a model's price row", () => {
  it.each([
    ["claude-opus-4-5-20251101", "claude-opus-4-5"],
    ["claude-opus-4-5@20251101", "claude-opus-4-5"],
    ["us.anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"],
    ["eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"],
    ["us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"],
    ["us.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"],
    ["anthropic.claude-haiku-4-5", "claude-haiku-4-5"],
    ["anthropic/claude-sonnet-4-6", "claude-sonnet-4-6"],
    ["anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"],
    ["arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-5-5", "claude-opus-5-5"],
    ["claude-3-5-sonnet-v2@20241022", "claude-3-5-sonnet"],
    ["claude-3-5-haiku-latest", "claude-3-5-haiku"],
    ["claude-opus-4-20250514", "claude-opus-4-0"],
    ["Claude-Sonnet-4", "claude-sonnet-4-0"],
    ["claude-opus-4-6[1m]", "claude-opus-4-6"],
  ])("of %s is %s", (name, row) => {
    expect(canonicalModelName(name)).toBe(row);
    expect(isPriced(name)).toBe(true);
  });

  it.each([
    "gpt-9",
    "claude-opus-9-9",
    "claude",
    "my-claude-opus-5-5",
    "constructor",
    "claude-opus-5-5-mini",
    "",
  ])("does not exist for %j", (name) => {
    expect(isPriced(name)).toBe(false);
    expect(canonicalModelName(name)).toBe(name);
    expect(contextWindowOf(name)).toBeNull();
  });

  it("is found under every canonical name", () => {
    for (const model of Object.keys(PRICES)) expect(canonicalModelName(model)).toBe(model);
  });
});

describe("a model's context window", () => {
  it("is the longer one if requested, or seen in use", () => {
    expect(contextWindowOf("claude-sonnet-4-5-20250929")).toBe(200_000);
    expect(contextWindowOf("claude-sonnet-4-5[1m]")).toBe(1_000_000);
    expect(contextWindowOf("claude-sonnet-4-5", 200_001)).toBe(1_000_000);
    expect(contextWindowOf("claude-opus-5-5")).toBe(1_000_000);
    expect(contextWindowOf("claude-3-5-haiku")).toBeNull();
  });
});
