import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";

/** The order of the stages. A folder imports only folders before it. */
const STAGES = [
  "event",
  "files",
  "shown",
  "shell",
  "agents",
  "hook",
  "spool",
  "privacy",
  "log",
  "capture",
  "store",
  "monitor",
  "memory",
  "policy",
  "control",
  "serve",
  "client",
  "doctor",
  "web",
  "cli",
  "daemon",
];

/** Files of `src/` itself that every stage but the vocabulary may import. They import only each other. */
const SHARED = [
  "app-error.ts",
  "compare-versions.ts",
  "config.ts",
  "home.ts",
  "listeners.ts",
  "port-owner.ts",
  "report-slow.ts",
  "serial-queue.ts",
  "version.ts",
  "write-config.ts",
];

/** The daemon's composition imports every stage. Besides itself, only commands and the files below import it. */
const ROOT = "src/daemon/";

/** What others may import from it: the paths of the daemon's files, the owner of the home, and start errors. */
const OF_DAEMON: Readonly<Record<string, readonly string[]>> = {
  "src/daemon/acquire-home.ts": ["src/cli/", "src/doctor/"],
  "src/daemon/crash-loop.ts": ["src/cli/", "src/doctor/"],
  "src/daemon/daemon-files.ts": ["src/cli/", "src/doctor/"],
  "src/daemon/daemon.ts": ["src/cli/"],
  "src/daemon/home-errors.ts": ["src/cli/", "src/doctor/"],
  "src/daemon/lock.ts": ["src/cli/", "src/doctor/"],
  "src/daemon/daemon-messages.ts": ["src/cli/daemon.ts"],
};

/** Files besides the root that may import an agent by name: composition of commands, or a library. It only gets shorter. */
const KNOW_AGENTS = [
  "src/cli/agent.ts",
  "src/control/open-standalone.ts",
  "src/monitor/lifecycle-session-monitor.ts",
];

/** Where one stage may import only a single file of another. */
const ONLY_DOOR: Readonly<Record<string, string>> = {
  "client>serve": "src/serve/contract.ts",
  "doctor>serve": "src/serve/contract.ts",
  "cli>serve": "src/serve/contract.ts",
};

/** Every package that may be imported, and from where. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  zod: ["src/"],
  hono: ["src/serve/"],
  "@hono/node-server": ["src/serve/"],
  citty: ["src/cli/"],
  picomatch: ["src/capture/recording-rules.ts"],
  unbash: ["src/shell/", "src/policy/shell/"],
  "node:sqlite": ["src/store/sqlite/", "src/memory/search/", "src/daemon/lock.ts"],
  "onnxruntime-node": ["src/memory/embed/"],
  "@huggingface/tokenizers": ["src/memory/embed/tokenizer.ts"],
  "eventsource-parser": ["src/cli/sse-reader.ts"],
  "@anthropic-ai/claude-agent-sdk": ["src/memory/summarise/", "src/control/agent-sdk.ts"],
  "@modelcontextprotocol/sdk": ["src/serve/"],
  react: ["src/web/"],
  "react-dom": ["src/web/"],
  uplot: ["src/web/usage/"],
  diff: ["src/web/conversation/diff-lines.ts"],
  lowlight: ["src/web/conversation/highlight.ts"],
  "highlight.js": ["src/web/conversation/highlight.ts"],
};

/** Stages without I/O, and the Node modules they may use. */
const PURE = new Set(["event", "shown", "shell", "agents", "privacy", "policy"]);
const PURE_BUILTINS = new Set(["node:crypto", "node:path", "node:util"]);

type Sources = ReadonlyMap<string, string>;

const IMPORT =
  /^\s*(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => (match[1] ?? match[2] ?? match[3])!);
}

function isTest(path: string): boolean {
  return /\.(test|testing)\.tsx?$/.test(path);
}

/** Every violation, as a sentence. Pure: paths and texts in, sentences out. */
function findViolations(sources: Sources): string[] {
  return [
    ...[...sources].flatMap(([path, text]) => [
      ...importsOf(text).flatMap((name) =>
        name.startsWith(".") ? ownImport(sources, path, name) : packageImport(path, name),
      ),
      ...(/^\s*export\s+default\b|^\s*export\s*\{[^}]*\bas\s+default\b/m.test(text)
        ? [`${path} has a default export`]
        : []),
      ...(/^\s*export\s*\*/m.test(text) ? [`${path} exports everything of another file`] : []),
    ]),
    ...cycles(sources),
  ];
}

function ownImport(sources: Sources, path: string, name: string): string[] {
  const target = posix.join(posix.dirname(path), name);
  const wrong = (why: string): string[] => [`${path} imports ${target}: ${why}`];
  if (isTest(path) && target.startsWith("test/")) return [];
  if (!sources.has(target)) return wrong("there is no such file");
  if (isTest(target) && !isTest(path)) return wrong("that is for tests");
  const [from, to] = [stageOf(path), stageOf(target)];
  if (to === undefined) return rootImport(path, target, wrong);
  if (!STAGES.includes(to)) return wrong(`the folder ${to} has no place in the order`);
  const own = agentFolderOf(target);
  if (path === PROFILES && own !== undefined)
    return target.endsWith("/profile.ts") ? [] : wrong("it has profiles alone");
  if ((own !== undefined || target === AGENTS) && !mayKnowAgents(path, own))
    return wrong("only a composition root knows an agent");
  if (path.startsWith(ROOT) || from === to) return [];
  if (to === "daemon")
    return OF_DAEMON[target]?.some((place) => path.startsWith(place)) ? [] : wrong("not from there");
  if (from === undefined && to !== "files") return wrong("a shared file knows no stage");
  if (from === undefined) return [];
  const door = ONLY_DOOR[`${from}>${to}`];
  if (door !== undefined && target !== door) return wrong(`the only door is ${door}`);
  return STAGES.indexOf(to) < STAGES.indexOf(from) ? [] : wrong("that stage comes later");
}

function rootImport(path: string, target: string, wrong: (why: string) => string[]): string[] {
  const name = posix.basename(target);
  if (!SHARED.includes(name)) return wrong("it is not among the shared files");
  return stageOf(path) === "event" ? wrong("the vocabulary imports nothing of ours") : [];
}

function packageImport(path: string, name: string): string[] {
  if (isTest(path)) return [];
  // A subpath of a package uses the package's door.
  const packageName = name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
  const doors = DOORS[name] ?? DOORS[packageName];
  if (doors !== undefined) {
    return doors.some((place) => path.startsWith(place)) ? [] : [`${path} imports ${name}: not its door`];
  }
  if (!name.startsWith("node:")) return [`${path} imports ${name}: a package without a door`];
  const isImpure = isPure(path) && !PURE_BUILTINS.has(name);
  return isImpure ? [`${path} imports ${name}: this stage is pure`] : [];
}

/** The table of agents counts as an agent. */
const AGENTS = "src/agents/registry.ts";
/** The table of their profiles does not: any stage may import it. */
const PROFILES = "src/agents/agent-profiles.ts";

function mayKnowAgents(path: string, agent: string | undefined): boolean {
  if (isTest(path) || path === AGENTS || (agent !== undefined && agentFolderOf(path) === agent)) return true;
  return path.startsWith(ROOT) || KNOW_AGENTS.includes(path);
}

/** The stages' view of agents is pure; an agent's own folder may use files. */
function isPure(path: string): boolean {
  return PURE.has(stageOf(path) ?? "") && agentFolderOf(path) === undefined;
}

/** The agent whose folder contains a file. */
function agentFolderOf(path: string): string | undefined {
  return /^src\/agents\/([^/]+)\//.exec(path)?.[1];
}

/** The folder directly under `src/`; undefined for a file of `src/` itself. */
function stageOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

function cycles(sources: Sources): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at !== -1) found.push(`a circle: ${[...way.slice(at), path].join(" -> ")}`);
    if (at !== -1 || done.has(path)) return;
    for (const name of importsOf(sources.get(path) ?? "")) {
      if (name.startsWith(".")) visit(posix.join(posix.dirname(path), name), [...way, path]);
    }
    done.add(path);
  };
  for (const path of sources.keys()) visit(path, []);
  return found;
}

const root = join(import.meta.dirname, "../..");

function readSources(): Map<string, string> {
  const paths = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(tsx?|css)$/.test(path))
    .map((path) => `src/${path.replaceAll("\\", "/")}`);
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

describe("boundaries", () => {
  const sources = readSources();

  it("cover all modules and their imports", () => {
    const own = [...sources.keys()].filter((path) => !isTest(path));
    expect(own.length).toBeGreaterThanOrEqual(565);
    expect(own.flatMap((path) => importsOf(sources.get(path)!)).length).toBeGreaterThanOrEqual(1_200);
    expect(new Set(own.map(stageOf))).toEqual(
      new Set([
        undefined,
        "event",
        "files",
        "shown",
        "shell",
        "agents",
        "hook",
        "spool",
        "privacy",
        "log",
        "capture",
        "store",
        "monitor",
        "memory",
        "policy",
        "control",
        "serve",
        "client",
        "doctor",
        "web",
        "cli",
        "daemon",
      ]),
    );
    // Commands are loaded when called: these imports exist only in dynamic form.
    expect(importsOf(sources.get("src/cli/commands.ts")!)).toContain("./tail.ts");
  });

  it("are kept by every module", () => {
    expect(findViolations(sources)).toEqual([]);
  });

  it("have few exceptions for agents, each of them needed", () => {
    expect(KNOW_AGENTS).toHaveLength(3);
    for (const path of KNOW_AGENTS)
      expect(importsOf(sources.get(path) ?? ""), path).toContainEqual(
        expect.stringMatching(/\/agents\/(?:[^/]+\/|registry\.ts$)/),
      );
  });

  const shared: [string, string][] = [
    ["src/agents/agent.ts", ""],
    ["src/agents/registry.ts", ""],
    ["src/agents/claude/claude.ts", ""],
    ["src/agents/claude/profile.ts", ""],
    ["src/app-error.ts", ""],
    ["src/log/writer.ts", ""],
    ["src/serve/app.ts", ""],
    ["src/serve/contract.ts", ""],
    ["src/daemon/daemon.ts", ""],
    ["src/daemon/lock.ts", ""],
  ];
  const planted: readonly (readonly [string, string, RegExp | null])[] = [
    ["src/capture/x.ts", `import { a } from "../log/writer.ts";`, null],
    ["src/cli/x.ts", `import type { A } from "../serve/contract.ts";`, null],
    ["src/cli/x.ts", `const a = await import("../daemon/daemon.ts");`, null],
    ["src/event/x.ts", `import {\n  a,\n  type B,\n} from "../log/writer.ts";`, /comes later/],
    ["src/spool/x.ts", `export { a } from "../log/writer.ts";`, /comes later/],
    ["src/log/x.ts", `const a = await import("../serve/app.ts");`, /comes later/],
    ["src/log/x.ts", `import type { A } from "../serve/contract.ts";`, /comes later/],
    ["src/cli/x.ts", `import { a } from "../serve/app.ts";`, /only door/],
    ["src/serve/x.ts", `import { a } from "../daemon/daemon.ts";`, /not from there/],
    ["src/store/x.ts", `import { a } from "../daemon/lock.ts";`, /not from there/],
    ["src/event/x.ts", `import { a } from "../app-error.ts";`, /nothing of ours/],
    ["src/home.ts", `import { a } from "./log/writer.ts";`, /knows no stage/],
    ["src/log/x.ts", `import { a } from "../utils.ts";`, /no such file/],
    ["src/log/x.ts", `import { DatabaseSync } from "node:sqlite";`, /not its door/],
    ["src/capture/x.ts", `import picomatch from "picomatch";`, /not its door/],
    ["src/capture/x.ts", `import { Hono } from "hono";`, /not its door/],
    ["src/log/x.ts", `import "left-pad";`, /without a door/],
    ["src/web/x.tsx", `import { createRoot } from "react-dom/client";`, null],
    ["src/cli/x.ts", `import { createParser } from "eventsource-parser";`, /not its door/],
    ["src/cli/top/x.ts", `import { createRoot } from "react-dom/client";`, /not its door/],
    ["src/cli/x.ts", `import { a } from "@modelcontextprotocol/sdk/server/mcp.js";`, /not its door/],
    ["src/privacy/x.ts", `import { readFileSync } from "node:fs";`, /pure/],
    ["src/capture/x.ts", `import type { A } from "../agents/agent.ts";`, null],
    ["src/capture/x.ts", `import { claude } from "../agents/claude/claude.ts";`, /composition root/],
    ["src/web/x.tsx", `import type { A } from "../agents/claude/claude.ts";`, /composition root/],
    ["src/cli/x.ts", `const { agents } = await import("../agents/registry.ts");`, /composition root/],
    ["src/agents/codex/x.ts", `import { claude } from "../claude/claude.ts";`, /composition root/],
    ["src/agents/x.ts", `import { claude } from "./claude/claude.ts";`, /composition root/],
    ["src/agents/x.ts", `import { claudeProfile } from "./claude/profile.ts";`, /composition root/],
    ["src/agents/agent-profiles.ts", `import { claudeProfile } from "./claude/profile.ts";`, null],
    ["src/agents/agent-profiles.ts", `import { claude } from "./claude/claude.ts";`, /profiles alone/],
    ["src/agents/x.ts", `import { readFileSync } from "node:fs";`, /pure/],
    ["src/agents/claude/x.ts", `import { readFileSync } from "node:fs";`, null],
    ["src/log/x.ts", "export default 1;", /default export/],
    ["src/log/x.ts", `export * from "./writer.ts";`, /everything/],
    ["src/log/x.ts", `import { a } from "./x.ts";`, /circle/],
  ];
  it.each(planted)("are checked for a planted %s with %s", (path, text, why) => {
    const found = findViolations(new Map([...shared, [path, text]]));
    expect(found).toEqual(why === null ? [] : [expect.stringMatching(why)]);
  });
});
