import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { PATIENCE_MS } from "../../test/support/patience.ts";
import { resolveHome } from "../home.ts";
import { watchRecordingRules } from "./watch-recording-rules.ts";

const PAUSE_MS = 6_000;

it("calls back when a rules file changes and when a pause ends", async () => {
  const home = resolveHome({ HOOKLINE_HOME: mkdtempSync(join(tmpdir(), "hookline-rules-")) });
  let changes = 0;
  const watch = watchRecordingRules(home, () => {
    changes++;
  });
  onTestFinished(() => {
    watch.close();
    rmSync(home.dir, { recursive: true });
  });
  const expectChange = async (act: () => void): Promise<void> => {
    const before = changes;
    act();
    await expect.poll(() => changes).toBeGreaterThan(before);
    // One write may be reported more than once.
    await setTimeout(150);
  };
  const changesAfter = async (act: () => void): Promise<number> => {
    const before = changes;
    act();
    await setTimeout(150);
    return changes - before;
  };
  await expectChange(() => writeFileSync(home.configFile, "{}"));
  expect(await changesAfter(() => writeFileSync(join(home.dir, "token"), "x"))).toBe(0);
  const now = Date.now();
  const pause = {
    from: new Date(now).toISOString(),
    until: new Date(now + PAUSE_MS).toISOString(),
    project: null,
  };
  await expectChange(() => writeFileSync(home.pauses, JSON.stringify([pause])));
  const before = changes;
  await expect.poll(() => changes, { timeout: PATIENCE_MS }).toBe(before + 1);
  expect(Date.now()).toBeGreaterThanOrEqual(now + PAUSE_MS);
});
