import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { installer } from "../agents/claude/installer.ts";
import { addServer, registerMcp, removeServer, unregisterMcp } from "./register-mcp.ts";

const server = { type: "stdio", command: "/opt/hookline/bin/hookline", args: ["mcp"], env: {} };

describe("the text of an MCP file", () => {
  it.each([
    "{}",
    '{"numStartups": 3}',
    '{\n  "numStartups": 3,\n  "projects": {}\n}\n',
    '{\n\t"mcpServers": {\n\t\t"other": { "command": "x" }\n\t},\n\t"a": 1.0\n}',
    '{"mcpServers":{"first":{"command":"a"},"second":{"command":"b"}},"z":[1,2]}',
    '\ufeff{\r\n  "a": "\\u00e9"\r\n}\r\n',
  ])("is unchanged after adding to and removing from %j", (text) => {
    const added = addServer(text, server, "f");
    expect(JSON.parse(added.replace("\ufeff", "")).mcpServers.hookline).toEqual(server);
    expect(addServer(added, server, "f")).toBe(added);
    expect(removeServer(added, "f")).toBe(text);
  });

  it("is updated in place", () => {
    const old = addServer('{"mcpServers":{"other":{}}}', { ...server, command: "/old" }, "f");
    expect(addServer(old, server, "f")).toBe(addServer('{"mcpServers":{"other":{}}}', server, "f"));
  });

  it("keeps its order if our server is not the last", () => {
    const text = '{"mcpServers": {"hookline": {}, "b": {}}, "c": 1}';
    expect(removeServer(text, "f")).toBe('{"mcpServers": {"b": {}}, "c": 1}');
    expect(removeServer('{"a": 1}', "f")).toBe('{"a": 1}');
  });

  it.each(["[]", '{"mcpServers": []}'])("of an unexpected shape is rejected: %j", (text) => {
    expect(() => addServer(text, server, "f")).toThrow(/must be an object/);
  });
});

describe("the MCP file", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "hookline-mcp-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it("is created if missing, readable only by its owner", async () => {
    const file = join(home, ".claude.json");
    const options = {
      installer,
      env: { HOME: home, HOOKLINE_HOME: join(home, "h") },
      entry: "/opt/hookline/bin/main.mjs",
      wantedBy: join(home, ".claude/settings.json"),
    };
    expect(await registerMcp(options)).toEqual({ file, changed: true });
    expect(await registerMcp(options)).toEqual({ file, changed: false });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8")).mcpServers.hookline).toEqual({
      ...server,
      env: { HOOKLINE_HOME: join(home, "h") },
    });
    expect(await unregisterMcp({ installer, env: { HOME: home } })).toEqual({ file, changed: true });
    expect(await unregisterMcp({ installer, env: { HOME: home } })).toEqual({ file, changed: false });
  });

  describe("is restored byte for byte by an uninstall", () => {
    const file = () => join(home, ".claude.json");
    const options = () => ({
      installer,
      env: { HOME: home },
      entry: "/opt/hookline/bin/main.mjs",
      wantedBy: join(home, ".claude/settings.json"),
    });

    it.each([
      "",
      "\n",
      "\ufeff",
      "{}",
      "{ }\n",
      "{\n}\n",
      '{"mcpServers":{}}',
      '{\n  "mcpServers": { },\n  "a": 1\n}\n',
      '{\n  "numStartups": 3\n}\n',
    ])("%j", async (text) => {
      writeFileSync(file(), text);
      await registerMcp(options());
      await registerMcp(options());
      await unregisterMcp(options());
      expect(readFileSync(file(), "utf8")).toBe(text);
      expect(existsSync(join(home, ".hookline/install.json"))).toBe(false);
    });

    it("and removed if we created it, even after the home was removed", async () => {
      await registerMcp(options());
      expect(await unregisterMcp({ ...options(), dryRun: true })).toMatchObject({ changed: true });
      expect(existsSync(file())).toBe(true);
      await unregisterMcp(options());
      expect(existsSync(file())).toBe(false);
      await registerMcp(options());
      rmSync(join(home, ".hookline"), { recursive: true });
      await unregisterMcp(options());
      expect(existsSync(file())).toBe(false);
    });

    it("but keeps what others wrote to it in the meantime", async () => {
      await registerMcp(options());
      const content = JSON.parse(readFileSync(file(), "utf8"));
      writeFileSync(file(), JSON.stringify({ ...content, numStartups: 1 }));
      await unregisterMcp(options());
      expect(readFileSync(file(), "utf8")).toBe('{"numStartups":1}');
    });
  });

  it("follows CLAUDE_CONFIG_DIR, and is not written in a dry run", async () => {
    const file = join(home, ".claude.json");
    writeFileSync(file, "{}");
    const options = {
      installer,
      env: { HOME: "/nowhere", CLAUDE_CONFIG_DIR: home },
      entry: "/x/main.mjs",
      wantedBy: join(home, "settings.json"),
      dryRun: true,
    };
    expect(await registerMcp(options)).toEqual({ file, changed: true });
    expect(readFileSync(file, "utf8")).toBe("{}");
  });
});
