import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claudeBinary } from "../../test/support/claude.ts";
import { claude as agent } from "../agents/claude/claude.ts";
import { createClaudeFinder } from "./find-claude.ts";

const { driving } = agent;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookline-finder-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const finder = (claude: string | null = null, from?: string) =>
  createClaudeFinder({ config: { claude }, driving, home, from });
const report = (env: Record<string, string> = {}, billing: "api" | "subscription" = "api") =>
  finder(claudeBinary).report({ billing, env: { HOME: home, ...env } });

function writeProgram(path: string, version: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho run >> ${home}/asked\necho "${version} (Claude Code)"\n`);
  chmodSync(file, 0o755);
  return file;
}

function write(path: string, value: unknown): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), JSON.stringify(value));
}

describe("choosing the claude program", () => {
  it("prefers PATH over installers' folders, and reads each version once", async () => {
    const local = writeProgram(".local/bin/claude", "2.1.400");
    const path = writeProgram("bin/claude", "2.1.300");
    const claudeFinder = finder();
    const env = { PATH: dirname(path) };
    expect((await claudeFinder.report({ billing: "api", env })).claude).toEqual({
      path,
      version: "2.1.300",
      message: null,
    });
    await claudeFinder.report({ billing: "api", env });
    expect(readFileSync(join(home, "asked"), "utf8")).toBe("run\n");
    utimesSync(path, 1, 1);
    await claudeFinder.report({ billing: "api", env });
    expect(readFileSync(join(home, "asked"), "utf8")).toBe("run\nrun\n");
    expect((await claudeFinder.report({ billing: "api", env: {} })).claude.path).toBe(local);
  });

  it("falls back to the SDK's own if the user's is too old, but never overrides the configured one", async () => {
    const path = writeProgram("bin/claude", "1.0.9");
    const env = { HOME: home, PATH: dirname(path), ANTHROPIC_API_KEY: "k" };
    const fallback = await finder().report({ billing: "api", env });
    expect(fallback).toMatchObject({ usable: true, claude: { path: claudeBinary, message: null } });
    const result = await finder(path).report({ billing: "api", env });
    expect(result).toMatchObject({ usable: false, claude: { path, version: "1.0.9" } });
    expect(result.billing).toBe(
      `${path} is Claude Code 1.0.9; driven sessions need 2.1.197. Run \`claude update\`.`,
    );
  });

  it("reports a missing program, and one that is not Claude Code", async () => {
    const missing = await finder("/no/such/claude").report({ billing: "api", env: {} });
    expect(missing).toMatchObject({ usable: false, claude: { path: null } });
    expect(missing.billing).toBe("control.claude is set to /no/such/claude, which does not exist.");
    const none = await finder(writeProgram("x", "hello")).report({ billing: "api", env: {} });
    expect(none.claude.message).toMatch(/reports no version/);
  });

  it("finds the real one", async () => {
    const { claude, sdk } = await report();
    expect(claude).toEqual({ path: claudeBinary, version: "2.1.325", message: null });
    expect(sdk).toEqual({ found: true, version: "0.3.325", message: null });
  });
});

describe("the SDK", () => {
  const installSdk = (version: string) => {
    const folder = "node_modules/@anthropic-ai/claude-agent-sdk";
    write(`${folder}/package.json`, {
      name: "@anthropic-ai/claude-agent-sdk",
      version,
      exports: "./sdk.cjs",
    });
    writeFileSync(join(home, folder, "sdk.cjs"), "throw new Error('not to be loaded')");
  };
  const reportFrom = (from = "main.js") =>
    finder(claudeBinary, pathToFileURL(join(home, from)).href).report({
      billing: "api",
      env: { ANTHROPIC_API_KEY: "k", HOME: home },
    });

  it("is to be installed next to Hookline if missing", async () => {
    const from = async (place: string) => {
      write(`${place}/hookline/package.json`, { name: "hookline" });
      return (await reportFrom(`${place}/hookline/dist/control/find-claude.js`)).sdk.message;
    };
    expect(await from("lib/node_modules")).toContain("npm install -g @anthropic-ai/");
    expect(await from("app/node_modules")).toContain(
      `npm install --prefix ${join(home, "app")} @anthropic-ai/`,
    );
    expect(await from("src")).toContain(
      `npm install --prefix ${join(home, "src", "hookline")} @anthropic-ai/`,
    );
  });

  it("is reported if missing or too old, and found when installed later", async () => {
    expect(await reportFrom()).toMatchObject({
      usable: false,
      sdk: { found: false },
      billing: "The Agent SDK is not installed: npm install -g @anthropic-ai/claude-agent-sdk.",
    });
    installSdk("0.2.1");
    expect(await reportFrom()).toMatchObject({ usable: false, sdk: { found: true, version: "0.2.1" } });
    installSdk("0.4.0");
    expect(await reportFrom()).toMatchObject({
      usable: true,
      sdk: { found: true, version: "0.4.0", message: null },
    });
  });
});

describe("who is billed", () => {
  it("is nobody without a login", async () => {
    expect(await report()).toMatchObject({ login: "none", usable: false });
  });

  it("is the API key, before a login and before a helper", async () => {
    write(".claude.json", { oauthAccount: {} });
    write(".claude/settings.json", { apiKeyHelper: "cat key" });
    expect(await report({ ANTHROPIC_API_KEY: "k" })).toMatchObject({
      login: "api_key",
      usable: true,
      billing: "Billed to the API key in ANTHROPIC_API_KEY.",
    });
    expect(await report()).toMatchObject({ login: "helper", usable: true });
  });

  it("is a cloud, a gateway's token, or a key of the user's settings", async () => {
    expect(await report({ CLAUDE_CODE_USE_BEDROCK: "1", ANTHROPIC_API_KEY: "k" })).toMatchObject({
      login: "cloud",
      billing: "Billed through Amazon Bedrock (CLAUDE_CODE_USE_BEDROCK is set).",
    });
    expect(await report({ CLAUDE_CODE_USE_VERTEX: "0" })).toMatchObject({ login: "none" });
    expect((await report({ ANTHROPIC_AUTH_TOKEN: "t" })).billing).toBe(
      "Billed to the token in ANTHROPIC_AUTH_TOKEN.",
    );
    write(".claude/settings.json", { env: { ANTHROPIC_API_KEY: "secret-of-settings" } });
    const result = await report();
    expect(result.billing).toBe("Billed to the API key in ANTHROPIC_API_KEY, from your Claude settings.");
    expect(JSON.stringify(result)).not.toContain("secret-of-settings");
  });

  it.each([
    ["the account in .claude.json", () => write(".claude.json", { oauthAccount: {} }), {}],
    ["stored credentials", () => write(".claude/.credentials.json", "never read"), {}],
    ["a token", () => undefined, { CLAUDE_CODE_OAUTH_TOKEN: "t" }],
  ])("is a claude.ai login only by choice: %s", async (_name, prepare, env) => {
    prepare();
    expect(await report(env)).toMatchObject({
      login: "subscription",
      usable: false,
      billing:
        'Only a claude.ai login was found. Allow it with billing "subscription", or set ANTHROPIC_API_KEY.',
    });
    expect(await report(env, "subscription")).toMatchObject({ login: "subscription", usable: true });
  });

  it("is read from the configuration folder that the environment names", async () => {
    write("other/.claude.json", { primaryApiKey: "k" });
    expect(await report({ CLAUDE_CONFIG_DIR: join(home, "other") })).toMatchObject({ login: "api_key" });
  });
});
