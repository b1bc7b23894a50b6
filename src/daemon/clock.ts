import { uptime } from "node:os";

/** What the machine's clocks say at one moment. */
export interface Clocks {
  /** What the calendar says. Can be set. */
  readonly wallMs: number;
  /** Only goes forward; stands still while the machine sleeps. */
  readonly monotonicMs: number;
  /** Only goes forward, also through sleep. Null where the system has none. */
  readonly bootMs: number | null;
}

export interface ClockStep {
  readonly kind: "clock_back" | "clock_forward" | "slept";
  readonly byMs: number;
}

export interface ClockWatchOptions {
  readonly onStep: (step: ClockStep) => void;
  /** Once in each day that the machine was on or asleep, however often it slept. */
  readonly onDay: () => void;
  readonly read?: () => Clocks;
  readonly everyMs?: number;
}

export interface ClockWatch {
  /** Looks now instead of at the next turn. */
  look(): void;
  /**
   * The time by which a file may be called old: never ahead of what has passed since the start, so that a
   * clock set forward makes nothing old, nor a long sleep; and never ahead of the clock, which times the files.
   */
  cautiousMs(): number;
  /** Since the watch began; sleep counts where a clock tells it from a step. */
  elapsedMs(): number;
  close(): void;
}

const EVERY_MS = 30_000;
const DAY_MS = 24 * 3_600_000;
/** Slewing moves a clock by 15 ms in half a minute; uptime is told in steps of 10 ms. */
const STEP_MS = 2_000;

export function readClocks(): Clocks {
  return {
    wallMs: Date.now(),
    monotonicMs: performance.now(),
    // Elsewhere it is reckoned from the calendar and moves with it.
    bootMs: process.platform === "linux" ? uptime() * 1_000 : null,
  };
}

/** What happened to the clocks between two looks. Without a clock that runs in sleep, a leap counts as sleep. */
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

/** In words for a person: "the clock went back by 1 h". */
export function tellStep({ kind, byMs }: ClockStep): string {
  const time = tellDuration(byMs);
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
    look,
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

export interface Belief {
  /** `heardMs`: the newest time in the records that is before `heardBeforeIso(nowMs)`; null: there is none. */
  nowMs(nowMs: number, heardMs: number | null): number;
}

/**
 * The time to reckon ages by when something is removed for its age. A clock that was set a year ahead for a
 * minute must not make everything old: it is believed as far as three days beyond what was recorded before the
 * last day, or as far as this process has seen time pass since it last believed it.
 */
export function createBelief(elapsedMs: () => number): Belief {
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

/** What was recorded in the last day may have been timed by the very clock that is in doubt. */
export function heardBeforeIso(nowMs: number): string {
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

function tellDuration(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size * 0.995) ?? UNITS[3];
  const count = ms / size;
  return `${count < 10 ? Number(count.toFixed(1)) : Math.round(count)} ${unit}`;
}
