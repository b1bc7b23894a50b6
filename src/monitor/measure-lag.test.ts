import { expect, it } from "vitest";
import type { Origin } from "../event/event.ts";
import { createLagMeter } from "./measure-lag.ts";

const START_MS = Date.parse("2026-01-01T12:00:00.000Z");
const at = (second: number): number => START_MS + second * 1_000;
const event = (origin: Origin, second: number, sessionId = "s") => ({
  sessionId,
  origin,
  occurredAtIso: new Date(at(second)).toISOString(),
});

it("counts live events, but not the age of history read when a session is discovered", () => {
  let now = at(0);
  const meter = createLagMeter(() => now);
  meter.applied([event("transcript", -444), event("watch", -440)]);
  meter.applied([event("transcript", -300)]);
  expect(meter.lagMs()).toBeNull();
  now = at(10);
  meter.applied([event("transcript", 9)]);
  expect(meter.lagMs()).toBe(1_000);
  meter.applied([event("transcript", -900, "other")]);
  expect(meter.lagMs()).toBe(1_000);
});

it("counts hook events, however long they were in the spool", () => {
  const meter = createLagMeter(() => at(0));
  meter.applied([event("hook", -60), event("hook", -2)]);
  expect(meter.lagMs()).toBe(2_000);
  meter.applied([event("hook", -50, "sample-1")]);
  expect(meter.lagMs()).toBe(2_000);
});
