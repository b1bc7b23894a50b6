import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { openLog } from "../../src/cli/open-log.ts";
import { openStore } from "../../src/cli/open-store.ts";
import { startUnlessRunning } from "../../src/cli/start-daemon.ts";
import { type Diagnosis, diagnose, type Finding } from "../../src/doctor/check.ts";
import { createCheckContext } from "../../src/doctor/check-context.ts";
import { CHECKS } from "../../src/doctor/checks.ts";
import { mountTmpfs } from "../hook/run-command.ts";
import { claudeBinary, createScratch, type Scratch } from "../support/claude.ts";
import { homeOf, installAndUp, runHookline, until } from "../support/cli.ts";

let scratch: Scratch;
let settings: string;

beforeEach(async () => {
  scratch = await createScratch();
  settings = join(scratch.home, ".claude/settings.json");
});
afterEach(() => scratch.cleanup());

interface Run extends Diagnosis {
  of(code: string): Finding;
}

/** Runs the checks in this process, without repairs: it is called often. */
async function doctor(more: Record<string, string> = {}): Promise<Run> {
  const env = { PATH: process.env["PATH"]!, HOME: scratch.home, HOOKLINE_PORT: "0", ...more };
  const launch = { nodePath: process.execPath, entry: "" };
  const options = {
    agent: claude,
    env,
    cwd: scratch.project,
    fixing: false,
    ports: { openLog, openStore, startDaemon: startUnlessRunning },
    launch,
    managedDir: scratch.root,
  };
  return toRun(await diagnose(CHECKS, () => createCheckContext(options), { fix: false }));
}

/** Runs the command itself. */
async function runDoctor(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const { code, stdout, stderr } = await runHookline(scratch, ["doctor", "--json", ...args], env);
  const run = toRun(JSON.parse(stdout) as Diagnosis);
  expect(code, stderr).toBe(run.checks.some(({ status }) => status === "fail") ? 1 : 0);
  return run;
}

function toRun(diagnosis: Diagnosis): Run {
  return { ...diagnosis, of: (name) => diagnosis.checks.find((check) => check.code === name)! };
}

/** Expects a finding that `--fix` repairs and reports, and that is gone afterwards. */
async function expectFixed(
  code: string,
  status: Finding["status"],
  env: Record<string, string> = {},
): Promise<Finding> {
  const before = (await doctor(env)).of(code);
  expect(before).toMatchObject({ status, fixable: true });
  const fixing = await runDoctor(["--fix"], env);
  expect(fixing.fixed).toContainEqual({ code, did: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(fixing.of(code)).toMatchObject({ status: "ok", fixable: false });
  expect((await doctor(env)).of(code)).toMatchObject({ status: "ok" });
  return before;
}

const inHome = (...path: string[]): string => join(homeOf(scratch), ...path);
const install = (...args: string[]) => runHookline(scratch, ["install", ...args]);
const onCleanupDown = () => scratch.onCleanup(() => runHookline(scratch, ["down"]));
const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split("\n").length;

function editDatabase(sql: string): void {
  const db = new DatabaseSync(inHome("hookline.db"));
  db.exec(sql);
  db.close();
}

async function recordOne(
  payload: object = { hook_event_name: "Stop", session_id: "s1", cwd: "/" },
): Promise<void> {
  writeFileSync(inHome("spool/1-2-0"), `${JSON.stringify(payload)}\n`, { mode: 0o600 });
  await until(hasEvents);
}

function hasEvents(): boolean {
  const db = new DatabaseSync(inHome("hookline.db"), { readOnly: true });
  try {
    return Number(db.prepare("SELECT count(*) AS n FROM events").get()!["n"]) > 0;
  } finally {
    db.close();
  }
}

describe("after install and up, with a Claude Code on PATH", () => {
  it("nothing fails: exit 0, and each check has a sentence", async () => {
    await installAndUp(scratch);
    const env = { PATH: `${dirname(claudeBinary)}:${process.env["PATH"]}` };
    const found = await runDoctor([], env);
    expect(found.checks.filter(({ status }) => status === "warn" || status === "fail")).toEqual([]);
    expect(found.fixed).toEqual([]);
    for (const check of found.checks) expect(check.found, check.code).toMatch(/^\S.*\.$/);
    expect(found.of("agent_version").found).toMatch(/2\.1\.\d+/);
    expect((await runDoctor(["--fix"], env)).fixed).toEqual([]);
  });

  it("the text names problems first, each with its remedy on the next line", async () => {
    const { code, stdout, stderr } = await runHookline(scratch, ["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^fail {5}hooks_installed {5}No hooks are installed: .*\n {29}Run `hookline install`\.\n/,
    );
    expect(stdout).toMatch(/\nok {7}platform_supported {2}/);
    expect(stderr).toBe("hookline: 3 checks failed.\n");
  });
});

describe("hooks", () => {
  it("hooks_installed: none were ever installed, and --fix installs none", async () => {
    onCleanupDown();
    expect((await doctor()).of("hooks_installed")).toMatchObject({ status: "fail", fixable: false });
    const fixing = await runDoctor(["--fix"]);
    expect(fixing.of("hooks_installed").status).toBe("fail");
    expect(statSync(settings, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("hooks_installed: removed hooks come back next to other programs' entries", async () => {
    onCleanupDown();
    await install();
    writeFileSync(settings, '{ "model": "opus" }\n');
    const { found } = await expectFixed("hooks_installed", "fail");
    expect(found).toContain(settings);
    expect(JSON.parse(readFileSync(settings, "utf8"))).toMatchObject({
      model: "opus",
      hooks: { Stop: [{}] },
    });
  });

  it("hooks_complete: events are missing in the project's settings", async () => {
    onCleanupDown();
    await install("--scope", "project");
    const path = join(scratch.project, ".claude/settings.json");
    const { hooks, ...rest } = JSON.parse(readFileSync(path, "utf8")) as { hooks: Record<string, unknown> };
    const { Stop: _stop, PreToolUse: _pre, ...some } = hooks;
    writeFileSync(path, JSON.stringify({ ...rest, hooks: some, model: "opus" }, null, 2));
    const before = await expectFixed("hooks_complete", "fail");
    expect(before.found).toBe(`${path} has no hook for PreToolUse, Stop.`);
    expect(before.remedy).toContain("--scope project");
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ model: "opus" });
  });

  it("hooks_current: a command is of another version, with its line", async () => {
    onCleanupDown();
    await install();
    const text = readFileSync(settings, "utf8");
    writeFileSync(settings, text.replace(": hookline record 1;", ": hookline record 0;"));
    const { found } = await expectFixed("hooks_current", "warn");
    expect(found).toContain(`${settings}:${lineOf(text, ": hookline record 1;")} has 1 hook`);
    expect(readFileSync(settings, "utf8")).toBe(text);
  });

  it("hooks_enabled: switched off by the overriding file, and left so", async () => {
    await install();
    const local = await scratch.write(".claude/settings.local.json", '{\n  "disableAllHooks": true\n}\n');
    const off = (await doctor()).of("hooks_enabled");
    expect(off).toMatchObject({ status: "fail", fixable: false });
    expect(off.found).toContain(`${local}:2`);
    writeFileSync(local, '{ "disableAllHooks": false }');
    await scratch.write(".claude/settings.json", '{ "disableAllHooks": true }');
    expect((await doctor()).of("hooks_enabled")).toMatchObject({ status: "ok" });
  });

  it("settings_valid: a file is invalid JSON, reported with line and column, and left alone", async () => {
    onCleanupDown();
    const broken = '{\n  "hooks": {\n';
    const path = await scratch.write(".claude/settings.json", broken);
    const found = (await runDoctor(["--fix"])).of("settings_valid");
    expect(found).toMatchObject({ status: "fail", fixable: false });
    expect(found.found).toContain(`${path}:3:1`);
    expect(readFileSync(path, "utf8")).toBe(broken);
  });

  it("settings_entries: a bad PreToolUse entry disables a file; other bad entries are ignored", async () => {
    const entry = (event: string) =>
      `{\n  "hooks": { "${event}": [{ "hooks": [{ "type": "command" }] }] }\n}`;
    const path = await scratch.write(".claude/settings.json", entry("PreToolUse"));
    const fatal = (await doctor()).of("settings_entries");
    expect(fatal).toMatchObject({ status: "fail", found: expect.stringContaining(`${path}:2: PreToolUse`) });
    writeFileSync(path, entry("Stop"));
    expect((await doctor()).of("settings_entries")).toMatchObject({ status: "warn" });
  });

  it("sessions_restarted: a running session started before the install", async () => {
    await installAndUp(scratch);
    await recordOne({ hook_event_name: "UserPromptSubmit", session_id: "s1", prompt: "hi", prompt_id: "p1" });
    expect((await doctor()).of("sessions_restarted")).toMatchObject({ status: "ok" });
    const later = Date.now() / 1_000 + 60;
    utimesSync(inHome("install.json"), later, later);
    expect((await doctor()).of("sessions_restarted")).toMatchObject({
      status: "warn",
      found: expect.stringContaining("1 running session started before the hooks"),
      fixable: false,
    });
    // Installed again, and the session uses these hooks too.
    // A file's time may be a few milliseconds behind the clock.
    const before = Date.now() / 1_000 - 0.1;
    utimesSync(inHome("install.json"), before, before);
    await recordOne({ hook_event_name: "Stop", session_id: "s1", prompt_id: "p1" });
    await expect.poll(async () => (await doctor()).of("sessions_restarted").status).toBe("ok");
  });
});

describe("the spool", () => {
  it("spool_there: recording is off, which --fix respects", async () => {
    onCleanupDown();
    await install();
    rmdirSync(inHome("spool"));
    expect((await doctor()).of("spool_there")).toMatchObject({ status: "fail", fixable: false });
    const fixing = await runDoctor(["--fix"]);
    expect(fixing.of("spool_there").status).toBe("fail");
    expect(fixing.of("daemon_up").status).toBe("ok");
    writeFileSync(inHome("spool"), "");
    expect((await doctor()).of("spool_there")).toMatchObject({
      status: "fail",
      found: expect.stringContaining("not a folder"),
    });
  });

  it("spool_modes: others may read it", async () => {
    onCleanupDown();
    await install();
    chmodSync(inHome("spool"), 0o755);
    writeFileSync(inHome("spool/.half"), "", { mode: 0o644 });
    const { found } = await expectFixed("spool_modes", "warn");
    expect(found).toContain("0755, and 1 more");
    expect(statSync(inHome("spool")).mode & 0o777).toBe(0o700);
    expect(statSync(inHome("spool/.half")).mode & 0o777).toBe(0o600);
  });

  it("spool_writable and disk_space: a small disk that turned read-only", async (test) => {
    const mount = mkdtempSync(join(tmpdir(), "hookline-doctor-disk-"));
    const unmount = mountTmpfs(mount, "size=4m,mode=0700");
    scratch.onCleanup(() => rmdirSync(mount));
    if (unmount === undefined) return test.skip();
    scratch.onCleanup(unmount);
    mkdirSync(join(mount, "home/spool"), { recursive: true, mode: 0o700 });
    const env = { HOOKLINE_HOME: join(mount, "home") };
    const full = await doctor(env);
    expect(full.of("disk_space")).toMatchObject({ status: "fail", fixable: false });
    expect(full.of("spool_writable").status).toBe("ok");
    execFileSync("/bin/mount", ["-o", "remount,size=30m", mount]);
    expect((await doctor(env)).of("disk_space")).toMatchObject({ status: "warn" });
    execFileSync("/bin/mount", ["-o", "remount,ro", mount]);
    const readOnly = await doctor(env);
    expect(readOnly.of("spool_writable")).toMatchObject({
      status: "fail",
      found: expect.stringContaining("EROFS"),
      fixable: false,
    });
  });

  it("spool_waiting: an old file, though a daemon is up", async () => {
    await installAndUp(scratch);
    // Half a payload waits a minute for its end.
    writeFileSync(inHome("spool/1-2-0"), "{", { mode: 0o600 });
    expect((await doctor()).of("spool_waiting")).toMatchObject({ status: "ok" });
    const later = createCheckContext({
      agent: claude,
      env: { HOME: scratch.home },
      cwd: scratch.project,
      fixing: false,
      launch: { nodePath: "", entry: "" },
      ports: { openLog, openStore, startDaemon: startUnlessRunning },
      nowMs: () => Date.now() + 61_000,
    });
    const check = CHECKS.find(({ code }) => code === "spool_waiting")!;
    expect(await check.run(later)).toMatchObject({
      status: "warn",
      found: expect.stringMatching(/1-2-0\) from 6\d s ago, although the daemon is running/),
    });
  });
});

describe("the daemon", () => {
  it("daemon_up: down, and started", async () => {
    onCleanupDown();
    await install();
    await expectFixed("daemon_up", "fail");
  });

  it("daemon_answers: its process lives but does not answer, and is left alive", async () => {
    await installAndUp(scratch);
    const pid = Number(readFileSync(inHome("daemon.pid"), "utf8"));
    process.kill(pid, "SIGSTOP");
    scratch.onCleanup(() => process.kill(pid, "SIGCONT"));
    const found = await runDoctor(["--fix"]);
    expect(found.of("daemon_answers")).toMatchObject({
      status: "fail",
      found: expect.stringContaining(`pid ${pid}`),
      fixable: false,
    });
    process.kill(pid, "SIGCONT");
    expect((await doctor()).of("daemon_answers")).toMatchObject({ status: "ok" });
  });

  it("daemon_pid: the pid is another process now, which keeps hooks from starting a daemon", async () => {
    onCleanupDown();
    await install();
    const otherVersion = spawn("sleep", ["60"]);
    scratch.onCleanup(() => otherVersion.kill());
    writeFileSync(inHome("daemon.pid"), `${otherVersion.pid}\n`, { mode: 0o600 });
    const { found } = await expectFixed("daemon_pid", "fail");
    expect(found).toContain(`pid ${otherVersion.pid}, which is sleep`);
    expect(otherVersion.exitCode).toBeNull();
  });

  it("daemon_version: the running daemon has another version", async () => {
    await install();
    const otherVersion = join(scratch.root, "other");
    const repo = join(import.meta.dirname, "../..");
    for (const folder of ["src", "bin"])
      cpSync(join(repo, folder), join(otherVersion, folder), { recursive: true });
    const description = JSON.parse(readFileSync(join(repo, "package.json"), "utf8")) as object;
    writeFileSync(join(otherVersion, "package.json"), JSON.stringify({ ...description, version: "0.0.1" }));
    symlinkSync(join(repo, "node_modules"), join(otherVersion, "node_modules"));
    onCleanupDown();
    const env = { PATH: process.env["PATH"]!, HOME: scratch.home, HOOKLINE_PORT: "0" };
    const daemon = spawn(join(otherVersion, "bin/hookline"), ["daemon"], { env, stdio: "ignore" });
    scratch.onCleanup(() => daemon.kill());
    await until(() => statSync(inHome("daemon.pid"), { throwIfNoEntry: false }));
    expect((await doctor()).of("daemon_version")).toMatchObject({
      status: "warn",
      found: expect.stringContaining("The daemon is 0.0.1, older"),
      fixable: false,
    });
  });

  it("launcher_target: missing, not executable, or of a removed package", async () => {
    onCleanupDown();
    await install();
    rmSync(inHome("launch"));
    expect((await expectFixed("launcher_target", "fail")).found).toContain("is missing");
    chmodSync(inHome("launch"), 0o600);
    expect((await expectFixed("launcher_target", "fail")).found).toContain("cannot be executed");
    const text = readFileSync(inHome("launch"), "utf8");
    writeFileSync(inHome("launch"), text.replaceAll("/bin/main.mjs'", "/gone/main.mjs'"));
    expect((await expectFixed("launcher_target", "fail")).found).toContain(
      "/gone/main.mjs, which no longer exists",
    );
  });

  it("launcher_node: it would start the daemon with a Node that is too old", async () => {
    onCleanupDown();
    await install();
    const node = join(scratch.root, "node");
    writeFileSync(node, "#!/bin/sh\necho v18.20.0\n", { mode: 0o755 });
    const text = readFileSync(inHome("launch"), "utf8");
    writeFileSync(inHome("launch"), text.replaceAll(/'[^']*\/node'/g, `'${node}'`));
    expect((await expectFixed("launcher_node", "fail")).found).toContain("Node 18.20.0");
  });

  it("port_free: taken, and by whom", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    scratch.onCleanup(() => server.close());
    const { port } = server.address() as { port: number };
    const env = { HOOKLINE_PORT: String(port) };
    const taken = `Port ${port} is taken by .+ \\(pid ${process.pid}\\); `;
    const down = (await doctor(env)).of("port_free");
    expect(down).toMatchObject({ status: "warn", fixable: false });
    expect(down.found).toMatch(new RegExp(`^${taken}the daemon will use one of the next\\.$`));
    expect((await runHookline(scratch, ["up"], env)).code).toBe(0);
    onCleanupDown();
    expect((await doctor(env)).of("port_free").found).toMatch(
      new RegExp(`^${taken}the daemon serves on \\d+\\.$`),
    );
  });
});

describe("the data", () => {
  it("database_version: written by a newer hookline", async () => {
    await installAndUp(scratch);
    await runHookline(scratch, ["down"]);
    editDatabase("PRAGMA user_version = 999");
    const found = await doctor();
    expect(found.of("database_version")).toMatchObject({
      status: "fail",
      found: expect.stringContaining("schema 999"),
      fixable: false,
    });
    expect(found.of("database_readable").status).toBe("skipped");
  });

  it("database_readable: the file is no database", async () => {
    await install();
    writeFileSync(inHome("hookline.db"), "not a database, ".repeat(1_000), { mode: 0o600 });
    const found = await doctor();
    expect(found.of("database_readable")).toMatchObject({ status: "fail", fixable: false });
    expect(found.of("database_readable").remedy).toContain("hookline rebuild");
  });

  it("database_pages: a page is broken", async () => {
    await installAndUp(scratch);
    await recordOne();
    await runHookline(scratch, ["down"]);
    const path = inHome("hookline.db");
    const file = openSync(path, "r+");
    for (let page = 3; page * 4096 < statSync(path).size; page++)
      writeSync(file, Buffer.alloc(2_048, 0x5a), 0, 2_048, page * 4096);
    expect((await doctor()).of("database_pages")).toMatchObject({
      status: "fail",
      found: expect.stringContaining("is damaged"),
      fixable: false,
    });
  });

  it("database_refused and quarantine_empty: a refused event and an unreadable file", async () => {
    await installAndUp(scratch);
    await runHookline(scratch, ["down"]);
    editDatabase("INSERT INTO refused_events (id, reason, event_json) VALUES ('a', 'why', '{}')");
    mkdirSync(inHome("quarantine"), { recursive: true, mode: 0o700 });
    writeFileSync(inHome("quarantine/torn-1.json"), "{}", { mode: 0o600 });
    const found = await doctor();
    expect(found.of("database_refused")).toMatchObject({ status: "warn", fixable: false });
    expect(found.of("quarantine_empty")).toMatchObject({
      status: "warn",
      found: expect.stringContaining("1 input could not be read, 1 of them torn"),
    });
  });

  it("log_there: the log is missing, and restored at a start", async () => {
    await installAndUp(scratch);
    await recordOne();
    await runHookline(scratch, ["down"]);
    rmSync(inHome("stream"), { recursive: true });
    expect((await doctor()).of("log_there")).toMatchObject({ status: "fail", fixable: false });
    await runHookline(scratch, ["up"]);
    expect((await doctor()).of("log_there")).toMatchObject({ status: "ok" });
  });

  it("home_private: others may read what was recorded", async () => {
    await installAndUp(scratch);
    chmodSync(inHome("stream"), 0o755);
    chmodSync(inHome("stream/lifecycle.jsonl"), 0o644);
    const { found } = await expectFixed("home_private", "warn");
    expect(found).toMatch(/mode 0(755|644), and 1 more/);
    expect(statSync(inHome("stream/lifecycle.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("clock_events: the last event is in the future", async () => {
    const stream = join(scratch.root, "stream.jsonl");
    const event = {
      eventType: "session.lifecycle",
      phase: "started",
      occurredAtIso: new Date(Date.now() + 3_600_000).toISOString(),
      sessionId: "s1",
    };
    writeFileSync(stream, `${JSON.stringify(event)}\n`);
    await runHookline(scratch, ["config", "streams", JSON.stringify([stream])]);
    await installAndUp(scratch);
    await until(hasEvents);
    const ahead = { status: "warn", found: expect.stringMatching(/60 min in the future/), fixable: false };
    expect((await doctor()).of("clock_events")).toMatchObject(ahead);
    await runHookline(scratch, ["down"]);
    expect((await doctor()).of("clock_events")).toMatchObject(ahead);
  });
});

describe("the configuration", () => {
  it("config_valid: an invalid key is named", async () => {
    await install();
    writeFileSync(inHome("config.json"), '{ "port": "many" }', { mode: 0o600 });
    expect((await doctor()).of("config_valid")).toMatchObject({
      status: "fail",
      found: expect.stringMatching(/config\.json: port: /),
      fixable: false,
    });
  });

  it("recording_paused: everywhere or in a project, until it ends", async () => {
    await install();
    await runHookline(scratch, ["pause", "1h"]);
    expect((await doctor()).of("recording_paused")).toMatchObject({
      status: "warn",
      found: expect.stringMatching(/^Recording is paused until (?:\d{4}-\d\d-\d\d )?\d\d:\d\d\.$/),
      fixable: false,
    });
    await runHookline(scratch, ["pause", "--end"]);
    await runHookline(scratch, ["pause", "--project"]);
    const project = (await doctor()).of("recording_paused");
    expect(project.found).toBe(`Recording in ${scratch.project} is paused until \`hookline pause --end\`.`);
    expect(project.remedy).toContain("hookline pause --end");
    await runHookline(scratch, ["pause", "--end", "--project"]);
    expect((await doctor()).of("recording_paused")).toMatchObject({ status: "ok" });
  });

  it("project_excluded: a glob matches the current folder", async () => {
    await install();
    await runHookline(scratch, ["config", "exclude", JSON.stringify([`${scratch.home}/acme-*`])]);
    expect((await doctor()).of("project_excluded")).toMatchObject({
      status: "warn",
      found: expect.stringContaining(scratch.project),
      fixable: false,
    });
  });
});
