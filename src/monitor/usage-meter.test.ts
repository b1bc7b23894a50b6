import { expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import type { HooklineEvent } from "../event/event.ts";
import { createUsageMeter } from "./usage-meter.ts";

const message = (id: string, model: string): HooklineEvent => ({
  v: 1,
  id,
  eventType: "assistant.message",
  occurredAtIso: "2026-11-15T03:00:00.000Z",
  sessionId: "s",
  provider: "claude",
  projectPath: null,
  cwd: null,
  origin: "transcript",
  model,
  usage: { input_tokens: 10, output_tokens: 1 },
});

it("keeps the cost of a model when one of its messages has no price", () => {
  const meter = createUsageMeter({
    ...claude.usage,
    canonicalModelName: () => "m",
    priceOf: (model) => (model === "priced" ? 100 : undefined),
  });
  meter.count(message("a", "unpriced"));
  expect(meter.read()).toMatchObject([{ model: "m", input: 10, costMicros: null }]);
  meter.count(message("b", "priced"));
  meter.count(message("c", "unpriced"));
  expect(meter.read()).toMatchObject([{ input: 30, costMicros: 100 }]);
  meter.count(message("d", "priced"));
  expect(meter.read()).toMatchObject([{ input: 40, costMicros: 200 }]);
});

it("counts a repeated message once, however many came before it", () => {
  const meter = createUsageMeter(claude.usage);
  const count = 45_000;
  for (let n = 0; n < count; n++) {
    meter.count(message(`m${n}`, "claude-opus-4-5"));
    meter.count(message(`m${Math.max(0, n - 1)}`, "claude-opus-4-5"));
  }
  expect(meter.read()).toMatchObject([{ output: count }]);
});
