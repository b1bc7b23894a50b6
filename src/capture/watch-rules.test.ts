import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { resolveHome } from "../home.ts";
import { watchRules } from "./watch-rules.ts";

it("tells of other rules when their files change, and when a pause is over", async () => {
  const home = resolveHome({ HOOKLINE_HOME: mkdtempSync(join(tmpdir(), "hookline-rules-")) });
  let told = 0;
  const watch = watchRules(home, () => {
    told++;
  });
  onTestFinished(() => {
    watch.close();
    rmSync(home.dir, { recursive: true });
  });
  const since = async (act: () => void): Promise<number> => {
    const before = told;
    act();
    await setTimeout(150);
    return told - before;
  };
  expect(await since(() => writeFileSync(home.configFile, "{}"))).toBeGreaterThan(0);
  expect(await since(() => writeFileSync(join(home.dir, "token"), "x"))).toBe(0);
  const now = Date.now();
  const pause = {
    from: new Date(now).toISOString(),
    until: new Date(now + 400).toISOString(),
    project: null,
  };
  expect(await since(() => writeFileSync(home.pauses, JSON.stringify([pause])))).toBeGreaterThan(0);
  expect(await since(() => undefined)).toBe(0);
  await expect.poll(() => since(() => undefined)).toBe(1);
});
