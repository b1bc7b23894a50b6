import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createLoadReader, parsePs } from "./process-load.ts";
import { isAlive, isOwnDomain, isSameProcess, readStat } from "./processes.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(command: string, ...args: string[]): ChildProcess & { pid: number } {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  return child as ChildProcess & { pid: number };
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

describe("a process", () => {
  it("is alive until it is killed", async () => {
    const child = start("sleep", "60");
    expect(isAlive(child.pid)).toBe(true);
    await kill(child);
    expect(isAlive(child.pid)).toBe(false);
  });

  it("of another user is alive", () => {
    expect(isAlive(1)).toBe(true);
  });

  it("with a pid of 0 or below, which would signal a group, is not alive", () => {
    for (const pid of [0, -1, 1.5, Number.NaN]) expect(isAlive(pid)).toBe(false);
  });

  it.runIf(process.platform === "linux")("that became a zombie is not alive", async () => {
    // The shell's child exits immediately, and the shell has become a program that never waits for it.
    const parent = start("sh", "-c", "sleep 0.01 & echo $!; exec sleep 60");
    const [line] = (await once(parent.stdout!, "data")) as [Buffer];
    const pid = Number(String(line).trim());
    await expect.poll(() => readStat(pid)?.state).toBe("Z");
    expect(isAlive(pid)).toBe(false);
    expect(isSameProcess(pid, null)).toBe(false);
  });

  it.runIf(process.platform === "linux")("that started after a time is not the process seen then", () => {
    const before = Date.now() - 5_000;
    const child = start("sleep", "60");
    expect(isAlive(child.pid, { startedBeforeMs: Date.now() })).toBe(true);
    expect(isAlive(child.pid, { startedBeforeMs: before })).toBe(false);
    expect(isAlive(process.pid, { startedBeforeMs: Date.now() })).toBe(true);
  });

  it("is the same while its start time is", async () => {
    const child = start("sleep", "60");
    const procStart = readStat(child.pid)?.startTicks ?? null;
    expect(isSameProcess(child.pid, procStart)).toBe(true);
    expect(isSameProcess(child.pid, null)).toBe(true);
    expect(isSameProcess(child.pid, "1")).toBe(false);
    await kill(child);
    expect(isSameProcess(child.pid, procStart)).toBe(false);
  });

  it.runIf(process.platform === "linux")("may have a name with brackets and spaces", async () => {
    const child = start("sh", "-c", "printf 'a) R (b' > /proc/$$/comm; echo done; sleep 5 & wait");
    await once(child.stdout!, "data");
    expect(readFileSync(`/proc/${child.pid}/comm`, "utf8")).toBe("a) R (b\n");
    expect(readStat(child.pid)?.startTicks).toMatch(/^\d+$/);
  });
});

describe("a pid domain", () => {
  it.runIf(process.platform === "linux")("is our own, or that of another machine or container", () => {
    expect(isOwnDomain(null)).toBe(true);
    expect(isOwnDomain("a form we do not know")).toBe(true);
    expect(isOwnDomain("linux:0123456789abcdef0123456789abcdef:pid:[1]")).toBe(false);
  });
});

describe("the load of processes", () => {
  it("is the CPU time between two reads, and the memory; dead processes are omitted", async () => {
    const busy = start(process.execPath, "-e", "for (;;);");
    const sleeping = start("sleep", "60");
    const dead = start("sleep", "60");
    await kill(dead);
    const reader = createLoadReader();
    const pids = [busy.pid, sleeping.pid, dead.pid];
    await sleep(200);
    const first = await reader.read(pids);
    expect([...first.keys()]).toEqual([busy.pid, sleeping.pid]);
    if (process.platform === "linux") expect(first.get(busy.pid)?.cpuPercent).toBeNull();
    let second = first;
    const usedByBusy = async (): Promise<number> => {
      await sleep(500);
      second = await reader.read(pids);
      return second.get(busy.pid)?.cpuPercent ?? 0;
    };
    // How much it gets depends on the machine's load.
    await expect.poll(usedByBusy).toBeGreaterThan(5);
    expect(second.get(busy.pid)?.cpuPercent).toBeLessThan(150);
    expect(second.get(sleeping.pid)?.cpuPercent).toBeLessThan(5);
    expect(second.get(busy.pid)?.rssBytes).toBeGreaterThan(10 * 1024 * 1024);
  });

  it("is parsed from the output of ps", () => {
    expect(parsePs("  4711  12.5  20480\n 4712   0.0   1024\n\n")).toEqual(
      new Map([
        [4711, { cpuPercent: 12.5, rssBytes: 20_971_520 }],
        [4712, { cpuPercent: 0, rssBytes: 1_048_576 }],
      ]),
    );
  });
});
