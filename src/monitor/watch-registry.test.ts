import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { readStat } from "./processes.ts";
import { type RegistryEntry, type RegistryWatch, watchRegistry } from "./watch-registry.ts";

const FIXTURE = join(
  import.meta.dirname,
  "../../test/fixtures/claude/registry/2.1.325/waiting.permission.tmux.json",
);

const agent = { provider: claude.id, source: claude.liveness };
let root: string;
let configDir: string;
let reports: (readonly RegistryEntry[])[];
let watches: RegistryWatch[];
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookline-registry-"));
  configDir = join(root, "home", ".claude");
  reports = [];
  watches = [];
});
afterEach(() => {
  for (const watch of watches) watch.close();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

function open(sweepMs = 60_000): RegistryWatch {
  const onEntries = (entries: readonly RegistryEntry[]) => void reports.push(entries);
  const watch = watchRegistry({ ...agent, configDirs: () => [configDir], onEntries, sweepMs });
  watches.push(watch);
  return watch;
}

function startProcess(): number {
  const child = spawn("sleep", ["60"]);
  children.push(child);
  return child.pid!;
}

function write(pid: number, fields: Record<string, unknown> = {}): void {
  const fixture = JSON.parse(readFileSync(FIXTURE, "utf8")) as Record<string, unknown>;
  const procStart = readStat(pid)?.startTicks;
  mkdirSync(join(configDir, "sessions"), { recursive: true });
  const entry = { ...fixture, pid, procStart, pidDomain: undefined, ...fields };
  writeFileSync(join(configDir, "sessions", `${pid}.json`), JSON.stringify(entry));
}

function lastReport(): readonly RegistryEntry[] {
  return reports.at(-1) ?? [];
}

describe("the registry watch", () => {
  it("reports the entries at the start, with their folder and whether the process is alive", () => {
    const pid = startProcess();
    write(pid);
    open();
    expect(reports).toEqual([[expect.objectContaining({ pid, configDir, alive: true, status: "waiting" })]]);
  });

  it("reports entries in folders that appear later", async () => {
    open();
    await sleep(20);
    mkdirSync(configDir, { recursive: true });
    await sleep(20);
    const pid = startProcess();
    write(pid);
    await expect.poll(() => lastReport().map((entry) => entry.pid)).toEqual([pid]);
  });

  it("reports every change, even with the same file size and time", async () => {
    const pid = startProcess();
    write(pid, { status: "busy" });
    open();
    for (let round = 0; round < 20; round++) {
      const status = round % 2 === 0 ? "idle" : "busy";
      write(pid, { status });
      await expect.poll(() => lastReport()[0]?.status, { interval: 1 }).toBe(status);
    }
  });

  it("keeps the last entry while a file is written in place", async () => {
    const pid = startProcess();
    write(pid);
    open();
    const path = join(configDir, "sessions", `${pid}.json`);
    writeFileSync(path, "");
    await sleep(60);
    writeFileSync(path, '{"pid":');
    await sleep(60);
    expect(lastReport()).toMatchObject([{ pid, status: "waiting" }]);
    write(pid, { status: "idle" });
    await expect.poll(() => lastReport()[0]?.status).toBe("idle");
    expect(reports.every((entries) => entries.length === 1)).toBe(true);
  });

  it("reports a killed process whose entry stays", async () => {
    const pid = startProcess();
    write(pid);
    open(100);
    children[0]!.kill("SIGKILL");
    await expect.poll(() => lastReport()).toMatchObject([{ pid, alive: false }]);
  });

  it("treats a reused pid as dead, and leaves one of another container unknown", () => {
    const [reused, elsewhere] = [startProcess(), startProcess()];
    write(reused, { procStart: "1" });
    write(elsewhere, { pidDomain: "linux:0123456789abcdef0123456789abcdef:pid:[1]" });
    open();
    const alive = Object.fromEntries(lastReport().map((entry) => [entry.pid, entry.alive]));
    expect(alive).toEqual({ [reused]: false, [elsewhere]: null });
  });

  it("reports a removed entry", async () => {
    const pid = startProcess();
    write(pid);
    open();
    unlinkSync(join(configDir, "sessions", `${pid}.json`));
    await expect.poll(() => reports.at(-1)).toEqual([]);
  });

  it("finds missed changes and later config folders by its sweep", async () => {
    const dirs: string[] = [];
    const pid = startProcess();
    write(pid);
    const watch = watchRegistry({
      ...agent,
      configDirs: () => dirs,
      onEntries: (entries) => void reports.push(entries),
      sweepMs: 30,
    });
    watches.push(watch);
    expect(reports).toEqual([]);
    dirs.push(configDir);
    await expect.poll(() => lastReport().length).toBe(1);
    dirs.pop();
    await expect.poll(() => lastReport().length).toBe(0);
  });

  it("opens no files other than the entries", async () => {
    mkdirSync(join(configDir, "sessions"), { recursive: true });
    open();
    // Reading a folder fails loudly; skipping a name does not.
    mkdirSync(join(configDir, "sessions", "4711.ac17.key"));
    mkdirSync(join(configDir, "sessions", "4711.ac17.key.tmp.72ae"));
    const pid = startProcess();
    write(pid);
    await expect.poll(() => lastReport().length).toBe(1);
    expect(lastReport()[0]?.pid).toBe(pid);
  });

  it("reports nothing while nothing changes", async () => {
    const pid = startProcess();
    write(pid);
    open(20);
    await sleep(300);
    expect(reports.length).toBe(1);
  });
});
