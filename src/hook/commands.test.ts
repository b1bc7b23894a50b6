import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makePlace, mountTmpfs, type Place, runCommand, silent } from "../../test/hook/run-command.ts";
import { claude } from "../agents/claude/claude.ts";
import { Config } from "../config.ts";
import { type AskHookOptions, defaultAskHooks, toAskHookOptions } from "./ask-command.ts";
import {
  hookEntries,
  kindOfCommand,
  pluginHookEntries,
  recordCommand,
  recordStartCommand,
} from "./commands.ts";
import { daemonEnv } from "./digest-command.ts";

/** All but the guard, which prints something even without an answer. */
const quietAskHooks: AskHookOptions = {
  ...defaultAskHooks,
  file: true,
  permission: { seconds: 2 },
  react: [
    { event: "SessionStart", seconds: 3 },
    { event: "Stop", seconds: 3 },
  ],
};
const digestCommands = Object.fromEntries(
  hookEntries(claude)
    ["SessionStart"]!.slice(1)
    .map((group) => [group.matcher, group.hooks[0]!.command]),
);
const startupDigest = digestCommands["startup|clear"]!;
const allCommands = [
  ...new Set(
    [hookEntries(claude, quietAskHooks), pluginHookEntries(claude, claude.installer.plugin!)].flatMap(
      (entries) =>
        Object.values(entries).flatMap((groups) =>
          groups.flatMap((group) => group.hooks.map((hook) => hook.command)),
        ),
    ),
  ),
];
const payload = `${JSON.stringify({ hook_event_name: "Stop", text: "é\u2028\n" })}\n`;

/** Absolute paths, because some tests empty PATH. `--norc`: with a socket on stdin, bash assumes rshd. */
const shells = [
  { shell: ["/bin/sh"] },
  { shell: ["/bin/dash"] },
  { shell: ["/bin/bash", "--norc", "--posix"] },
  { shell: ["/bin/busybox", "sh"] },
].filter(({ shell }) => {
  if (!existsSync(shell[0]!)) console.warn(`skipped: no ${shell[0]} on this machine`);
  return existsSync(shell[0]!);
}) as { shell: [string, ...string[]] }[];

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

describe("the entries", () => {
  it("cover every event except the three that must not be hooked, each with a timeout of at most 5 s", () => {
    const entries = hookEntries(claude);
    expect(Object.keys(entries)).toHaveLength(30);
    for (const event of ["WorktreeCreate", "MessageDisplay", "FileChanged"])
      expect(entries).not.toHaveProperty(event);
    for (const group of Object.values(entries).flat()) expect(group.hooks[0]!.timeout).toBeLessThanOrEqual(5);
    expect(Object.keys(digestCommands)).toEqual(["startup|clear", "resume|fork", "compact"]);
  });

  it("include the ask hooks that the options enable", () => {
    const asking = (asks?: AskHookOptions) =>
      Object.entries(hookEntries(claude, asks)).flatMap(([event, groups]) =>
        groups.flatMap(({ matcher, hooks }) => {
          const kind = kindOfCommand(hooks[0]!.command)!;
          return kind.startsWith("ask") ? [[event, kind, matcher]] : [];
        }),
      );
    const file = ["PreToolUse", "ask-file", "Read|Edit|MultiEdit|Write|NotebookEdit"];
    const none: AskHookOptions = { prompt: false, file: false, guard: null, permission: null, react: [] };
    expect(asking()).toEqual([["UserPromptSubmit", "ask-prompt", undefined]]);
    expect(asking({ ...none, file: true })).toEqual([file]);
    expect(asking(none)).toEqual([]);
    expect(asking({ ...none, guard: { failClosed: false }, permission: { seconds: 2 } })).toEqual([
      ["PreToolUse", "ask-guard", undefined],
      ["PermissionRequest", "ask-permission", undefined],
    ]);
  });

  it("wait longer for a permission than the daemon holds it, so that no accepted answer is lost", () => {
    const config = Config.parse({ approve: { on: true, holdSeconds: 60 } });
    expect(toAskHookOptions(config).permission!.seconds).toBeGreaterThan(60);
  });

  it("wait for the configured time, with a slightly longer timeout", () => {
    const entries = hookEntries(claude, { ...quietAskHooks, permission: { seconds: 120 } });
    const { command, timeout } = entries["PermissionRequest"]![0]!.hooks[0]!;
    expect([command.match(/--max-time \S+/)?.[0], timeout]).toEqual(["--max-time 120", 125]);
    expect(entries["Stop"]![1]!.hooks[0]).toMatchObject({ timeout: 8 });
  });

  it("ask once for a call that several reactions' matchers match", () => {
    const reacting = (...react: AskHookOptions["react"]) =>
      Object.values(hookEntries(claude, { ...defaultAskHooks, prompt: false, react }))
        .flat()
        .filter(({ hooks }) => kindOfCommand(hooks[0]!.command) === "ask-react")
        .map(({ matcher, hooks }) => [matcher, hooks[0]!.timeout, hooks[0]!.command]);
    const event = "PostToolUse";
    const [edit, bash, ...rest] = reacting(
      { event, matcher: "Edit", seconds: 2 },
      { event, matcher: "Bash", seconds: 9 },
      { event, matcher: "Bash", seconds: 1 },
    );
    expect(rest).toEqual([]);
    expect([edit!.slice(0, 2), bash!.slice(0, 2)]).toEqual([
      ["Edit", 14],
      ["Bash", 14],
    ]);
    expect(edit![2]).toBe(bash![2]);
    expect(reacting({ event, seconds: 2 }, { event, matcher: "Bash", seconds: 2 })).toHaveLength(1);
    expect(reacting({ event: "FileChanged", matcher: ".env", seconds: 2 })).toMatchObject([
      [".env", 7, expect.any(String)],
    ]);
  });

  it("are recognized as ours, unlike other commands", () => {
    expect(allCommands).toHaveLength(16);
    for (const command of allCommands) expect(kindOfCommand(command)).toMatch(/^(plugin-)?(record|give|ask)/);
    for (const command of ["", "hookline tail", "# : hookline record 1;", "true; : hookline record 1;"]) {
      expect(kindOfCommand(command)).toBeUndefined();
    }
  });

  it("contain no path of this machine", () => {
    for (const command of allCommands) expect(command).not.toMatch(/\/(home|root|Users|work|tmp)\b/);
  });
});

describe.each(shells)("in $shell", ({ shell }) => {
  const run = (command: string, options: Parameters<typeof runCommand>[1] = {}) =>
    runCommand(command, { env: place.env, input: payload, shell, ...options });

  it("stores the payload byte for byte in a private file named after the agent's process", async () => {
    expect(await run(recordCommand(claude))).toMatchObject(silent);
    expect(place.contents()).toEqual([payload]);
    expect(place.files()[0]).toMatch(new RegExp(`^claude-${process.pid}-\\d+-0$`));
    expect(statSync(join(place.spool, place.files()[0]!)).mode & 0o777).toBe(0o600);
  });

  it("writes only the allowed environment variables before SessionStart's payload", async () => {
    const env = {
      ...place.env,
      TMUX: "/tmp/a b,1",
      SSH_TTY: "bad\nvalue",
      AI_AGENT: "$(id) `id`",
      SECRET: "s3cret",
    };
    expect(await run(recordStartCommand(claude), { env })).toMatchObject(silent);
    const values: Record<string, string> = { TMUX: env.TMUX, AI_AGENT: env.AI_AGENT };
    const line = ["env", ...claude.installer.recordedEnv.map((key) => `${key}=${values[key] ?? ""}`)].join(
      "\t",
    );
    expect(place.contents()).toEqual([`${line}\n${payload}`]);
  });

  it("skips a name that is taken and leaves that file alone", async () => {
    const taken = `for i in 0 1 2; do echo old >"${place.spool}/claude-$PPID-$$-$i"; done; `;
    expect(await run(taken + recordCommand(claude))).toMatchObject(silent);
    expect(place.contents()).toEqual(["old\n", "old\n", "old\n", payload]);
  });

  it.each([
    ["the spool folder missing", () => rmSync(place.spool, { recursive: true })],
    ["our home missing", () => rmSync(place.home, { recursive: true })],
    [
      "a file in place of the spool folder",
      () => {
        rmSync(place.spool, { recursive: true });
        writeFileSync(place.spool, "");
      },
    ],
    [
      "a dangling link in its place",
      () => {
        rmSync(place.spool, { recursive: true });
        symlinkSync("/nowhere", place.spool);
      },
    ],
  ])("prints nothing and exits 0 with %s", async (_, spoil) => {
    spoil();
    const large = `{"x":"${"y".repeat(600_000)}"}\n`;
    for (const command of allCommands) expect(await run(command)).toMatchObject(silent);
    for (const command of allCommands) expect(await run(command, { input: large })).toMatchObject(silent);
  });

  it("prints nothing and exits 0 without HOME, PATH or any environment, and with an empty or closed stdin", async () => {
    const { HOME: _, ...homeless } = place.env;
    for (const command of allCommands) {
      for (const env of [homeless, {}, { ...place.env, PATH: "" }, { HOME: "" }]) {
        expect(await run(command, { env })).toMatchObject(silent);
      }
      expect(await run(command, { input: "" })).toMatchObject(silent);
      expect(await run(command, { input: "closed" })).toMatchObject(silent);
    }
  });

  it("records with an empty PATH, and with a relative or oddly named HOOKLINE_HOME", async () => {
    await run(recordCommand(claude), { env: { HOME: place.root, PATH: "" } });
    await run(recordCommand(claude), { env: { HOOKLINE_HOME: ".hookline" }, cwd: place.root });
    expect(place.contents()).toEqual([payload, payload]);
    const odd = join(place.root, `a 'b" $c *`);
    mkdirSync(join(odd, "spool"), { recursive: true });
    await run(recordCommand(claude), { env: { ...place.env, HOOKLINE_HOME: odd } });
    expect(spawnSync("ls", [join(odd, "spool")]).stdout.toString()).toMatch(/-0\n$/);
  });
});

describe("recording", () => {
  it("records 200 payloads at once, each complete and in its own file", async () => {
    const inputs = Array.from({ length: 200 }, (_, i) => `{"i":${i},"pad":"${"x".repeat(i * 40)}"}\n`);
    const runs = await Promise.all(
      inputs.map((input) => runCommand(recordCommand(claude), { env: place.env, input })),
    );
    for (const run of runs) expect(run).toMatchObject(silent);
    expect(place.contents().sort()).toEqual([...inputs].sort());
  });

  it("records a payload of 50 MB", async () => {
    const input = Buffer.alloc(50 * 1024 * 1024, "x");
    expect(await runCommand(recordCommand(claude), { env: place.env, input })).toMatchObject(silent);
    expect(statSync(join(place.spool, place.files()[0]!)).size).toBe(input.length);
  });

  it("leaves no partial file on a full disk, and records again once there is space", (context) => {
    const unmount = mountTmpfs(place.spool, "size=64k");
    if (!unmount) return context.skip();
    return (async () => {
      for (const command of [recordCommand(claude), recordStartCommand(claude)]) {
        const run = await runCommand(command, { env: place.env, input: "x".repeat(200_000) });
        expect(run).toMatchObject(silent);
        expect(place.files()).toEqual([]);
      }
      writeFileSync(join(place.spool, "full"), "x".repeat(65_536));
      for (const command of allCommands)
        expect(await runCommand(command, { env: place.env })).toMatchObject(silent);
      expect(place.files()).toEqual(["full"]);
      rmSync(join(place.spool, "full"));
      await runCommand(recordCommand(claude), { env: place.env, input: payload });
      expect(place.contents()).toEqual([payload]);
    })().finally(unmount);
  });

  it("prints nothing on a read-only disk", (context) => {
    const unmount = mountTmpfs(place.spool, "ro,size=64k");
    if (!unmount) return context.skip();
    return (async () => {
      for (const command of allCommands)
        expect(await runCommand(command, { env: place.env })).toMatchObject(silent);
    })().finally(unmount);
  });
});

describe("the plugin's commands", () => {
  const stop = pluginHookEntries(claude, claude.installer.plugin!)["Stop"]![0]!.hooks[0]!.command;
  const installed = JSON.stringify({ hooks: hookEntries(claude) });
  const project = () => join(place.root, "pro ject");
  const env = () => ({ ...place.env, CLAUDE_PROJECT_DIR: project() });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };

  it.each([
    ["user", () => join(place.root, ".claude/settings.json")],
    ["project", () => join(project(), ".claude/settings.json")],
    ["local", () => join(project(), ".claude/settings.local.json")],
  ])("do nothing while the %s settings contain our hooks", async (_, path) => {
    expect(await runCommand(stop, { env: env() })).toMatchObject(silent);
    expect(place.files()).toHaveLength(1);
    put(path(), installed);
    await runCommand(stop, { env: env() });
    expect(place.files()).toHaveLength(1);
    put(path(), JSON.stringify({ enabledPlugins: { "hookline@hookline": true } }));
    await runCommand(stop, { env: env() });
    expect(place.files()).toHaveLength(2);
  });

  it("read the settings again only after they change", async () => {
    const path = join(place.root, ".claude/settings.json");
    const bin = join(place.root, "bin");
    put(path, "{}");
    // Longer than the resolution of file timestamps.
    await new Promise((resolve) => setTimeout(resolve, 20));
    put(join(bin, "grep"), `#!/bin/sh\necho called >>${place.root}/calls\nexit 1\n`);
    chmodSync(join(bin, "grep"), 0o755);
    const counted = stop.replace("PATH=/bin:/usr/bin:$PATH grep", `${bin}/grep`);
    for (let i = 0; i < 3; i++) await runCommand(counted, { env: env() });
    expect(readFileSync(join(place.root, "calls"), "utf8")).toBe("called\n");
    await new Promise((resolve) => setTimeout(resolve, 20));
    put(path, "{ }");
    for (let i = 0; i < 3; i++) await runCommand(counted, { env: env() });
    expect(readFileSync(join(place.root, "calls"), "utf8")).toBe("called\ncalled\n");
    expect(place.files()).toHaveLength(6);
  });
});

describe("the digest hook", () => {
  const digest = (folder: string, text: string, name = "startup") => {
    const path = join(place.home, "context", folder, `${name}.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const ask = (project: string, command = startupDigest) =>
    runCommand(command, { env: { ...place.env, CLAUDE_PROJECT_DIR: project }, input: "x".repeat(300_000) });

  it("prints exactly the project's digest, and never that of a parent folder", async () => {
    const text = `{"hookSpecificOutput":{"additionalContext":"%s \\\\n é"}}`;
    digest("/srv/shop", text);
    digest("/srv", "far");
    digest("/", "root");
    for (const project of ["/srv/shop", "/srv/shop/", "/srv/./x/..//shop"]) {
      expect(await ask(project)).toMatchObject({ ...silent, stdout: text });
    }
    for (const project of ["/srv/shopping", "/srv/shop/a b/c"])
      expect(await ask(project)).toMatchObject(silent);
    expect(await ask("/")).toMatchObject({ ...silent, stdout: "root" });
  });

  it("prints a different digest for each way a session starts", async () => {
    for (const name of ["startup", "resume", "compact"]) digest("/srv", name, name);
    const printed = await Promise.all(Object.values(digestCommands).map((command) => ask("/srv", command)));
    expect(printed.map((run) => run.stdout)).toEqual(["startup", "resume", "compact"]);
  });

  it("prefers this session's digest, even an empty one, to the general one", async () => {
    digest("/srv", "any", "resume");
    digest("/srv", "mine", "resume-5e55");
    digest("/srv", "", "resume-0000");
    const printed = (id: string) =>
      runCommand(digestCommands["resume|fork"]!, {
        env: { ...place.env, CLAUDE_PROJECT_DIR: "/srv", CLAUDE_CODE_SESSION_ID: id },
      });
    expect(await printed("5e55")).toMatchObject({ ...silent, stdout: "mine" });
    expect(await printed("0000")).toMatchObject(silent);
    for (const id of ["other", "", "../x", "a b*"])
      expect(await printed(id)).toMatchObject({ ...silent, stdout: "any" });
  });

  it("uses the current folder without a project, and ignores a digest that is not a regular file", async () => {
    digest(place.root, "here");
    const inRoot = (project: string) =>
      runCommand(startupDigest, {
        env: { ...place.env, PWD: "", CLAUDE_PROJECT_DIR: project },
        cwd: place.root,
      });
    expect(await inRoot("")).toMatchObject({ ...silent, stdout: "here" });
    expect(await inRoot("relative")).toMatchObject({ ...silent, stdout: "here" });
    const path = digest("/srv", "");
    rmSync(path);
    mkdirSync(path);
    expect(await ask("/srv")).toMatchObject(silent);
  });
});

describe("starting the daemon", () => {
  const report = () => join(place.root, "report");
  const launch = (body: string) => {
    writeFileSync(join(place.home, "launch"), `#!/bin/sh\n${body}\n`, { mode: 0o700 });
  };
  const start = (env: Record<string, string> = {}, command = startupDigest) =>
    runCommand(command, { env: { ...place.env, ...env }, cwd: place.root });
  const started = () => expect.poll(() => existsSync(report()));
  const settle = () => new Promise((resolve) => setTimeout(resolve, 300));

  it("inherits no session, folder, descriptors or environment from the agent", async () => {
    const facts = "env; pwd; ls -l /proc/$$/fd; cut -d' ' -f6 /proc/$$/stat; echo $$";
    launch(`{ ${facts}; } >${report()}.new; mv ${report()}.new ${report()}; exec sleep 3`);
    const agent = {
      ANTHROPIC_API_KEY: "sk-1",
      CLAUDE_CODE_MESSAGING_TOKEN: "t",
      LANG: "C.UTF-8",
      HOOKLINE_PORT: "4",
    };
    const run = await start({ ...agent, HOOKLINE_HOME: ".hookline" });
    expect(run).toMatchObject(silent);
    expect(run.tookMs).toBeLessThan(3_000);
    await started().toBe(true);
    const lines = readFileSync(report(), "utf8").trim().split("\n");
    const names = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split("=")[0]!);
    // dash itself exports PWD to `env`.
    expect(names.filter((name) => name !== "PWD" && name !== "_" && name !== "SHLVL").sort()).toEqual([
      "HOME",
      "HOOKLINE_HOME",
      "HOOKLINE_PORT",
      "LANG",
      "PATH",
    ]);
    for (const name of names) expect([...daemonEnv, "PWD", "_", "SHLVL"]).toContain(name);
    expect(lines).toContain(`PATH=${place.env["PATH"]}`);
    expect(lines).toContain(`HOOKLINE_HOME=${place.root}/.hookline`);
    expect(lines).toContain("/");
    expect(lines.filter((line) => / [0-2] -> /.test(line) && !/null$|report.new$/.test(line))).toEqual([]);
    const inherited = readdirSync("/proc/self/fd").map((fd) => linkOf(`/proc/self/fd/${fd}`));
    const pipes = lines.flatMap((line) => / -> ((?:pipe|socket):.*)/.exec(line)?.[1] ?? []);
    expect(pipes.filter((pipe) => !inherited.includes(pipe))).toEqual([]);
    const [session, pid] = lines.slice(-2);
    if (existsSync("/usr/bin/setsid")) expect(session).toBe(pid);
  });

  it("does not happen while one is alive, or with HOOKLINE_AUTOSTART=0", async () => {
    launch(`echo started >${report()}`);
    await start({ HOOKLINE_AUTOSTART: "0" });
    for (const pid of [`${process.pid}\n`, `${process.pid}`]) {
      writeFileSync(join(place.home, "daemon.pid"), pid);
      for (const command of Object.values(digestCommands)) await start({}, command);
    }
    await settle();
    expect(existsSync(report())).toBe(false);
  });

  it.each(["", "0\n", "-1\n", "999999999\n", "junk; touch x\n"])(
    "happens when daemon.pid contains %j",
    async (pid) => {
      launch(`echo started >${report()}`);
      writeFileSync(join(place.home, "daemon.pid"), pid);
      expect(await start()).toMatchObject(silent);
      await started().toBe(true);
    },
  );

  it("works without setsid, too", async () => {
    launch(`echo started >${report()}; exec sleep 3`);
    const run = await start({}, startupDigest.replace("command -v setsid", "command -v no-setsid"));
    expect(run).toMatchObject(silent);
    expect(run.tookMs).toBeLessThan(3_000);
    await started().toBe(true);
  });

  it("prints nothing if the launcher is broken or not executable", async () => {
    writeFileSync(join(place.home, "launch"), "#!/nowhere/sh\n", { mode: 0o700 });
    expect(await start()).toMatchObject(silent);
    chmodSync(join(place.home, "launch"), 0o600);
    expect(await start()).toMatchObject(silent);
  });
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
