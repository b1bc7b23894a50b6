import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createThrottle } from "./throttle.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("runs at once, then once for all requests within the interval", () => {
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

it("runs now on demand, and not again for earlier requests", () => {
  let runs = 0;
  const throttle = createThrottle(() => runs++, 1_000);
  throttle.request();
  throttle.request();
  throttle.run();
  expect(runs).toBe(2);
  vi.advanceTimersByTime(5_000);
  expect(runs).toBe(2);
});
