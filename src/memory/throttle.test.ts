import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createThrottle } from "./throttle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("runs at once, then once for all that is asked within the time", () => {
  let runs = 0;
  const throttle = createThrottle(() => runs++, 1_000);
  throttle.request();
  expect(runs).toBe(1);
  throttle.request();
  throttle.request();
  vi.advanceTimersByTime(999);
  expect(runs).toBe(1);
  vi.advanceTimersByTime(1);
  expect(runs).toBe(2);
  vi.advanceTimersByTime(5_000);
  expect(runs).toBe(2);
});

it("runs now for somebody who waits, and not again for what was asked before", () => {
  let runs = 0;
  const throttle = createThrottle(() => runs++, 1_000);
  throttle.request();
  throttle.request();
  throttle.run();
  expect(runs).toBe(2);
  vi.advanceTimersByTime(5_000);
  expect(runs).toBe(2);
});
