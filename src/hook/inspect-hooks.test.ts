import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { type AskHookOptions, defaultAskHooks } from "./ask-command.ts";
import { hookEntries } from "./commands.ts";
import { type InspectedSettings, inspectHooks, inspectSettingsText } from "./inspect-hooks.ts";
import { installHooks } from "./install.ts";
import { addHooks } from "./settings-text.ts";

let root: string;
let project: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-inspect-")));
  project = join(root, "shop");
  mkdirSync(project);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const inspect = (env: Record<string, string> = {}): Promise<InspectedSettings[]> =>
  inspectHooks({
    agent: claude,
    env: { HOME: root, ...env },
    projectDir: project,
    managedDir: join(root, "etc"),
  });

function write(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const installed = addHooks("{}\n", hookEntries(claude), "settings.json").text;
const report = (text: string) => inspectSettingsText(claude, text, "settings.json");

describe("the inspected settings", () => {
  it("are the user's, the project's two and the managed ones, in ascending precedence", async () => {
    write("etc/managed-settings.json", "{}");
    write("etc/managed-settings.d/20-b.json", "{}");
    write("etc/managed-settings.d/10-a.json", "{}");
    expect(
      (await inspect()).map(({ scope, path, type }) => [scope, path.slice(root.length + 1), type]),
    ).toEqual([
      ["user", ".claude/settings.json", "absent"],
      ["project", "shop/.claude/settings.json", "absent"],
      ["local", "shop/.claude/settings.local.json", "absent"],
      ["managed", "etc/managed-settings.json", "read"],
      ["managed", "etc/managed-settings.d/10-a.json", "read"],
      ["managed", "etc/managed-settings.d/20-b.json", "read"],
    ]);
  });

  it("follow CLAUDE_CONFIG_DIR, and list each file once if the project is the home folder", async () => {
    expect((await inspect({ CLAUDE_CONFIG_DIR: join(root, "conf") }))[0]!.path).toBe(
      join(root, "conf/settings.json"),
    );
    const files = await inspectHooks({
      agent: claude,
      env: { HOME: root },
      projectDir: root,
      managedDir: join(root, "etc"),
    });
    expect(files.map(({ scope }) => scope)).toEqual(["user", "local", "managed"]);
  });

  it("are reported as broken with line and column, and whether they contain our hooks", async () => {
    const user = write(".claude/settings.json", `${installed.trimEnd().slice(0, -1)},,}`);
    const projectSettings = write("shop/.claude/settings.json", '{\n  "a": 1,\n}');
    mkdirSync(join(project, ".claude/settings.local.json"));
    const [first, second, third] = await inspect();
    expect(first).toMatchObject({
      type: "broken",
      holdsOurs: true,
      why: expect.stringContaining(`${user}:`),
    });
    expect(second).toMatchObject({
      type: "broken",
      holdsOurs: false,
      why: `${projectSettings}:3:1 is not valid JSON: a property name was expected, "}" was found`,
    });
    expect(third).toMatchObject({ type: "broken", why: expect.stringContaining("is not a file") });
  });

  it("are read through a symbolic link", async () => {
    const target = write("dotfiles/settings.json", installed);
    mkdirSync(join(root, ".claude"));
    symlinkSync(target, join(root, ".claude/settings.json"));
    expect((await inspect())[0]).toMatchObject({ type: "read", ours: 34, missing: [], stale: [] });
  });

  it("are complete after an install, and can be inspected read-only", async () => {
    await installHooks({
      agent: claude,
      scope: "user",
      env: { HOME: root, HOOKLINE_HOME: join(root, ".hookline") },
    });
    chmodSync(join(root, ".claude/settings.json"), 0o400);
    expect((await inspect())[0]).toMatchObject({
      type: "read",
      ours: 34,
      missing: [],
      stale: [],
      badEntries: [],
    });
  });
});

it("compares only the user's settings with the configuration, and only a valid one", async () => {
  write(".claude/settings.json", installed);
  write("shop/.claude/settings.json", installed);
  write(".hookline/config.json", `{"memory":{"inject":{"file":true}}}`);
  expect(await inspect()).toMatchObject([{ missing: ["PreToolUse"] }, { missing: [] }, {}, {}]);
  write(".hookline/config.json", `{"memory":{"inject":{"file":1}}}`);
  expect(await inspect()).toMatchObject([{ missing: [] }, { missing: [] }, {}, {}]);
});

describe("the report on a file", () => {
  it("contains nothing for an empty file or one without our hooks", () => {
    for (const text of [
      "",
      "\ufeff \n",
      "{}",
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}',
    ])
      expect(report(text)).toMatchObject({ ours: 0, missing: [], stale: [], badEntries: [] });
  });

  it("names the events without a handler of ours", () => {
    const { Stop: _stop, SessionStart: starts, ...rest } = hookEntries(claude);
    const some = { ...rest, SessionStart: starts!.slice(0, 2) };
    expect(report(JSON.stringify({ hooks: some })).missing).toEqual(["SessionStart", "Stop"]);
  });

  it("names the line of a handler with another version or text, or for an event that we don't hook", () => {
    const lines = installed.split("\n");
    const at = lines.findIndex((line) => line.includes(": hookline record 1;"));
    const older = installed.replace(": hookline record 1;", ": hookline record 0;");
    expect(report(older).stale).toEqual([{ what: expect.any(String), line: at + 1 }]);
    expect(report(older).missing).toEqual([]);
    expect(report(installed.replace("; exit 0", "; exit 00")).stale).toHaveLength(1);
    const withExtraEvent = { ...hookEntries(claude), FileChanged: hookEntries(claude)["Stop"] };
    expect(report(JSON.stringify({ hooks: withExtraEvent }, null, 1)).stale).toEqual([
      { what: "FileChanged", line: expect.any(Number) },
    ]);
  });

  it("accepts any of our ask hooks, unless the wanted ones are known", () => {
    for (const prompt of [true, false]) {
      for (const file of [true, false]) {
        const text = JSON.stringify({ hooks: hookEntries(claude, { ...defaultAskHooks, prompt, file }) });
        const differences = (asks?: AskHookOptions) => {
          const { missing, stale } = inspectSettingsText(claude, text, "settings.json", asks);
          return { missing, stale: stale.map(({ what }) => what) };
        };
        expect(differences()).toEqual({ missing: [], stale: [] });
        expect(differences({ ...defaultAskHooks, prompt, file })).toEqual({ missing: [], stale: [] });
        expect(differences({ ...defaultAskHooks, prompt: !prompt, file })).toEqual(
          prompt
            ? { missing: [], stale: ["UserPromptSubmit"] }
            : { missing: ["UserPromptSubmit"], stale: [] },
        );
        expect(differences({ ...defaultAskHooks, prompt, file: !file })).toEqual(
          file ? { missing: [], stale: ["PreToolUse"] } : { missing: ["PreToolUse"], stale: [] },
        );
      }
    }
    const old = installed.replace(": hookline ask-prompt 1;", ": hookline ask-prompt 0;");
    expect(report(old).stale).toEqual([{ what: "UserPromptSubmit", line: expect.any(Number) }]);
  });

  it("accepts any guard, hold and reaction, unless the wanted ones are known", () => {
    const steered: AskHookOptions = {
      ...defaultAskHooks,
      guard: { failClosed: true },
      permission: { seconds: 90 },
      react: [{ event: "PostToolUse", matcher: "Edit|Write", seconds: 10 }],
    };
    const text = JSON.stringify({ hooks: hookEntries(claude, steered) }, null, 1);
    const differences = (asks?: Parameters<typeof inspectSettingsText>[3], settings = text) => {
      const { missing, stale } = inspectSettingsText(claude, settings, "settings.json", asks);
      return { missing, stale: stale.map(({ what }) => what) };
    };
    const none = { missing: [], stale: [] };
    expect(differences()).toEqual(none);
    expect(differences(steered)).toEqual(none);
    expect(differences({ ...steered, react: undefined })).toEqual(none);
    expect(differences({ ...steered, guard: { failClosed: false } })).toEqual({
      ...none,
      stale: ["PreToolUse"],
    });
    expect(differences({ ...steered, permission: { seconds: 91 } })).toEqual({
      ...none,
      stale: ["PermissionRequest"],
    });
    expect(differences({ ...steered, react: [] })).toEqual({ ...none, stale: ["PostToolUse"] });
    expect(differences({ ...steered, react: [{ event: "Stop", seconds: 10 }] })).toEqual({
      missing: ["Stop"],
      stale: ["PostToolUse"],
    });
    expect(differences(defaultAskHooks)).toEqual({
      ...none,
      stale: expect.arrayContaining(["PreToolUse", "PermissionRequest", "PostToolUse"]),
    });
    for (const kind of ["guard", "permission", "react"]) {
      const older = text.replace(new RegExp(`: hookline ask-${kind} \\d;`), `: hookline ask-${kind} 0;`);
      expect(differences(undefined, older).stale, kind).toHaveLength(1);
    }
    const twice = structuredClone(hookEntries(claude, steered)) as Record<string, object[]>;
    twice["PreToolUse"]!.push(twice["PreToolUse"]!.at(-1)!);
    expect(differences(undefined, JSON.stringify({ hooks: twice })).stale).toEqual(["PreToolUse"]);
  });

  it("contains the switches that are set, with their lines", () => {
    const text = '{\n  "disableAllHooks": true,\n  "allowManagedHooksOnly": false\n}';
    expect(report(text)).toMatchObject({
      disableAllHooks: { value: true, line: 2 },
      allowManagedHooksOnly: { value: false, line: 3 },
    });
    expect(report("{}").disableAllHooks).toBeUndefined();
  });

  it("says whether our plugin is enabled", () => {
    expect(report('{"enabledPlugins":{"hookline@hookline":true}}').plugin).toBe(true);
    expect(report('{"enabledPlugins":{"hookline@here":false,"other@x":true}}').plugin).toBe(false);
    expect(report('{"enabledPlugins":{"other@x":true}}').plugin).toBeUndefined();
  });
});

describe("an entry that Claude Code rejects", () => {
  const bad: readonly (readonly [string, string])[] = [
    ['{"hooks":[]}', '"hooks" is no object'],
    ['{"hooks":{"Stop":{}}}', "Stop is no list"],
    ['{"hooks":{"Stop":["x"]}}', "Stop has an entry that is no object"],
    ['{"hooks":{"Stop":[{"matcher":1,"hooks":[]}]}}', "Stop has a matcher that is no text"],
    ['{"hooks":{"Stop":[{"command":"x"}]}}', 'Stop has an entry without a list "hooks"'],
    ['{"hooks":{"PreToolUse":[{"hooks":[1]}]}}', "PreToolUse has a handler that is no object"],
    ['{"hooks":{"Stop":[{"hooks":[{"command":"x"}]}]}}', 'Stop has a handler without "type"'],
    [
      '{"hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}',
      'Stop has a handler of type command without "command"',
    ],
    ['{"hooks":{"Stop":[{"hooks":[{"type":"http"}]}]}}', 'Stop has a handler of type http without "url"'],
    [
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":"5"}]}]}}',
      'Stop has a handler whose "timeout" is no number of seconds',
    ],
  ];
  it.each(bad)("%s is reported", (text, what) => {
    expect(report(text).badEntries).toEqual([{ what, line: 1 }]);
  });

  it("is never one that a newer Claude Code may accept", () => {
    expect(report('{"hooks":{"NewEvent":[{"hooks":[{"type":"dream"}]}]}}').badEntries).toEqual([]);
  });
});
