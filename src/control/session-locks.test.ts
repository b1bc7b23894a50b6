import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { processStart } from "../monitor/processes.ts";
import { openSessionLocks } from "./session-locks.ts";

const SESSION = "0f7c2c9e-9d2a-4e0e-8d59-6b1f8e8d9a10";

let root: string;
let dir: string;
let registry: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookline-locks-"));
  dir = join(root, "locks");
  registry = join(root, "sessions");
  mkdirSync(registry);
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

const open = () =>
  openSessionLocks({ dir, liveness: claude.liveness, registryDirs: [registry], nowMs: Date.now });

describe("a session's lock", () => {
  it("is taken once, released, and taken again", () => {
    const locks = open();
    const first = locks.claim(SESSION);
    expect(first.type).toBe("taken");
    expect(locks.claim(SESSION)).toEqual({ type: "busy", by: `this Hookline (pid ${process.pid})` });
    expect(locks.claim("another").type).toBe("taken");
    if (first.type === "taken") first.release();
    expect(locks.claim(SESSION).type).toBe("taken");
    // Releasing twice has no further effect.
    if (first.type === "taken") first.release();
    expect(locks.claim(SESSION).type).toBe("busy");
  });

  it("is free if its owner was killed or the pid was reused", async () => {
    const owner = await startLockProcess();
    expect(await owner.answer()).toBe("taken");
    expect(open().claim(SESSION)).toEqual({ type: "busy", by: `another Hookline (pid ${owner.child.pid})` });
    owner.child.kill("SIGKILL");
    await new Promise((resolve) => owner.child.once("exit", resolve));
    const taken = open().claim(SESSION);
    expect(taken.type).toBe("taken");
    if (taken.type === "taken") taken.release();
    writeFileSync(join(dir, `${SESSION}.1.x.lock`), JSON.stringify({ pid: process.pid, start: "1" }));
    expect(open().claim(SESSION).type).toBe("taken");
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it("has exactly one winner among racing processes, despite claims of dead ones", async () => {
    mkdirSync(dir);
    for (const n of [1, 2, 3]) {
      writeFileSync(join(dir, `${SESSION}.4.${n}.lock`), JSON.stringify({ pid: 2 ** 22 + n, start: "1" }));
    }
    const processes = await Promise.all(Array.from({ length: 8 }, () => startLockProcess()));
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(processes.map((lockProcess) => lockProcess.answer()));
      expect(answers.filter((answer) => answer === "taken")).toHaveLength(1);
      await Promise.all(processes.map((lockProcess) => lockProcess.release()));
    }
  });

  it("has a file name that cannot escape the folder", () => {
    expect(open().claim("../../etc/x y").type).toBe("taken");
    expect(readdirSync(dir)).toHaveLength(1);
  });
});

describe("a session that runs in a terminal", () => {
  const entry = (pid: number, fields: object = {}) =>
    writeFileSync(
      join(registry, `${pid}.json`),
      JSON.stringify({ pid, sessionId: SESSION, cwd: "/", procStart: processStart(pid), ...fields }),
    );

  it("is refused with the pid that has it", () => {
    entry(process.pid, { entrypoint: "cli" });
    expect(open().claim(SESSION)).toEqual({ type: "busy", by: `a terminal (pid ${process.pid})` });
    expect(open().claim("another").type).toBe("taken");
  });

  it("is refused as another program's if it is one", () => {
    entry(process.pid, { entrypoint: "sdk-ts" });
    expect(open().claim(SESSION)).toEqual({ type: "busy", by: `another program (pid ${process.pid})` });
  });

  it("is free if that process is gone or reused, or the entry is invalid", () => {
    entry(process.pid, { procStart: "1" });
    writeFileSync(join(registry, "4.json"), "{ half");
    writeFileSync(join(registry, "key.secret"), "");
    expect(open().claim(SESSION).type).toBe("taken");
  });
});

interface LockProcess {
  readonly child: ChildProcess;
  answer(): Promise<string>;
  release(): Promise<string>;
}

/** A process that claims the lock when it reads a line, and releases it at the next. */
async function startLockProcess(): Promise<LockProcess> {
  const module = pathToFileURL(join(import.meta.dirname, "session-locks.ts")).href;
  const code = `
    const { openSessionLocks } = await import(${JSON.stringify(module)});
    const locks = openSessionLocks({ dir: ${JSON.stringify(dir)}, registryDirs: [], nowMs: Date.now });
    console.log("ready");
    let lock;
    for await (const chunk of process.stdin) {
      if (String(chunk).startsWith("take")) { lock = locks.claim(${JSON.stringify(SESSION)}); console.log(lock.type); }
      else { lock.release?.(); console.log("released"); }
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = async (command: string): Promise<string> => {
    child.stdin.write(command);
    return (await lines.next()).value as string;
  };
  await lines.next();
  return { child, answer: () => send("take"), release: () => send("release") };
}
