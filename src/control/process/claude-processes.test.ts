import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../../../test/support/patience.ts";
import { isAlive } from "../../monitor/processes.ts";
import type { ClaudeProcesses } from "../control-ports.ts";
import { MARK_VARIABLE, openClaudeProcesses } from "./claude-processes.ts";
import { SWEEP_ONCE } from "./sweep-script.ts";

const isLinux = process.platform === "linux";
const hasSetsid = existsSync("/usr/bin/setsid") || existsSync("/bin/setsid");

let dir: string;
let notices: string[];
let processes: ClaudeProcesses;
const hosts: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-processes-"));
  notices = [];
  processes = openClaudeProcesses({ env: process.env, onNotice: (text) => notices.push(text) });
});

afterEach(async () => {
  await processes.close();
  for (const host of hosts.splice(0)) host.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

describe("a claude process with children", () => {
  it("is killed with everything it started, even processes that left its session or ignore TERM", async () => {
    const child = start(fakeClaude());
    const pids = await pidsOf();
    await processes.killTree(child.pid!);
    expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
    expect(notices).toEqual([]);
  });

  it("leaves nothing behind when it exits by itself", async () => {
    start(fakeClaude({ stay: false }));
    await until(() => recordedPids().includes("end"));
    await until(() => recordedPids().every((pid) => !isAlive(Number(pid))));
  });

  it("is killed when the SDK aborts it", async () => {
    const abort = new AbortController();
    start(fakeClaude(), abort.signal);
    const pids = await pidsOf();
    abort.abort();
    await until(() => pids.every((pid) => !isAlive(pid)));
  });

  it("gets pipes, its folder, its environment and our mark", async () => {
    const child = start('pwd -P; echo "$GIVEN"; [ -n "$HOOKLINE_DRIVEN" ] && cat');
    let output = "";
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stdin!.end("through stdin\n");
    await new Promise((resolve) => child.once("close", resolve));
    expect(output.split("\n").slice(1)).toEqual(["yes", "through stdin", ""]);
    expect(MARK_VARIABLE).toBe("HOOKLINE_DRIVEN");
  });

  it("is not blocked by stderr output that is not read", async () => {
    const child = start("head -c 300000 /dev/zero >&2; exit 7");
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(7);
  });

  it("that does not exist emits an error on the child", async () => {
    const options = { args: [], env: {}, signal: new AbortController().signal };
    const child = processes.spawn({ command: join(dir, "missing"), ...options });
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once("error", resolve));
    expect(error.code).toBe("ENOENT");
  });
});

describe("a foreign process", () => {
  it("is never killed", async () => {
    const other = spawn("sleep", ["30"]);
    await processes.killTree(other.pid!);
    expect(isAlive(other.pid!)).toBe(true);
    other.kill("SIGKILL");
  });
});

describe("a system without /proc", () => {
  it("still kills the tree and the group", async () => {
    const script = `sleep 60 & ${recordLine("$!")}; sh -c '${recordLine("$$")}; sleep 60; :' & ${recordLine("$$")}; sleep 0.3; ${recordLine("end")}; wait`;
    const child = spawn("/bin/sh", ["-c", script], { detached: true });
    const pids = await pidsOf();
    execFileSync("/bin/sh", [
      "-c",
      SWEEP_ONCE.replace("/proc/self/stat", "/nowhere"),
      "sh",
      `${child.pid}/-/-`,
    ]);
    expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
  });
});

describe("the watchdog", () => {
  it.each(["SIGKILL", "SIGTERM"] as const)("kills everything when its host dies of %s", async (signal) => {
    const host = startHost();
    const pids = await pidsOf();
    host.kill(signal);
    await until(() => pids.every((pid) => !isAlive(pid)), 3_000);
  });

  it("works without kernel support, and when the host's whole group is killed", async () => {
    // A PATH without setpriv, in a folder that has everything else needed.
    const host = startHost({ withSetpriv: false });
    const pids = await pidsOf();
    process.kill(-host.pid!, "SIGKILL");
    await until(() => pids.every((pid) => !isAlive(pid)), 3_000);
  });

  it.runIf(isLinux)("has no open descriptors except its input and /dev/null, and ends with us", async () => {
    start("exec sleep 30");
    const dog = watchdogPid();
    const fds = readdirSync(`/proc/${dog}/fd`);
    expect(fds.filter((fd) => Number(fd) < 10).sort()).toEqual(["0", "1", "2"]);
    expect(fds.length).toBeLessThanOrEqual(4);
    await processes.close();
    expect(isAlive(dog)).toBe(false);
  });

  it.runIf(isLinux)("is restarted when killed", async () => {
    start("exec sleep 30");
    const dog = watchdogPid();
    process.kill(dog, "SIGKILL");
    await until(() => notices.length > 0);
    expect(notices).toEqual(["the watchdog of driven sessions was ended; another one watches now"]);
    expect(watchdogPid()).not.toBe(dog);
  });
});

/** A `sh` script that leaves `sleep`s behind in every way that processes get lost, and records their pids. */
function fakeClaude(options: { readonly stay?: boolean } = {}): string {
  const lines = [
    recordLine("$$"),
    `sleep 60 & ${recordLine("$!")}`,
    `sh -c 'trap "" TERM; echo $$ >> ${dir}/pids; sleep 60; sleep 60' &`,
  ];
  if (hasSetsid) {
    lines.push(
      `setsid sh -c 'echo $$ >> ${dir}/pids; exec sleep 60' &`,
      // Its parent exits immediately: only the mark, or a known session id, leads to it.
      ...(isLinux ? [`sh -c 'setsid sh -c "echo \\$\\$ >> ${dir}/pids; exec sleep 60" & exit 0'`] : []),
    );
  }
  const count = 3 + (hasSetsid ? (isLinux ? 2 : 1) : 0);
  lines.push(`while [ $(wc -l < ${dir}/pids) -lt ${count} ]; do sleep 0.05; done; echo end >> ${dir}/pids`);
  return [...lines, options.stay === false ? "exit 0" : "wait"].join("\n");
}

function recordLine(text: string): string {
  return `echo ${text} >> ${dir}/pids`;
}

function start(script: string, signal = new AbortController().signal): ChildProcess {
  const env = { PATH: process.env["PATH"], GIVEN: "yes" };
  return processes.spawn({ command: "/bin/sh", args: ["-c", script], cwd: dir, env, signal });
}

/** A separate process that starts the fake claude as the daemon would. */
function startHost(options: { readonly withSetpriv?: boolean } = {}): ChildProcess {
  const module = pathToFileURL(join(import.meta.dirname, "claude-processes.ts")).href;
  const script = join(dir, "claude");
  writeFileSync(script, fakeClaude());
  const path = options.withSetpriv === false ? "/nowhere" : process.env["PATH"];
  const code = `
    const { openClaudeProcesses } = await import(${JSON.stringify(module)});
    if (${options.withSetpriv === false}) Object.defineProperty(process, "platform", { value: "other" });
    const processes = openClaudeProcesses({ env: { PATH: ${JSON.stringify(path)} }, onNotice: () => {} });
    const signal = new AbortController().signal;
    processes.spawn({ command: "/bin/sh", args: [${JSON.stringify(script)}], env: process.env, signal });
    setInterval(() => {}, 1000);`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: "ignore",
    detached: true,
  });
  hosts.push(host);
  return host;
}

function recordedPids(): string[] {
  const file = join(dir, "pids");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}

async function pidsOf(): Promise<number[]> {
  await until(() => recordedPids().includes("end"));
  const pids = recordedPids()
    .map(Number)
    .filter((pid) => pid > 0);
  expect(pids.filter((pid) => isAlive(pid)).length).toBeGreaterThanOrEqual(3);
  return pids;
}

function watchdogPid(): number {
  const args = ["-eo", "pid=,ppid=,args="];
  const rows = execFileSync("ps", args, { encoding: "utf8", maxBuffer: 1e8 }).split(/\n(?= *\d+ +\d+ )/);
  const row = rows.find(
    (line) => line.includes("trap '' HUP INT TERM") && Number(line.trim().split(/ +/)[1]) === process.pid,
  );
  return Number(row?.trim().split(/ +/)[0]);
}

async function until(condition: () => boolean, timeoutMs = PATIENCE_MS): Promise<void> {
  for (
    const end = Date.now() + timeoutMs;
    !condition();
    await new Promise((resolve) => setTimeout(resolve, 20))
  ) {
    if (Date.now() > end) throw new Error("the condition was not met in time");
  }
}
