import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { Config } from "../../src/config.ts";
import { EVENT_TYPES, parseEvent } from "../../src/event/event.ts";
import { resolveHome } from "../../src/home.ts";
import { type AppPorts, createApp } from "../../src/serve/app.ts";
import { DaemonStatus } from "../../src/serve/contract.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Files that git tracks or would add, including uncommitted ones. */
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)));
const docs = files.filter((path) => path.endsWith(".md") && !path.includes("/fixtures/"));
const sources = files.filter((path) => /^(src|bin)\//.test(path) && !/\.(test|testing)\.ts$/.test(path));
const [cli, config, http, formats, privacy] = ["cli", "config", "http", "formats", "privacy"].map((name) =>
  read(`docs/${name}.md`),
) as [string, string, string, string, string];

function missing(names: readonly string[], text: string, form = (name: string) => `\`${name}\``): string[] {
  return [...new Set(names)].filter((name) => !text.includes(form(name)));
}

/** The first group of every match in all our sources. */
function inSources(pattern: RegExp): string[] {
  return sources.flatMap((path) => [...read(path).matchAll(pattern)].map((match) => match[1]!));
}

describe("the documents mention", () => {
  it("every configuration key, with its default", () => {
    const keys = Object.keys(Config.shape);
    expect(keys.length).toBeGreaterThanOrEqual(8);
    const defaults = Object.entries(Config.parse({})).map(
      ([key, value]) => `| \`${key}\` | \`${JSON.stringify(value)}\` |`,
    );
    expect(missing(defaults, config, (row) => row)).toEqual([]);
  });

  it("every command and every flag", async () => {
    const commands = Object.keys(COMMANDS);
    expect(commands.length).toBeGreaterThanOrEqual(36);
    expect(missing(commands, cli, (name) => `\`hookline ${name}`)).toEqual([]);
    for (const name of commands) {
      const { args = {} } = (await COMMANDS[name]!()) as { args?: Flags };
      const flags = Object.entries(args).filter(([, flag]) => flag.type !== "positional");
      const unknown = flags.filter(
        ([flag, { alias }]) => !cli.includes(`--${flag}`) && !(alias && cli.includes(`-${alias}`)),
      );
      expect(unknown, name).toEqual([]);
    }
  });

  it("every route", () => {
    const app = createApp({} as AppPorts, { token: "t", via: "socket", port: () => null });
    const routes = app.routes.filter(({ method }) => method !== "ALL");
    expect(routes.length).toBeGreaterThanOrEqual(6);
    expect(
      missing(
        routes.map(({ method, path }) => `${method} ${path}`),
        http,
        (route) => `\`${route}`,
      ),
    ).toEqual([]);
  });

  it("every error code and every field of the status", () => {
    const codes = [...inSources(/new AppError\(\s*"([a-z_]+)"/g), ...inSources(/fail\(c, \d+, "([a-z_]+)"/g)];
    expect(new Set(codes).size).toBeGreaterThanOrEqual(20);
    expect(missing(codes, http)).toEqual([]);
    expect(
      missing(Object.keys(DaemonStatus.shape), /^The status: .*$/m.exec(http)?.[0] ?? "", (name) => name),
    ).toEqual([]);
  });

  it("every variable of the environment", () => {
    const ownVariables = inSources(/\b((?:HOOKLINE|KW_CHAT)_[A-Z_]+)\b/g);
    expect(new Set(ownVariables).size).toBeGreaterThanOrEqual(4);
    expect(missing([...ownVariables, "CLAUDE_CONFIG_DIR"], config)).toEqual([]);
    expect(missing(claude.installer.recordedEnv, formats)).toEqual([]);
    expect(missing(claude.installer.recordedEnv, privacy)).toEqual([]);
  });

  it("every event type, with a valid example", () => {
    expect(missing(EVENT_TYPES, formats)).toEqual([]);
    const block = /```json\n([\s\S]*?)\n```/.exec(formats)![1]!;
    const examples = block.split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(examples.map((example) => example["eventType"]).sort()).toEqual([...EVENT_TYPES].sort());
    const shared = examples.find((example) => example["v"] !== undefined)!;
    for (const example of examples) expect(() => parseEvent({ ...shared, ...example })).not.toThrow();
  });

  it("every table and view of the contract, with its columns in order", () => {
    const store = openSqliteStore(":memory:");
    const rows = [...formats.matchAll(/^\| `([a-z_]+)`(?: \(view\))? \| (`id`|`stream_key`)(.*) \|$/gm)];
    expect(rows).toHaveLength(8);
    for (const [, table, first, rest] of rows) {
      const documented = [...`${first}${rest}`.matchAll(/`([a-z_]+)`/g)].map((match) => match[1]);
      const real = store.db.raw.prepare(`PRAGMA table_info(${table})`).all();
      expect(documented, table).toEqual(real.map((column) => column["name"]));
    }
    store.close();
  });

  it("every table, whether of the contract or not", () => {
    const store = openSqliteStore(":memory:");
    const names = store.db.raw
      .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
      .all();
    store.close();
    expect(
      missing(
        names.map((row) => row["name"] as string),
        formats,
      ),
    ).toEqual([]);
  });

  it("every file of the home", () => {
    const { dir: _dir, logs: _logs, stream: _stream, ...home } = resolveHome({ HOOKLINE_HOME: "/home" });
    const names = Object.values(home).map((path) => basename(path));
    expect(names.length).toBeGreaterThanOrEqual(12);
    expect(missing(names, formats, (name) => name)).toEqual([]);
  });
});

describe("the documents", () => {
  it("are all checked", () => {
    expect(docs.length).toBeGreaterThanOrEqual(15);
    expect(docs).toEqual(expect.arrayContaining(["README.md", "ARCHITECTURE.md", "docs/privacy.md"]));
  });

  it("name only paths of the repository that exist", () => {
    const named = docs.flatMap((doc) =>
      [...read(doc).matchAll(/`((?:src|test|docs|scripts|bin|plugin|\.ci)\/[\w./-]*)`/g)].map(
        (match) => [doc, match[1]!] as const,
      ),
    );
    expect(named.length).toBeGreaterThanOrEqual(40);
    expect(named.filter(([, path]) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("link only to existing targets", () => {
    const links = docs.flatMap((doc) =>
      [...read(doc).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map((match) => match[1]!)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => [doc, target] as const),
    );
    expect(links.length).toBeGreaterThanOrEqual(25);
    expect(links.filter(([doc, target]) => !existsSync(join(root, dirname(doc), target)))).toEqual([]);
  });

  it("number their decisions without a gap, one page each, and say what would change them", () => {
    const decisions = docs.filter((doc) => doc.startsWith("docs/decisions/")).sort();
    const numbers = decisions.map((doc) => Number(basename(doc).slice(0, 4)));
    expect(numbers).toEqual(decisions.map((_, index) => index + 1));
    for (const doc of decisions) {
      expect(read(doc), doc).toMatch(/^## Context$/m);
      expect(read(doc), doc).toMatch(/^## What would change our mind$/m);
      expect(read(doc).split(/\s+/).length, doc).toBeLessThan(1_100);
    }
  });

  it("explain in the README how to start and how to test", () => {
    for (const command of ["npm ci && npm start", "npm ci && npm test"])
      expect(read("README.md")).toContain(command);
  });
});

describe("no file of the repository", () => {
  // Split, so this file does not contain what it searches for.
  const machine = new RegExp(`(?<![\\w.~:/-])/(?:${["wo", "rk"].join("")}|${["ro", "ot"].join("")})/`);
  const registry = ["registry", "npm" + "js"].join(".");

  const filesWith = (isChecked: (path: string) => boolean, isBad: (text: string) => boolean): string[] =>
    files.filter((path) => isChecked(path) && isBad(readFileSync(join(root, path), "latin1")));

  it("contains a path of the machine it was written on", () => {
    expect(machine.test(`cd /${"work"}/x`)).toBe(true);
    expect(
      filesWith(
        () => true,
        (text) => machine.test(text),
      ),
    ).toEqual([]);
  });

  it("outside the fixtures names the host of a registry", () => {
    expect(
      filesWith(
        (path) => !path.includes("/fixtures/"),
        (text) => text.includes(registry),
      ),
    ).toEqual([]);
  });
});

interface Flag {
  readonly type?: string;
  readonly alias?: string;
}
type Flags = Readonly<Record<string, Flag>>;
