import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  type ClockStep,
  type Clocks,
  clockStepText,
  compareClocks,
  createAgeClock,
  readClocks,
  trustedBeforeIso,
  watchClock,
} from "../../src/daemon/clock.ts";
import { factId } from "../../src/event/ids.ts";
import { toLine } from "../../src/event/line.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];
const NOW = Date.parse("2026-03-01T12:00:00.000Z");

/** A machine with scripted clocks. */
function createMachine({ hasBoot = true } = {}) {
  let clocks = { wallMs: NOW, monotonicMs: 5_000, bootMs: 900_000 };
  const move = (wall: number, monotonic: number, boot: number): void => {
    clocks = {
      wallMs: clocks.wallMs + wall,
      monotonicMs: clocks.monotonicMs + monotonic,
      bootMs: clocks.bootMs + boot,
    };
  };
  return {
    read: (): Clocks => ({ ...clocks, bootMs: hasBoot ? clocks.bootMs : null }),
    run: (ms: number) => move(ms, ms, ms),
    sleep: (ms: number) => move(ms, 0, ms),
    set: (ms: number) => move(ms, 0, 0),
  };
}

function watched(machine = createMachine()) {
  const steps: ClockStep[] = [];
  const days = { count: 0 };
  const watch = watchClock({
    read: machine.read,
    everyMs: 1e9,
    onStep: (step) => steps.push(step),
    onDay: () => days.count++,
  });
  watch.close();
  return { machine, steps, days, watch };
}

describe("watching the clocks", () => {
  it("reports nothing while they advance together or the wall clock is slewed", () => {
    const { machine, steps, watch } = watched();
    for (let i = 0; i < 100; i++) {
      machine.run(30 * SECOND);
      machine.set(i % 2 === 0 ? 400 : -15);
      watch.check();
    }
    expect(steps).toEqual([]);
  });

  it("distinguishes a set clock from sleep, and reports both when both happened", () => {
    const { machine, steps, watch } = watched();
    const happened: [() => void, ClockStep[]][] = [
      [() => machine.set(-HOUR), [{ kind: "clock_back", byMs: HOUR }]],
      [() => machine.set(365 * DAY), [{ kind: "clock_forward", byMs: 365 * DAY }]],
      [() => machine.sleep(8 * HOUR), [{ kind: "slept", byMs: 8 * HOUR }]],
      [
        () => {
          machine.sleep(HOUR);
          machine.set(-2 * HOUR);
        },
        [
          { kind: "slept", byMs: HOUR },
          { kind: "clock_back", byMs: 2 * HOUR },
        ],
      ],
    ];
    for (const [happen, expected] of happened) {
      machine.run(30 * SECOND);
      happen();
      watch.check();
      expect(steps.splice(0)).toEqual(expected);
    }
  });

  it("treats a jump as sleep where no clock runs during sleep", () => {
    const { machine, steps, watch } = watched(createMachine({ hasBoot: false }));
    machine.sleep(HOUR);
    watch.check();
    machine.set(-HOUR);
    watch.check();
    expect(steps).toEqual([
      { kind: "slept", byMs: HOUR },
      { kind: "clock_back", byMs: HOUR },
    ]);
  });

  it("counts days spent asleep, but no day that only the wall clock jumped", () => {
    const { machine, days, watch } = watched();
    for (let i = 0; i < 3; i++) {
      machine.run(2 * HOUR);
      machine.sleep(22 * HOUR);
      watch.check();
    }
    expect(days.count).toBe(3);
    machine.set(30 * DAY);
    watch.check();
    expect(days.count).toBe(3);
  });

  it("treats no file as old because the clock jumped, the machine slept, or the clock went back", () => {
    const { machine, watch } = watched();
    const ageOfNew = (): number => watch.cautiousMs() - machine.read().wallMs;
    machine.run(HOUR);
    const bornMs = machine.read().wallMs;
    machine.set(365 * DAY);
    expect(watch.cautiousMs() - bornMs).toBe(0);
    machine.sleep(3 * DAY);
    expect(watch.cautiousMs() - bornMs).toBe(0);
    machine.set(-400 * DAY);
    expect(ageOfNew()).toBe(0);
    machine.run(HOUR);
    expect(ageOfNew()).toBeLessThanOrEqual(0);
  });

  it("finds nothing between two readings of the real clocks", () => {
    expect(compareClocks(readClocks(), readClocks())).toEqual([]);
  });

  it.each<[ClockStep, string]>([
    [{ kind: "clock_back", byMs: HOUR }, "the clock went back by 1 h"],
    [{ kind: "clock_back", byMs: HOUR - 4 }, "the clock went back by 1 h"],
    [{ kind: "clock_forward", byMs: 365 * DAY }, "the clock went forward by 365 d"],
    [{ kind: "clock_forward", byMs: 2_040 }, "the clock went forward by 2 s"],
    [{ kind: "slept", byMs: 7.5 * HOUR }, "the machine slept for 7.5 h"],
    [{ kind: "slept", byMs: 90 * SECOND }, "the machine slept for 1.5 min"],
  ])("describes %j as %j", (step, sentence) => {
    expect(clockStepText(step)).toBe(sentence);
  });
});

describe("the time that ages are measured by", () => {
  it("is the clock's for a recorder that is used every few days", () => {
    const belief = createAgeClock(() => 0);
    expect(belief.nowMs(NOW, NOW - 3 * DAY)).toBe(NOW);
    expect(belief.nowMs(NOW, null)).toBe(NOW);
  });

  it("stays near the last recorded time when the clock jumps a year for a minute", () => {
    let elapsed = 0;
    const belief = createAgeClock(() => elapsed);
    const heard = NOW - HOUR;
    expect(belief.nowMs(NOW + 365 * DAY, heard)).toBe(heard + 3 * DAY);
    elapsed += 60 * SECOND;
    expect(belief.nowMs(NOW + 60 * SECOND, NOW - DAY)).toBe(NOW + 60 * SECOND);
    expect(trustedBeforeIso(NOW)).toBe("2026-02-28T12:00:00.000Z");
  });

  it("advances with process time, also when nothing is recorded for months", () => {
    let elapsed = 0;
    const belief = createAgeClock(() => elapsed);
    expect(belief.nowMs(NOW, NOW - 2 * DAY)).toBe(NOW);
    elapsed += 90 * DAY;
    expect(belief.nowMs(NOW + 90 * DAY, NOW - 2 * DAY)).toBe(NOW + 90 * DAY);
    expect(belief.nowMs(NOW + 900 * DAY, NOW - 2 * DAY)).toBe(NOW + 90 * DAY);
  });

  it("follows a clock that goes back immediately", () => {
    const belief = createAgeClock(() => 0);
    expect(belief.nowMs(NOW, NOW - DAY)).toBe(NOW);
    expect(belief.nowMs(NOW - 40 * DAY, NOW - 41 * DAY)).toBe(NOW - 40 * DAY);
  });
});

describe("a daemon with retentionDays 30", () => {
  let hookline: Hookline;
  afterEach(() => hookline.close());

  /** Starts it on sessions of these ages with a clock that is ahead; returns the ages of the remaining sessions. */
  async function keep(agesInDays: readonly number[], aheadMs: number): Promise<number[]> {
    hookline = openHookline({ config: { retentionDays: 30 } });
    const lines = agesInDays.map((age) =>
      toLine({
        v: 1,
        id: factId("told", String(age)),
        eventType: "turn.end",
        occurredAtIso: new Date(Date.now() - age * DAY).toISOString(),
        sessionId: `${age}`,
        provider: "claude",
        projectPath: null,
        cwd: null,
        origin: "hook",
      }),
    );
    mkdirSync(hookline.home.stream, { recursive: true });
    writeFileSync(join(hookline.home.stream, "lifecycle.jsonl"), `${lines.join("\n")}\n`);
    const preload = join(hookline.root, "ahead.mjs");
    writeFileSync(preload, `const now = Date.now; Date.now = () => now() + ${aheadMs};`);
    Object.assign(hookline.env, { NODE_OPTIONS: `--import ${preload}` });
    await hookline.start();
    await hookline.settle();
    const rows = hookline.query("SELECT claude_session_id AS id FROM sdk_sessions");
    return rows.map((row) => Number(row["id"])).sort((a, b) => a - b);
  }

  it("removes older sessions by a correct clock", async () => {
    expect(await keep([1, 2, 20, 40, 90], 0)).toEqual([1, 2, 20]);
  });

  it("removes no more when started while the clock is a year ahead", async () => {
    expect(await keep([0.1, 1, 20, 40, 90], 365 * DAY)).toEqual([0.1, 1, 20]);
  });
});
