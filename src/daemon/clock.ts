import { uptime } from "node:os";

/** The machine's clocks at one moment. */
export interface Clocks {
  /** Wall-clock time. Can be set. */
  readonly wallMs: number;
  /** Monotonic; stops while the machine sleeps. */
  readonly monotonicMs: number;
  /** Monotonic, including sleep. Null where the system has no such clock. */
  readonly bootMs: number | null;
}

export interface ClockStep {
  readonly kind: "clock_back" | "clock_forward" | "slept";
  readonly byMs: number;
}

export interface ClockWatchOptions {
  readonly onStep: (step: ClockStep) => void;
  /** Called once per day that the machine was on or asleep, however often it slept. */
  readonly onDay: () => void;
  readonly read?: () => Clocks;
  readonly everyMs?: number;
}

export interface ClockWatch {
  /** Checks now instead of at the next interval. */
  check(): void;
  /**
   * The time by which files are considered old. Never ahead of the time elapsed since the start, so neither a
   * clock set forward nor a long sleep makes files old; never ahead of the clock, which timestamps the files.
   */
  cautiousMs(): number;
  /** Since the watch started; includes sleep where a clock can tell it from a step. */
  elapsedMs(): number;
  close(): void;
}

const CHECK_INTERVAL_MS = 30_000;
const DAY_MS = 24 * 3_600_000;
/** Slewing moves a clock by 15 ms in half a minute; uptime has a resolution of 10 ms. */
const MIN_STEP_MS = 2_000;

export function readClocks(): Clocks {
  return {
    wallMs: Date.now(),
    monotonicMs: performance.now(),
    // Elsewhere uptime is derived from the wall clock and moves with it.
    bootMs: process.platform === "linux" ? uptime() * 1_000 : null,
  };
}

/** What happened between two clock readings. Without a clock that runs in sleep, a jump counts as sleep. */
export function compareClocks(before: Clocks, now: Clocks): ClockStep[] {
  const steps: ClockStep[] = [];
  const elapsed = passedMs(before, now);
  const asleepMs = elapsed - (now.monotonicMs - before.monotonicMs);
  if (asleepMs >= MIN_STEP_MS) steps.push({ kind: "slept", byMs: asleepMs });
  const steppedMs = now.wallMs - before.wallMs - elapsed;
  if (Math.abs(steppedMs) >= MIN_STEP_MS) {
    steps.push({ kind: steppedMs < 0 ? "clock_back" : "clock_forward", byMs: Math.abs(steppedMs) });
  }
  return steps;
}

/** For people: "the clock went back by 1 h". */
export function clockStepText({ kind, byMs }: ClockStep): string {
  const time = durationText(byMs);
  if (kind === "slept") return `the machine slept for ${time}`;
  return `the clock went ${kind === "clock_back" ? "back" : "forward"} by ${time}`;
}

export function watchClock(options: ClockWatchOptions): ClockWatch {
  const read = options.read ?? readClocks;
  const start = read();
  let last = start;
  let dayMs = 0;

  const check = (): void => {
    const now = read();
    const steps = compareClocks(last, now);
    dayMs += Math.max(0, passedMs(last, now));
    last = now;
    for (const step of steps) options.onStep(step);
    if (dayMs < DAY_MS) return;
    dayMs %= DAY_MS;
    options.onDay();
  };
  const timer = setInterval(check, options.everyMs ?? CHECK_INTERVAL_MS).unref();
  return {
    check: check,
    cautiousMs() {
      const { wallMs, monotonicMs } = read();
      return Math.min(wallMs, start.wallMs + monotonicMs - start.monotonicMs);
    },
    elapsedMs() {
      const now = read();
      return (now.bootMs ?? now.monotonicMs) - (start.bootMs ?? start.monotonicMs);
    },
    close: () => clearInterval(timer),
  };
}

const MAX_SILENCE_MS = 3 * DAY_MS;

export interface AgeClock {
  /** `newestMs`: the newest recorded time before `trustedBeforeIso(nowMs)`; null: there is none. */
  nowMs(nowMs: number, newestMs: number | null): number;
}

/**
 * The time used to compute ages when old data is removed. A clock set a year ahead for a minute must not make
 * everything old: it is trusted up to three days beyond what was recorded before the last day, or as far as
 * this process has seen time pass since it last trusted it.
 */
export function createAgeClock(elapsedMs: () => number): AgeClock {
  let last: { readonly trustedMs: number; readonly elapsedMs: number } | null = null;
  return {
    nowMs(nowMs, newestMs) {
      const elapsed = elapsedMs();
      const elapsedTrustMs = last === null ? -Infinity : last.trustedMs + elapsed - last.elapsedMs;
      const trustedMs =
        newestMs === null ? nowMs : Math.min(nowMs, Math.max(newestMs + MAX_SILENCE_MS, elapsedTrustMs));
      last = { trustedMs, elapsedMs: elapsed };
      return trustedMs;
    },
  };
}

/** Records of the last day may carry timestamps of the very clock in doubt. */
export function trustedBeforeIso(nowMs: number): string {
  return new Date(nowMs - DAY_MS).toISOString();
}

function passedMs(before: Clocks, now: Clocks): number {
  const monotonic = now.monotonicMs - before.monotonicMs;
  if (before.bootMs !== null && now.bootMs !== null) return Math.max(monotonic, now.bootMs - before.bootMs);
  const wall = now.wallMs - before.wallMs;
  return wall - monotonic >= MIN_STEP_MS ? wall : monotonic;
}

const UNITS = [
  ["d", DAY_MS],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

function durationText(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size * 0.995) ?? UNITS[3];
  const count = ms / size;
  return `${count < 10 ? Number(count.toFixed(1)) : Math.round(count)} ${unit}`;
}
