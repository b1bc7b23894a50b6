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

const EVERY_MS = 30_000;
const DAY_MS = 24 * 3_600_000;
/** Slewing moves a clock by 15 ms in half a minute; uptime has a resolution of 10 ms. */
const STEP_MS = 2_000;

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
  const passed = passedMs(before, now);
  const asleep = passed - (now.monotonicMs - before.monotonicMs);
  if (asleep >= STEP_MS) steps.push({ kind: "slept", byMs: asleep });
  const set = now.wallMs - before.wallMs - passed;
  if (Math.abs(set) >= STEP_MS) {
    steps.push({ kind: set < 0 ? "clock_back" : "clock_forward", byMs: Math.abs(set) });
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
  const began = read();
  let last = began;
  let dayMs = 0;

  const look = (): void => {
    const now = read();
    const steps = compareClocks(last, now);
    dayMs += Math.max(0, passedMs(last, now));
    last = now;
    for (const step of steps) options.onStep(step);
    if (dayMs < DAY_MS) return;
    dayMs %= DAY_MS;
    options.onDay();
  };
  const timer = setInterval(look, options.everyMs ?? EVERY_MS).unref();
  return {
    check: look,
    cautiousMs() {
      const { wallMs, monotonicMs } = read();
      return Math.min(wallMs, began.wallMs + monotonicMs - began.monotonicMs);
    },
    elapsedMs() {
      const now = read();
      return (now.bootMs ?? now.monotonicMs) - (began.bootMs ?? began.monotonicMs);
    },
    close: () => clearInterval(timer),
  };
}

const SILENCE_MS = 3 * DAY_MS;

export interface AgeClock {
  /** `heardMs`: the newest recorded time before `trustedBeforeIso(nowMs)`; null: there is none. */
  nowMs(nowMs: number, heardMs: number | null): number;
}

/**
 * The time used to compute ages when old data is removed. A clock set a year ahead for a minute must not make
 * everything old: it is trusted up to three days beyond what was recorded before the last day, or as far as
 * this process has seen time pass since it last trusted it.
 */
export function createAgeClock(elapsedMs: () => number): AgeClock {
  let last: { readonly believedMs: number; readonly elapsedMs: number } | null = null;
  return {
    nowMs(nowMs, heardMs) {
      const elapsed = elapsedMs();
      const ownMs = last === null ? -Infinity : last.believedMs + elapsed - last.elapsedMs;
      const believedMs = heardMs === null ? nowMs : Math.min(nowMs, Math.max(heardMs + SILENCE_MS, ownMs));
      last = { believedMs, elapsedMs: elapsed };
      return believedMs;
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
  return wall - monotonic >= STEP_MS ? wall : monotonic;
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
