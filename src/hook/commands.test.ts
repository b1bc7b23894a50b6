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
import { type Asks, defaultAsks, toAsks } from "./ask-command.ts";
import {
  hookEntries,
  kindOfCommand,
  pluginHookEntries,
  recordCommand,
  recordStartCommand,
} from "./commands.ts";
import { daemonEnv } from "./digest-command.ts";

/** All but the guard, which prints something even without an answer. */
const quietAsks: Asks = {
  ...defaultAsks,
  file: true,
  permission: { seconds: 2 },
  react: [
    { event: "SessionStart", seconds: 3 },
    { event: "Stop", seconds: 3 },
  ],
};
const give = Object.fromEntries(
  hookEntries(claude)
    ["SessionStart"]!.slice(1)
    .map((group) => [group.matcher, group.hooks[0]!.command]),
);
const giveStartup = give["startup|clear"]!;
const all = [
  ...new Set(
    [hookEntries(claude, quietAsks), pluginHookEntries(claude, claude.installer.plugin!)].flatMap((entries) =>
      Object.values(entries).flatMap((groups) =>
        groups.flatMap((group) => group.hooks.map((hook) => hook.command)),
      ),
    ),
  ),
];
const payload = `${JSON.stringify({ hook_event_name: "Stop", text: "é\u2028\n" })}\n`;

/** By path, because some tests empty PATH. `--norc`: bash takes a socket on stdin for rshd. */
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
  it("cover every event but the three that must not be watched, each within 5 s", () => {
    const entries = hookEntries(claude);
    expect(Object.keys(entries)).toHaveLength(30);
    for (const event of ["WorktreeCreate", "MessageDisplay", "FileChanged"])
      expect(entries).not.toHaveProperty(event);
    for (const group of Object.values(entries).flat()) expect(group.hooks[0]!.timeout).toBeLessThanOrEqual(5);
    expect(Object.keys(give)).toEqual(["startup|clear", "resume|fork", "compact"]);
  });

  it("ask at every prompt, before a tool touches a file, or not at all, as is wanted", () => {
    const asking = (asks?: Asks) =>
      Object.entries(hookEntries(claude, asks)).flatMap(([event, groups]) =>
        groups.flatMap(({ matcher, hooks }) => {
          const kind = kindOfCommand(hooks[0]!.command)!;
          return kind.startsWith("ask") ? [[event, kind, matcher]] : [];
        }),
      );
    const file = ["PreToolUse", "ask-file", "Read|Edit|MultiEdit|Write|NotebookEdit"];
    const none: Asks = { prompt: false, file: false, guard: null, permission: null, react: [] };
    expect(asking()).toEqual([["UserPromptSubmit", "ask-prompt", undefined]]);
    expect(asking({ ...none, file: true })).toEqual([file]);
    expect(asking(none)).toEqual([]);
    expect(asking({ ...none, guard: { failClosed: false }, permission: { seconds: 2 } })).toEqual([
      ["PreToolUse", "ask-guard", undefined],
      ["PermissionRequest", "ask-permission", undefined],
    ]);
  });

  it("wait longer for a permission than the daemon holds it, so that an answer it takes finds them there", () => {
    const config = Config.parse({ approve: { on: true, holdSeconds: 60 } });
    expect(toAsks(config).permission!.seconds).toBeGreaterThan(60);
  });

  it("wait for as long as is asked, and are given a little longer", () => {
    const entries = hookEntries(claude, { ...quietAsks, permission: { seconds: 120 } });
    const { command, timeout } = entries["PermissionRequest"]![0]!.hooks[0]!;
    expect([command.match(/--max-time \S+/)?.[0], timeout]).toEqual(["--max-time 120", 125]);
    expect(entries["Stop"]![1]!.hooks[0]).toMatchObject({ timeout: 8 });
  });

  it("ask once for a call that several reactions' matchers fit", () => {
    const reacting = (...react: Asks["react"]) =>
      Object.values(hookEntries(claude, { ...defaultAsks, prompt: false, react }))
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

  it("are recognised as ours, others are not", () => {
    expect(all).toHaveLength(16);
    for (const command of all) expect(kindOfCommand(command)).toMatch(/^(plugin-)?(record|give|ask)/);
    for (const command of ["", "hookline tail", "# : hookline record 1;", "true; : hookline record 1;"]) {
      expect(kindOfCommand(command)).toBeUndefined();
    }
  });

  it("name no path of this machine", () => {
    for (const command of all) expect(command).not.toMatch(/\/(home|root|Users|work|tmp)\b/);
  });
});

describe.each(shells)("in $shell", ({ shell }) => {
  const run = (command: string, options: Parameters<typeof runCommand>[1] = {}) =>
    runCommand(command, { env: place.env, input: payload, shell, ...options });

  it("keeps the payload byte for byte in a private file named for the agent's process", async () => {
    expect(await run(recordCommand(claude))).toMatchObject(silent);
    expect(place.contents()).toEqual([payload]);
    expect(place.files()[0]).toMatch(new RegExp(`^claude-${process.pid}-\\d+-0$`));
    expect(statSync(join(place.spool, place.files()[0]!)).mode & 0o777).toBe(0o600);
  });

  it("puts the allowed environment, and nothing else of it, before SessionStart's payload", async () => {
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

  it("passes over a name that is taken and leaves that file alone", async () => {
    const taken = `for i in 0 1 2; do echo old >"${place.spool}/claude-$PPID-$$-$i"; done; `;
    expect(await run(taken + recordCommand(claude))).toMatchObject(silent);
    expect(place.contents()).toEqual(["old\n", "old\n", "old\n", payload]);
  });

  it.each([
    ["the spool folder missing", () => rmSync(place.spool, { recursive: true })],
    ["our whole home missing", () => rmSync(place.home, { recursive: true })],
    [
      "a file in place of the spool folder",
      () => {
        rmSync(place.spool, { recursive: true });
        writeFileSync(place.spool, "");
      },
    ],
    [
      "a link to nowhere in its place",
      () => {
        rmSync(place.spool, { recursive: true });
        symlinkSync("/nowhere", place.spool);
      },
    ],
  ])("says nothing and exits 0 with %s", async (_, spoil) => {
    spoil();
    const large = `{"x":"${"y".repeat(600_000)}"}\n`;
    for (const command of all) expect(await run(command)).toMatchObject(silent);
    for (const command of all) expect(await run(command, { input: large })).toMatchObject(silent);
  });

  it("says nothing and exits 0 without HOME, PATH or any environment, and on stdin that is empty or closed", async () => {
    const { HOME: _, ...homeless } = place.env;
    for (const command of all) {
      for (const env of [homeless, {}, { ...place.env, PATH: "" }, { HOME: "" }]) {
        expect(await run(command, { env })).toMatchObject(silent);
      }
      expect(await run(command, { input: "" })).toMatchObject(silent);
      expect(await run(command, { input: "closed" })).toMatchObject(silent);
    }
  });

  it("records with PATH empty, and below a relative or odd HOOKLINE_HOME", async () => {
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
  it("keeps 200 at once, each whole and in a file of its own", async () => {
    const inputs = Array.from({ length: 200 }, (_, i) => `{"i":${i},"pad":"${"x".repeat(i * 40)}"}\n`);
    const runs = await Promise.all(
      inputs.map((input) => runCommand(recordCommand(claude), { env: place.env, input })),
    );
    for (const run of runs) expect(run).toMatchObject(silent);
    expect(place.contents().sort()).toEqual([...inputs].sort());
  });

  it("keeps 50 MB", async () => {
    const input = Buffer.alloc(50 * 1024 * 1024, "x");
    expect(await runCommand(recordCommand(claude), { env: place.env, input })).toMatchObject(silent);
    expect(statSync(join(place.spool, place.files()[0]!)).size).toBe(input.length);
  });

  it("leaves no half file on a full disk, and records again when there is room", (context) => {
    const unmount = mountTmpfs(place.spool, "size=64k");
    if (!unmount) return context.skip();
    return (async () => {
      for (const command of [recordCommand(claude), recordStartCommand(claude)]) {
        const run = await runCommand(command, { env: place.env, input: "x".repeat(200_000) });
        expect(run).toMatchObject(silent);
        expect(place.files()).toEqual([]);
      }
      writeFileSync(join(place.spool, "full"), "x".repeat(65_536));
      for (const command of all) expect(await runCommand(command, { env: place.env })).toMatchObject(silent);
      expect(place.files()).toEqual(["full"]);
      rmSync(join(place.spool, "full"));
      await runCommand(recordCommand(claude), { env: place.env, input: payload });
      expect(place.contents()).toEqual([payload]);
    })().finally(unmount);
  });

  it("says nothing on a read-only disk", (context) => {
    const unmount = mountTmpfs(place.spool, "ro,size=64k");
    if (!unmount) return context.skip();
    return (async () => {
      for (const command of all) expect(await runCommand(command, { env: place.env })).toMatchObject(silent);
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
  ])("stand back while the %s settings hold ours", async (_, path) => {
    expect(await runCommand(stop, { env: env() })).toMatchObject(silent);
    expect(place.files()).toHaveLength(1);
    put(path(), installed);
    await runCommand(stop, { env: env() });
    expect(place.files()).toHaveLength(1);
    put(path(), JSON.stringify({ enabledPlugins: { "hookline@hookline": true } }));
    await runCommand(stop, { env: env() });
    expect(place.files()).toHaveLength(2);
  });

  it("look at the settings again only after they changed", async () => {
    const path = join(place.root, ".claude/settings.json");
    const bin = join(place.root, "bin");
    put(path, "{}");
    // Longer than the resolution of file timestamps.
    await new Promise((resolve) => setTimeout(resolve, 20));
    put(join(bin, "grep"), `#!/bin/sh\necho asked >>${place.root}/asked\nexit 1\n`);
    chmodSync(join(bin, "grep"), 0o755);
    const counted = stop.replace("PATH=/bin:/usr/bin:$PATH grep", `${bin}/grep`);
    for (let i = 0; i < 3; i++) await runCommand(counted, { env: env() });
    expect(readFileSync(join(place.root, "asked"), "utf8")).toBe("asked\n");
    await new Promise((resolve) => setTimeout(resolve, 20));
    put(path, "{ }");
    for (let i = 0; i < 3; i++) await runCommand(counted, { env: env() });
    expect(readFileSync(join(place.root, "asked"), "utf8")).toBe("asked\nasked\n");
    expect(place.files()).toHaveLength(6);
  });
});

describe("giving", () => {
  const digest = (folder: string, text: string, name = "startup") => {
    const path = join(place.home, "context", folder, `${name}.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const ask = (project: string, command = giveStartup) =>
    runCommand(command, { env: { ...place.env, CLAUDE_PROJECT_DIR: project }, input: "x".repeat(300_000) });

  it("prints the project's digest, exactly and alone, and none of a folder above it", async () => {
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

  it("prints another digest for each way a session starts", async () => {
    for (const name of ["startup", "resume", "compact"]) digest("/srv", name, name);
    const printed = await Promise.all(Object.values(give).map((command) => ask("/srv", command)));
    expect(printed.map((run) => run.stdout)).toEqual(["startup", "resume", "compact"]);
  });

  it("prints the digest for this very session, be it empty, before that for any", async () => {
    digest("/srv", "any", "resume");
    digest("/srv", "mine", "resume-5e55");
    digest("/srv", "", "resume-0000");
    const printed = (id: string) =>
      runCommand(give["resume|fork"]!, {
        env: { ...place.env, CLAUDE_PROJECT_DIR: "/srv", CLAUDE_CODE_SESSION_ID: id },
      });
    expect(await printed("5e55")).toMatchObject({ ...silent, stdout: "mine" });
    expect(await printed("0000")).toMatchObject(silent);
    for (const id of ["other", "", "../x", "a b*"])
      expect(await printed(id)).toMatchObject({ ...silent, stdout: "any" });
  });

  it("takes the current folder where there is no project, and no digest that is no plain file", async () => {
    digest(place.root, "here");
    const inRoot = (project: string) =>
      runCommand(giveStartup, {
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
  const start = (env: Record<string, string> = {}, command = giveStartup) =>
    runCommand(command, { env: { ...place.env, ...env }, cwd: place.root });
  const started = () => expect.poll(() => existsSync(report()));
  const settle = () => new Promise((resolve) => setTimeout(resolve, 300));

  it("leaves it nothing of the agent: session, folder, descriptors, environment", async () => {
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

  it("does not start one that is alive, or that is not wanted", async () => {
    launch(`echo started >${report()}`);
    await start({ HOOKLINE_AUTOSTART: "0" });
    for (const pid of [`${process.pid}\n`, `${process.pid}`]) {
      writeFileSync(join(place.home, "daemon.pid"), pid);
      for (const command of Object.values(give)) await start({}, command);
    }
    await settle();
    expect(existsSync(report())).toBe(false);
  });

  it.each(["", "0\n", "-1\n", "999999999\n", "junk; touch x\n"])(
    "starts it when daemon.pid says %j",
    async (pid) => {
      launch(`echo started >${report()}`);
      writeFileSync(join(place.home, "daemon.pid"), pid);
      expect(await start()).toMatchObject(silent);
      await started().toBe(true);
    },
  );

  it("starts it without setsid too", async () => {
    launch(`echo started >${report()}; exec sleep 3`);
    const run = await start({}, giveStartup.replace("command -v setsid", "command -v no-setsid"));
    expect(run).toMatchObject(silent);
    expect(run.tookMs).toBeLessThan(3_000);
    await started().toBe(true);
  });

  it("says nothing when the launcher is broken or no program", async () => {
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
