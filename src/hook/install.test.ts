import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mountTmpfs } from "../../test/hook/run-command.ts";
import { claude } from "../agents/claude/claude.ts";
import { resolveHome } from "../home.ts";
import { defaultAskHooks } from "./ask-command.ts";
import { hookEntries } from "./commands.ts";
import { type HookOptions, installHooks, uninstallHooks } from "./install.ts";
import { writeLauncher } from "./launcher.ts";

let root: string;
let settings: string;
let base: HookOptions;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-install-")));
  settings = join(root, ".claude", "settings.json");
  base = { agent: claude, scope: "user", env: { HOME: root }, projectDir: join(root, "shop") };
  mkdirSync(join(root, "shop"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (text: string, path = settings) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const read = (path = settings) => readFileSync(path, "utf8");
const hooksIn = (path = settings) => JSON.parse(read(path)).hooks as unknown;
/** Everything under the root, with the text of files. */
const tree = () =>
  execFileSync("sh", ["-c", "find . | sort; find . -type f -exec cat {} +"], { cwd: root }).toString();

describe("installing", () => {
  it("creates the file, the folder, the home and the spool, and reports it", async () => {
    expect(await installHooks(base)).toEqual({
      scope: "user",
      dryRun: false,
      settings,
      createdFile: true,
      changed: true,
      handlers: { added: 34, updated: 0, removed: 0 },
      events: 30,
      hooks: expect.arrayContaining([{ event: "Stop", kinds: ["record"] }]),
      home: join(root, ".hookline"),
      spool: join(root, ".hookline", "spool"),
      launcher: null,
    });
    expect(hooksIn()).toEqual(hookEntries(claude));
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    for (const folder of [".hookline", ".hookline/spool"])
      expect(statSync(join(root, folder)).mode & 0o777).toBe(0o700);
  });

  it("changes nothing the second time", async () => {
    write(`{ "hooks": {}, "model": "opus" }`);
    await installHooks(base);
    const before = tree();
    expect(await installHooks(base)).toMatchObject({
      changed: false,
      handlers: { added: 0, updated: 0, removed: 0 },
    });
    expect(tree()).toBe(before);
  });

  it("writes nothing on a dry run", async () => {
    write("{}");
    const before = tree();
    expect(await installHooks({ ...base, dryRun: true })).toMatchObject({
      changed: true,
      handlers: { added: 34 },
    });
    expect(await uninstallHooks({ ...base, dryRun: true })).toMatchObject({ changed: false });
    expect(tree()).toBe(before);
  });

  it("writes no path of this machine and no secret into a project", async () => {
    await installHooks({ ...base, scope: "project", env: { HOME: root, ANTHROPIC_API_KEY: "sk-1" } });
    const text = read(join(root, "shop", ".claude", "settings.json"));
    expect(text).not.toContain(root);
    expect(text).not.toContain("sk-1");
    expect(existsSync(settings)).toBe(false);
  });

  it("honors CLAUDE_CONFIG_DIR and HOOKLINE_HOME", async () => {
    const config = join(root, "config");
    const result = await installHooks({
      ...base,
      env: { CLAUDE_CONFIG_DIR: config, HOOKLINE_HOME: join(root, "h") },
    });
    expect(result).toMatchObject({
      settings: join(config, "settings.json"),
      spool: join(root, "h", "spool"),
    });
    expect(existsSync(join(root, "h", "spool"))).toBe(true);
  });

  it("follows links, and keeps the link, the mode and the owner", async () => {
    const target = join(root, "dotfiles", "claude.json");
    write("{}\n", target);
    chmodSync(target, 0o640);
    if (process.getuid?.() === 0) chownSync(target, 1234, 1234);
    mkdirSync(dirname(settings));
    symlinkSync("../dotfiles/claude.json", settings);
    await installHooks(base);
    expect(readlinkSync(settings)).toBe("../dotfiles/claude.json");
    expect(hooksIn(target)).toEqual(hookEntries(claude));
    expect(statSync(target).mode & 0o777).toBe(0o640);
    if (process.getuid?.() === 0) expect(statSync(target)).toMatchObject({ uid: 1234, gid: 1234 });
    await uninstallHooks(base);
    expect(read()).toBe("{}\n");
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
  });

  it("follows a link to a file that does not exist yet", async () => {
    mkdirSync(dirname(settings));
    symlinkSync(join(root, "later.json"), settings);
    await installHooks(base);
    expect(hooksIn(join(root, "later.json"))).toEqual(hookEntries(claude));
  });

  it("starts over when another program writes in between", async () => {
    write(`{"a":1}`);
    let attempts = 0;
    const beforeCommit = () => {
      if (attempts++ < 3) write(`{"a":${attempts + 1}}`);
    };
    await installHooks({ ...base, beforeCommit });
    expect(attempts).toBe(4);
    expect(JSON.parse(read())).toEqual({ a: 4, hooks: hookEntries(claude) });
    attempts = 0;
    await uninstallHooks({
      ...base,
      beforeCommit: () => (attempts++ === 0 ? write(read().replace("4", "5")) : undefined),
    });
    expect(read()).toBe(`{"a":5}`);
  });

  it("gives up with settings_busy if the file keeps changing", async () => {
    write("{}");
    let n = 0;
    const act = installHooks({ ...base, beforeCommit: () => write(`{"n":${n++}}`) });
    await expect(act).rejects.toMatchObject({ code: "settings_busy" });
    expect(JSON.parse(read())).toEqual({ n: n - 1 });
    expect(readdirSync(dirname(settings))).toEqual(["settings.json"]);
  });

  it("never shows a reader a partial file", async () => {
    write(JSON.stringify({ env: {} }, null, 2));
    const reader = promisify(execFile)(process.execPath, [
      "-e",
      `const fs=require("fs");const end=Date.now()+1500;let n=0;while(Date.now()<end){JSON.parse(fs.readFileSync(${JSON.stringify(settings)},"utf8"));n++}console.log(n)`,
    ]);
    const until = Date.now() + 1200;
    while (Date.now() < until) {
      await installHooks(base);
      await uninstallHooks(base);
    }
    expect(Number((await reader).stdout)).toBeGreaterThan(100);
    expect(read()).toBe(JSON.stringify({ env: {} }, null, 2));
  });
});

describe("the ask hooks", () => {
  const configure = (inject: object) =>
    write(JSON.stringify({ memory: { inject } }), join(root, ".hookline", "config.json"));

  it("follow the configuration when install runs again, and are removed completely", async () => {
    const before = `{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n`;
    write(before);
    await installHooks(base);
    expect(hooksIn()).toEqual(hookEntries(claude, { ...defaultAskHooks, prompt: true, file: false }));
    configure({ file: true });
    expect(await installHooks(base)).toMatchObject({ handlers: { added: 1, updated: 0, removed: 0 } });
    expect(hooksIn()).toEqual(hookEntries(claude, { ...defaultAskHooks, prompt: true, file: true }));
    configure({ file: false, prompt: false });
    expect(await installHooks(base)).toMatchObject({ handlers: { added: 0, updated: 0, removed: 2 } });
    expect(hooksIn()).toEqual(hookEntries(claude, { ...defaultAskHooks, prompt: false, file: false }));
    configure({});
    await installHooks(base);
    expect(hooksIn()).toEqual(hookEntries(claude));
    await uninstallHooks(base);
    expect(read()).toBe(before);
  });

  it("follow the guard, the hold and the rules, and are removed completely", async () => {
    const before = `{\n  "hooks": {\n    "PreToolUse": [],\n    "FileChanged": [ ]\n  }\n}\n`;
    const steer = (config: object) => write(JSON.stringify(config), join(root, ".hookline", "config.json"));
    const react = [
      { event: "PostToolUse", matcher: "Edit|Write", seconds: 10 },
      { event: "FileChanged", matcher: ".env", seconds: 2 },
    ];
    write(before);
    steer({ guard: { on: true } });
    await installHooks({ ...base, react });
    const guarded = { ...defaultAskHooks, guard: { failClosed: false }, permission: { seconds: 2 }, react };
    expect(hooksIn()).toMatchObject(hookEntries(claude, guarded));
    const installed = read();
    expect(await installHooks({ ...base, react })).toMatchObject({ changed: false });
    expect(read()).toBe(installed);

    steer({ guard: { on: true, failClosed: true }, approve: { on: true, holdSeconds: 300 } });
    await installHooks({ ...base, react: [{ ...react[0]!, seconds: 30 }] });
    const holding = {
      ...defaultAskHooks,
      guard: { failClosed: true },
      permission: { seconds: 303 },
      react: [{ ...react[0]!, seconds: 30 }],
    };
    // The timeout follows how long the command waits.
    expect(hooksIn()).toEqual({ ...hookEntries(claude, holding), FileChanged: [] });

    steer({ approve: { on: true } });
    await installHooks(base);
    expect(hooksIn()).toEqual({
      ...hookEntries(claude, { ...defaultAskHooks, permission: { seconds: 123 } }),
      FileChanged: [],
    });
    await uninstallHooks(base);
    expect(read()).toBe(before);
  });

  it("are not installed if the configuration is invalid", async () => {
    configure({ prompt: "yes" });
    await expect(installHooks(base)).rejects.toMatchObject({ code: "config_invalid" });
    expect(existsSync(settings)).toBe(false);
    write("{}");
    await expect(uninstallHooks(base)).resolves.toMatchObject({ changed: false });
  });
});

describe("refusing", () => {
  it.each([
    ["invalid JSON", "{\n  nope\n}", "settings_invalid", ":2:3"],
    ["text that is not UTF-8", Buffer.from([0x7b, 0x0a, 0x22, 0xff, 0x22, 0x7d]), "settings_invalid", ":2:2"],
    ["hooks of a wrong shape", `{"hooks": []}`, "settings_shape", `"hooks"`],
  ])("%s: names the position and writes nothing", async (_, bytes, code, place) => {
    mkdirSync(dirname(settings));
    writeFileSync(settings, bytes);
    const before = tree();
    const error = await installHooks(base).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toContain(settings);
    expect((error as Error).message).toContain(place);
    expect(tree()).toBe(before);
  });

  it("a read-only folder: leaves no partial file behind", async (context) => {
    write(`{"a":1}`);
    const text = read();
    const unmount = mountTmpfs(dirname(settings), "size=64k");
    if (!unmount) return context.skip();
    try {
      write(text);
      execFileSync("/bin/mount", ["-o", "remount,ro", dirname(settings)]);
      const before = tree();
      await expect(installHooks(base)).rejects.toMatchObject({ code: "settings_unwritable" });
      expect(tree()).toBe(before);
    } finally {
      unmount();
    }
  });

  it("a full disk: keeps the old text", async (context) => {
    mkdirSync(dirname(settings));
    const unmount = mountTmpfs(dirname(settings), "size=8k");
    if (!unmount) return context.skip();
    try {
      write(`{"a":1}`);
      await expect(installHooks(base)).rejects.toMatchObject({ code: "settings_unwritable" });
      expect(readdirSync(dirname(settings))).toEqual(["settings.json"]);
      expect(read()).toBe(`{"a":1}`);
    } finally {
      unmount();
    }
  });

  it("a project that does not exist, a folder in the file's place, Windows", async () => {
    const gone = { ...base, scope: "project", projectDir: join(root, "gone") } as const;
    await expect(installHooks(gone)).rejects.toMatchObject({ code: "settings_unwritable" });
    expect(existsSync(gone.projectDir)).toBe(false);
    mkdirSync(settings, { recursive: true });
    await expect(installHooks(base)).rejects.toMatchObject({ code: "settings_unreadable" });
    await expect(installHooks({ ...base, platform: "win32" })).rejects.toMatchObject({
      code: "platform_unsupported",
    });
    expect(existsSync(join(root, ".hookline"))).toBe(false);
  });
});

describe("uninstalling", () => {
  it("removes everything that an install created", async () => {
    const before = tree();
    await installHooks({ ...base, launcher: { nodePath: "/n", entry: "/e" } });
    expect(await uninstallHooks(base)).toMatchObject({
      changed: true,
      removedFile: true,
      removedHandlers: 34,
      recording: false,
    });
    rmSync(join(root, ".hookline"), { recursive: true });
    expect(tree()).toBe(before);
  });

  it.each([
    "{}",
    "{ }\n",
    "",
    "\n",
    `{"hooks":{}}`,
    `{"hooks": {"Stop": [ ]}, "a":1}`,
    '\ufeff{\r\n\t"a": 1\r\n}',
  ])("restores %j byte for byte, also after a second install", async (text) => {
    write(text);
    await installHooks(base);
    await installHooks(base);
    await uninstallHooks(base);
    expect(read()).toBe(text);
  });

  it("keeps a file and a folder that we created if others use them", async () => {
    await installHooks(base);
    const value = JSON.parse(read());
    write(JSON.stringify({ ...value, model: "opus" }, null, 4));
    writeFileSync(join(dirname(settings), "CLAUDE.md"), "mine");
    expect(await uninstallHooks(base)).toMatchObject({ removedFile: false });
    expect(read()).toBe(JSON.stringify({ model: "opus" }, null, 4));
  });

  it("works without the install record, and with a damaged one", async () => {
    const record = join(root, ".hookline", "install.json");
    for (const damage of [() => rmSync(record), () => writeFileSync(record, "{")]) {
      write(`{\n  "a": 1\n}\n`);
      await installHooks(base);
      damage();
      await uninstallHooks(base);
      expect(read()).toBe(`{\n  "a": 1\n}\n`);
    }
  });

  it("does nothing where there is nothing of ours", async () => {
    const before = tree();
    expect(await uninstallHooks(base)).toMatchObject({ changed: false, removedHandlers: 0 });
    expect(tree()).toBe(before);
  });

  it("keeps the spool while another scope, our plugin, pending events or a daemon need it", async () => {
    const spool = join(root, ".hookline", "spool");
    const launcher = { nodePath: "/n", entry: "/e" };
    await installHooks({ ...base, launcher });
    await installHooks({ ...base, scope: "project", launcher });
    expect(await uninstallHooks(base)).toMatchObject({
      recording: true,
      remaining: [join(root, "shop", ".claude", "settings.json")],
    });
    expect(existsSync(join(root, ".hookline", "launch"))).toBe(true);

    writeFileSync(join(spool, "1-2-0"), "{}");
    expect(await uninstallHooks({ ...base, scope: "project" })).toMatchObject({
      recording: true,
      remaining: [],
    });
    expect(readdirSync(spool)).toEqual(["1-2-0"]);
    expect(existsSync(join(root, ".hookline", "launch"))).toBe(false);
    rmSync(join(spool, "1-2-0"));

    write(`{"enabledPlugins": {"hookline@hookline": true}}`);
    await installHooks(base);
    expect(await uninstallHooks(base)).toMatchObject({ recording: true });
    write("{}");
    await installHooks(base);
    writeFileSync(join(root, ".hookline", "daemon.pid"), `${process.pid}\n`);
    expect(await uninstallHooks(base)).toMatchObject({ recording: true });
    rmSync(join(root, ".hookline", "daemon.pid"));
    await installHooks(base);
    expect(await uninstallHooks(base)).toMatchObject({ recording: false });
  });
});

describe("the launcher", () => {
  it("starts the daemon by paths with any characters, and prints nothing if they no longer exist", async () => {
    const home = resolveHome({ HOME: root });
    mkdirSync(home.dir);
    const nodePath = join(root, `no'de "$x`);
    const entry = join(root, "main entry.ts");
    writeFileSync(nodePath, `#!/bin/sh\necho "$@" >'${root}/ran'\n`, { mode: 0o755 });
    writeFileSync(entry, "");
    expect(await writeLauncher(home, { nodePath, entry })).toBe(true);
    expect(await writeLauncher(home, { nodePath, entry })).toBe(false);
    expect(statSync(home.launcher).mode & 0o777).toBe(0o700);
    execFileSync(home.launcher);
    expect(readFileSync(join(root, "ran"), "utf8")).toBe(`${entry} up --quiet\n`);
    rmSync(entry);
    expect(execFileSync(home.launcher).toString()).toBe("");
    rmSync(nodePath);
    expect(execFileSync(home.launcher).toString()).toBe("");
  });
});
