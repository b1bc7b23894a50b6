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

const of = { provider: claude.id, source: claude.liveness };
let root: string;
let configDir: string;
let told: (readonly RegistryEntry[])[];
let watches: RegistryWatch[];
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookline-registry-"));
  configDir = join(root, "home", ".claude");
  told = [];
  watches = [];
});
afterEach(() => {
  for (const watch of watches) watch.close();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

function open(sweepMs = 60_000): RegistryWatch {
  const onEntries = (entries: readonly RegistryEntry[]) => void told.push(entries);
  const watch = watchRegistry({ ...of, configDirs: () => [configDir], onEntries, sweepMs });
  watches.push(watch);
  return watch;
}

function live(): number {
  const child = spawn("sleep", ["60"]);
  children.push(child);
  return child.pid!;
}

function write(pid: number, more: Record<string, unknown> = {}): void {
  const fixture = JSON.parse(readFileSync(FIXTURE, "utf8")) as Record<string, unknown>;
  const procStart = readStat(pid)?.startTicks;
  mkdirSync(join(configDir, "sessions"), { recursive: true });
  const entry = { ...fixture, pid, procStart, pidDomain: undefined, ...more };
  writeFileSync(join(configDir, "sessions", `${pid}.json`), JSON.stringify(entry));
}

function last(): readonly RegistryEntry[] {
  return told.at(-1) ?? [];
}

describe("the registry's watch", () => {
  it("tells what is there at the start, with its folder and whether its process lives", () => {
    const pid = live();
    write(pid);
    open();
    expect(told).toEqual([[expect.objectContaining({ pid, configDir, alive: true, status: "waiting" })]]);
  });

  it("tells of entries in folders that appear later", async () => {
    open();
    await sleep(20);
    mkdirSync(configDir, { recursive: true });
    await sleep(20);
    const pid = live();
    write(pid);
    await expect.poll(() => last().map((entry) => entry.pid)).toEqual([pid]);
  });

  it("tells every change, also one that neither the size nor the time of the file shows", async () => {
    const pid = live();
    write(pid, { status: "busy" });
    open();
    for (let round = 0; round < 20; round++) {
      const status = round % 2 === 0 ? "idle" : "busy";
      write(pid, { status });
      await expect.poll(() => last()[0]?.status, { interval: 1 }).toBe(status);
    }
  });

  it("keeps what it knows while a file is written in place", async () => {
    const pid = live();
    write(pid);
    open();
    const path = join(configDir, "sessions", `${pid}.json`);
    writeFileSync(path, "");
    await sleep(60);
    writeFileSync(path, '{"pid":');
    await sleep(60);
    expect(last()).toMatchObject([{ pid, status: "waiting" }]);
    write(pid, { status: "idle" });
    await expect.poll(() => last()[0]?.status).toBe("idle");
    expect(told.every((entries) => entries.length === 1)).toBe(true);
  });

  it("tells that a process was killed, whose entry stays", async () => {
    const pid = live();
    write(pid);
    open(100);
    children[0]!.kill("SIGKILL");
    await expect.poll(() => last()).toMatchObject([{ pid, alive: false }]);
  });

  it("takes a pid that another process has got for dead, and leaves one of another container open", () => {
    const [reused, elsewhere] = [live(), live()];
    write(reused, { procStart: "1" });
    write(elsewhere, { pidDomain: "linux:0123456789abcdef0123456789abcdef:pid:[1]" });
    open();
    const alive = Object.fromEntries(last().map((entry) => [entry.pid, entry.alive]));
    expect(alive).toEqual({ [reused]: false, [elsewhere]: null });
  });

  it("tells that an entry is gone", async () => {
    const pid = live();
    write(pid);
    open();
    unlinkSync(join(configDir, "sessions", `${pid}.json`));
    await expect.poll(() => told.at(-1)).toEqual([]);
  });

  it("finds by its sweep what nobody told, and a configuration that it is told of later", async () => {
    const dirs: string[] = [];
    const pid = live();
    write(pid);
    const watch = watchRegistry({
      ...of,
      configDirs: () => dirs,
      onEntries: (entries) => void told.push(entries),
      sweepMs: 30,
    });
    watches.push(watch);
    expect(told).toEqual([]);
    dirs.push(configDir);
    await expect.poll(() => last().length).toBe(1);
    dirs.pop();
    await expect.poll(() => last().length).toBe(0);
  });

  it("opens no other file than the entries", async () => {
    mkdirSync(join(configDir, "sessions"), { recursive: true });
    open();
    // Reading a folder fails loudly; skipping a name does not.
    mkdirSync(join(configDir, "sessions", "4711.ac17.key"));
    mkdirSync(join(configDir, "sessions", "4711.ac17.key.tmp.72ae"));
    const pid = live();
    write(pid);
    await expect.poll(() => last().length).toBe(1);
    expect(last()[0]?.pid).toBe(pid);
  });

  it("says nothing while nothing changes", async () => {
    const pid = live();
    write(pid);
    open(20);
    await sleep(300);
    expect(told.length).toBe(1);
  });
});
