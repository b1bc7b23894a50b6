import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { logFile } from "../config.ts";
import { resolveHome } from "../home.ts";
import { installHooks } from "../hook/install.ts";
import { openFileLogReader } from "../log/file/file-log-reader.ts";
import { findGaps } from "../log/file/inspect-files.ts";
import { openDatabase } from "../store/sqlite/database.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Outcome } from "./check.ts";
import { type CheckContextOptions, createCheckContext, type DoctorPorts } from "./check-context.ts";
import { CHECKS } from "./checks.ts";
import { checkClockNotices } from "./clock.ts";
import { checkSessionAges } from "./hooks.ts";
import { readLauncher } from "./launcher.ts";
import { networkDisk } from "./network-disk.ts";
import { quickCheck, quickCheckInChild } from "./quick-check.ts";
import { checkSqlite } from "./runtime.ts";

const ports: DoctorPorts = {
  openLog: (home, config) => openFileLogReader(logFile(home, config)),
  openStore: async ({ db }) => openSqliteStore(db, { readOnly: true }),
  startDaemon: async () => undefined,
};

let root: string;
let home: ReturnType<typeof resolveHome>;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-doctor-")));
  home = resolveHome({ HOME: root });
  mkdirSync(home.spool, { recursive: true, mode: 0o700 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function runCheck(code: string, options: Partial<CheckContextOptions> = {}): Promise<Outcome> {
  const env = { HOME: root, PATH: join(root, "bin"), ...options.env };
  const launch = { nodePath: process.execPath, entry: join(root, "main.mjs") };
  const managedDir = join(root, "etc");
  const context = createCheckContext({
    agent: claude,
    cwd: root,
    fixing: false,
    launch,
    ports,
    managedDir,
    ...options,
    env,
  });
  return CHECKS.find((check) => check.code === code)!.run(context);
}

function program(name: string, script: string): string {
  mkdirSync(join(root, "bin"), { recursive: true });
  const path = join(root, "bin", name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

it("has these codes, which other programs match on", () => {
  expect(CHECKS.map(({ code }) => code)).toEqual([
    "platform_supported",
    "node_version",
    "sqlite_search",
    "agent_found",
    "agent_version",
    "hooks_installed",
    "hooks_complete",
    "hooks_current",
    "hooks_enabled",
    "settings_valid",
    "settings_entries",
    "sessions_restarted",
    "config_valid",
    "recording_paused",
    "project_excluded",
    "curl_found",
    "hooks_asking",
    "guard_answers",
    "other_agents",
    "rules_valid",
    "trust_readable",
    "sdk_found",
    "driven_claude",
    "driven_login",
    "driven_processes",
    "spool_there",
    "spool_owner",
    "spool_modes",
    "spool_writable",
    "spool_waiting",
    "disk_space",
    "home_writable",
    "home_private",
    "launcher_target",
    "launcher_node",
    "database_version",
    "database_readable",
    "database_pages",
    "database_refused",
    "quarantine_empty",
    "log_there",
    "log_sound",
    "disk_local",
    "daemon_pid",
    "daemon_up",
    "daemon_answers",
    "daemon_version",
    "port_free",
    "clock_events",
    "clock_steady",
    "clock_disk",
  ]);
});

describe("the runtime", () => {
  it("platform_supported fails on Windows, and suggests WSL", async () => {
    expect(await runCheck("platform_supported", { platform: "win32" })).toMatchObject({
      status: "fail",
      found: expect.stringContaining("Windows"),
      remedy: expect.stringContaining("WSL"),
    });
    expect(await runCheck("platform_supported", { platform: "darwin" })).toMatchObject({ status: "ok" });
  });

  it("node_version fails before 22.16", async () => {
    expect(await runCheck("node_version", { nodeVersion: "22.15.1" })).toMatchObject({ status: "fail" });
    expect(await runCheck("node_version", { nodeVersion: "22.16.0" })).toMatchObject({ status: "ok" });
  });

  it("sqlite_search fails with SQLite's own message, and passes here", async () => {
    const withoutFts5 = () => Promise.reject(new Error("no such module: fts5"));
    expect(await checkSqlite(withoutFts5)).toMatchObject({
      status: "fail",
      found: expect.stringContaining("no such module: fts5"),
    });
    expect(await runCheck("sqlite_search")).toMatchObject({ status: "ok" });
  });

  it("curl_found warns if PATH has no executable curl", async () => {
    expect(await runCheck("curl_found")).toMatchObject({ status: "warn" });
    program("curl", "exit 0");
    expect(await runCheck("curl_found")).toMatchObject({ status: "ok" });
    chmodSync(join(root, "bin/curl"), 0o644);
    expect(await runCheck("curl_found")).toMatchObject({ status: "warn" });
  });
});

describe("the agent", () => {
  it("agent_found warns, and agent_version is skipped, if PATH has no claude", async () => {
    expect(await runCheck("agent_found")).toMatchObject({ status: "warn" });
    expect(await runCheck("agent_version")).toMatchObject({ status: "skipped" });
  });

  it("agent_version warns about an old version, and accepts 2.1.197", async () => {
    program("claude", "echo '2.1.99 (Claude Code)'");
    expect(await runCheck("agent_found")).toMatchObject({ status: "ok" });
    expect(await runCheck("agent_version")).toMatchObject({
      status: "warn",
      found: expect.stringMatching(/2\.1\.99.*2\.1\.197/),
    });
    program("claude", "echo '2.1.197 (Claude Code)'");
    expect(await runCheck("agent_version")).toMatchObject({ status: "ok" });
  });

  it("is run without our environment", async () => {
    program("claude", `[ -z "$SECRET_TOKEN" ] && [ "$HOME" ] && echo 3.0.0`);
    process.env["SECRET_TOKEN"] = "x";
    expect(await runCheck("agent_version", { env: { SECRET_TOKEN: "x" } })).toMatchObject({ status: "ok" });
    delete process.env["SECRET_TOKEN"];
  });

  it("is killed with its child processes after 5 s", async () => {
    program("claude", `PATH=/bin:/usr/bin; sleep 60 & echo $! >'${root}/pid'; wait`);
    expect(await runCheck("agent_version")).toMatchObject({
      status: "warn",
      found: expect.stringContaining("5 s"),
    });
  });
});

describe("the settings", () => {
  it("hooks_enabled fails with file and line if an administrator turns hooks off", async () => {
    mkdirSync(join(root, "etc"));
    const managed = join(root, "etc/managed-settings.json");
    writeFileSync(managed, '{\n  "allowManagedHooksOnly": true\n}');
    expect(await runCheck("hooks_enabled")).toMatchObject({
      status: "fail",
      found: expect.stringContaining(`"allowManagedHooksOnly" in ${managed}:2`),
    });
    writeFileSync(managed, '{ "disableAllHooks": true }');
    expect(await runCheck("hooks_enabled")).toMatchObject({
      status: "fail",
      found: expect.stringContaining(`"disableAllHooks" in ${managed}:1`),
    });
  });

  it("hooks_installed accepts the plugin", async () => {
    mkdirSync(join(root, ".claude"));
    writeFileSync(join(root, ".claude/settings.json"), '{"enabledPlugins":{"hookline@hookline":true}}');
    expect(await runCheck("hooks_installed")).toMatchObject({
      status: "ok",
      found: expect.stringContaining("the plugin"),
    });
  });

  it("sessions_restarted warns about running sessions that are older than the hooks", () => {
    const installedAtMs = Date.parse("2026-05-01T12:00:00.000Z");
    const session = (sessionId: string, startedAtIso: string) => ({ sessionId, startedAtIso, cwd: "/shop" });
    const running = [
      session("11111111-aaaa", "2026-05-01T11:00:00.000Z"),
      session("22222222-bbbb", "2026-05-01T13:00:00.000Z"),
    ];
    expect(checkSessionAges(running, installedAtMs, claude)).toMatchObject({
      status: "warn",
      found: "1 running session started before the hooks were installed: 11111111 in /shop.",
    });
    expect(checkSessionAges(running.slice(1), installedAtMs, claude)).toMatchObject({ status: "ok" });
  });
});

describe("steering", () => {
  const configure = (config: object) => writeFileSync(home.configFile, JSON.stringify(config));

  it("curl_found fails if ask hooks are on, and explains the effect", async () => {
    configure({ guard: { on: true } });
    expect(await runCheck("curl_found")).toMatchObject({
      status: "fail",
      found: "curl was not found on PATH, so the guard cannot work.",
    });
    configure({ guard: { on: true, failClosed: true } });
    expect(await runCheck("curl_found")).toMatchObject({
      found: expect.stringContaining("every tool call is denied"),
    });
  });

  it("hooks_asking fails if guard, approve or a rule is on and its hook is missing", async () => {
    expect(await runCheck("hooks_asking")).toMatchObject({ status: "skipped" });
    mkdirSync(join(root, "shop"));
    await installHooks({
      agent: claude,
      scope: "project",
      env: { HOME: root },
      projectDir: join(root, "shop"),
    });
    const inShop = { cwd: join(root, "shop") };
    expect(await runCheck("hooks_asking", inShop)).toMatchObject({ status: "skipped" });
    configure({ guard: { on: true }, approve: { on: true } });
    writeFileSync(home.rules, '{"reactions":[{"on":"Stop","do":{"type":"block","reason":"no"}}]}');
    // A project's file is complete without them.
    expect(await runCheck("hooks_complete", inShop)).toMatchObject({ status: "ok" });
    expect(await runCheck("hooks_asking", inShop)).toMatchObject({
      status: "fail",
      found: "Turned on, but the hook is missing for the guard, answering from Hookline, rules on Stop.",
      remedy: expect.stringContaining("`hookline install --scope project`"),
    });
    const react = [{ event: "Stop", seconds: 30 }];
    await installHooks({ agent: claude, scope: "user", env: { HOME: root }, react });
    expect(await runCheck("hooks_asking", inShop)).toMatchObject({
      status: "warn",
      found: expect.stringContaining("recorded twice"),
      remedy: "Run `hookline install --scope project`.",
    });
    await installHooks({
      agent: claude,
      scope: "project",
      env: { HOME: root },
      projectDir: join(root, "shop"),
      react,
    });
    expect(await runCheck("hooks_asking", inShop)).toMatchObject({ status: "ok" });
  });

  it("rules_valid fails with file and line, including for this project's rules", async () => {
    expect(await runCheck("rules_valid")).toMatchObject({ status: "skipped" });
    writeFileSync(home.rules, '{"tools":[{"match":"Bash","then":"ask"}]}');
    expect(await runCheck("rules_valid")).toMatchObject({
      status: "ok",
      found: expect.stringContaining("1 rule "),
    });
    const projectRules = join(root, "shop", ".hookline", "rules.json");
    mkdirSync(join(root, "shop", ".hookline"), { recursive: true });
    mkdirSync(join(root, "shop", ".claude"));
    writeFileSync(join(root, "shop", ".claude", "settings.json"), "{}");
    writeFileSync(projectRules, '{\n"tool": []}');
    expect(await runCheck("rules_valid", { cwd: join(root, "shop") })).toMatchObject({
      status: "fail",
      found: expect.stringContaining(`${projectRules}:2:1: `),
      remedy: expect.stringContaining("hookline policy check"),
    });
  });

  it("trust_readable fails if trust.json is damaged", async () => {
    expect(await runCheck("trust_readable")).toMatchObject({ status: "ok" });
    writeFileSync(home.trust, "{");
    expect(await runCheck("trust_readable")).toMatchObject({
      status: "fail",
      remedy: expect.stringContaining("hookline trust"),
    });
  });

  it("reports the SDK, claude and the billing, and does not treat a missing login as a problem", async () => {
    const path = program("claude", 'echo "2.1.400 (Claude Code)"');
    expect(await runCheck("sdk_found")).toMatchObject({
      status: "ok",
      found: expect.stringMatching(/is 0\.3\./),
    });
    expect(await runCheck("driven_claude")).toMatchObject({
      status: "ok",
      found: `Driven sessions run ${path} (2.1.400).`,
    });
    expect(await runCheck("driven_login")).toMatchObject({
      status: "skipped",
      found: expect.stringContaining("No login"),
    });
    expect(await runCheck("driven_login", { env: { ANTHROPIC_API_KEY: "sk-test" } })).toEqual({
      status: "ok",
      found: "Billed to the API key in ANTHROPIC_API_KEY.",
    });
    configure({ control: { claude: "/nowhere/claude" } });
    expect(await runCheck("driven_claude")).toMatchObject({ status: "warn" });
  });

  it("driven_processes names what stops driven agents if the daemon dies", async () => {
    expect(await runCheck("driven_processes", { platform: "darwin" })).toMatchObject({
      status: "ok",
      found: expect.stringContaining("a watchdog stops driven agents"),
    });
    expect((await runCheck("driven_processes")).found).toContain("setpriv");
  });
});

describe("the spool and its disk", () => {
  it("spool_owner fails if another user owns the spool", async () => {
    expect(await runCheck("spool_owner")).toMatchObject({ status: "ok" });
    expect(await runCheck("spool_owner", { uid: () => 12_345 })).toMatchObject({
      status: "fail",
      found: expect.stringContaining(home.spool),
    });
  });

  it("spool_waiting warns after a day without a daemon", async () => {
    const file = join(home.spool, "1-2-0");
    writeFileSync(file, "{}\n");
    expect(await runCheck("spool_waiting")).toMatchObject({ status: "ok" });
    const yesterday = Date.now() / 1000 - 25 * 3600;
    utimesSync(file, yesterday, yesterday);
    expect(await runCheck("spool_waiting")).toMatchObject({
      status: "warn",
      found: expect.stringMatching(/1 file in .*1-2-0\) from 25 h ago, and the daemon is not running/),
    });
  });

  it("disk_space warns below 50 MB and fails below 5 MB", async () => {
    const free = (mb: number) => ({ disk: async () => ({ type: 0xef53, freeBytes: mb * 1024 * 1024 }) });
    expect(await runCheck("disk_space", free(49))).toMatchObject({ status: "warn" });
    expect(await runCheck("disk_space", free(4))).toMatchObject({ status: "fail" });
    expect(await runCheck("disk_space", free(51))).toMatchObject({ status: "ok" });
  });

  it("disk_local warns about a network disk", async () => {
    const nfs = { platform: "linux", disk: async () => ({ type: 0x6969, freeBytes: 1 }) } as const;
    expect(await runCheck("disk_local", nfs)).toMatchObject({
      status: "warn",
      found: expect.stringContaining("NFS"),
    });
    expect(await runCheck("disk_local", { platform: "linux" })).toMatchObject({ status: "ok" });
    expect(networkDisk(0xff534d42 | 0)).toBe("CIFS");
    expect(networkDisk(0xef53)).toBeUndefined();
  });

  it("leaves no probe file behind", async () => {
    for (const code of ["spool_writable", "clock_disk"])
      expect(await runCheck(code)).toMatchObject({ status: "ok" });
    expect(readdirSync(home.dir, { recursive: true })).toEqual(["spool"]);
  });
});

describe("the clock", () => {
  it("clock_disk warns if disk and machine differ by more than 2 s", async () => {
    expect(await runCheck("clock_disk", { nowMs: () => Date.now() + 10_000 })).toMatchObject({
      status: "warn",
    });
    expect(await runCheck("clock_disk", { nowMs: () => Date.now() + 1_000 })).toMatchObject({ status: "ok" });
  });

  it("clock_steady warns if a notice of the daemon mentions the clock", () => {
    expect(checkClockNotices(["t the clock went back by 3 h", "t port 1 is taken"])).toMatchObject({
      status: "warn",
      found: expect.stringContaining("the clock went back by 3 h"),
    });
    expect(checkClockNotices(["t port 1 is taken"])).toMatchObject({ status: "ok" });
  });
});

describe("the log and the database", () => {
  it("finds missing segment numbers", () => {
    expect(findGaps([1, 2, 5])).toEqual([3, 4]);
    expect(findGaps([])).toEqual([]);
  });

  it("reports a file that is not a database as damaged", () => {
    writeFileSync(home.db, "this is a diary, and a long one ".repeat(100));
    expect(quickCheck(home.db)).toMatchObject({ type: "damaged" });
  });

  it("checks a large database in a process with a time limit", async () => {
    openDatabase(home.db).close();
    expect(await quickCheckInChild(home.db, { HOME: root }, 30_000)).toEqual({ type: "sound" });
    expect(await quickCheckInChild(home.db, { HOME: root }, 1)).toMatchObject({ type: "unfinished" });
  });
});

describe("the launcher", () => {
  it("is read back as it was written, whatever its paths contain", async () => {
    const target = { nodePath: "/opt/it's/node", entry: "/a b/main.mjs" };
    await installHooks({ agent: claude, scope: "user", env: { HOME: root }, launcher: target });
    expect(readLauncher(home)).toEqual(target);
    writeFileSync(home.launcher, "#!/bin/sh\necho other\n");
    expect(readLauncher(home)).toBeNull();
    rmSync(home.launcher);
    expect(readLauncher(home)).toBe("absent");
  });
});
