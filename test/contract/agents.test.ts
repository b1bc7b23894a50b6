import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { AgentAdapter } from "../../src/agents/agent.ts";
import type { AgentProfile } from "../../src/agents/agent-profile.ts";
import { agentProfiles } from "../../src/agents/agent-profiles.ts";
import { claude } from "../../src/agents/claude/claude.ts";
import { agents } from "../../src/agents/registry.ts";
import { unknown } from "../../src/agents/unknown/unknown.ts";
import type { NewEvent } from "../../src/event/event.ts";
import { CAPABILITIES, CAPABILITY_GUARANTEES } from "./agent-capabilities.ts";
import { type AgentFixtures, agentContract, capturedPayloads, fixturePath } from "./agent-contract.ts";
import { GUARANTEES } from "./agent-guarantees.ts";
import { toyLog, toyRun } from "./toy-agent/payloads.ts";
import { toy } from "./toy-agent/toy.ts";

const common = { session_id: "s", cwd: "/shop", transcript_path: "/h/.claude/projects/-shop/s.jsonl" };
const registry = fixturePath("claude/registry/2.1.325");

const claudeFixtures: AgentFixtures = {
  payloads: capturedPayloads("claude").filter(([, payload]) => "hook_event_name" in payload),
  prompt: (prompt) => ({ ...common, hook_event_name: "UserPromptSubmit", prompt_id: "p", prompt }),
  output: (stdout) => ({
    ...common,
    hook_event_name: "PostToolUse",
    tool_use_id: "toolu_1",
    tool_name: "Bash",
    tool_input: { command: "env" },
    tool_response: { stdout },
  }),
  transcriptRoots: readdirSync(fixturePath("claude/runs")).map((run) =>
    fixturePath("claude/runs", run, "projects"),
  ),
  models: ["claude-opus-5-5", "claude-sonnet-4-5-20250929", "us.anthropic.claude-haiku-4-5-20251001-v1:0"],
  processes: readdirSync(registry).map((name) => {
    const text = readFileSync(join(registry, name), "utf8");
    return [`${(JSON.parse(text) as { pid: number }).pid}.json`, text] as const;
  }),
};

const unknownFixtures: AgentFixtures = {
  payloads: capturedPayloads("others"),
  prompt: (prompt) => ({ sessionId: "s", cwd: "/shop", hookEventName: "userPromptSubmitted", prompt }),
  output: (text) => ({ sessionId: "s", cwd: "/shop", hookEventName: "postToolUse", toolResult: { text } }),
};

const runs = mkdtempSync(join(tmpdir(), "hookline-toy-runs-"));
afterAll(() => rmSync(runs, { recursive: true, force: true }));
writeFileSync(join(runs, "r1.toylog"), toyLog("r1", "/shop"));
const toyFixtures: AgentFixtures = {
  payloads: toyRun("r1", "/shop"),
  prompt: (text) => ({ toy: "hook", what: "ask", run: "r1", turn: "9", dir: "/shop", text }),
  output: (gave) => ({ toy: "hook", what: "did", run: "r1", call: "9", tool: "sh", with: {}, gave }),
  transcriptRoots: [runs],
};

agentContract("claude", claude, claudeFixtures);
agentContract("unknown", unknown, unknownFixtures);
agentContract("toy", toy, toyFixtures);

it("runs for every agent", () => {
  expect(agents.all.map(({ id }) => id)).toEqual(["claude", "unknown"]);
  // Profiles without behaviour are in a separate table, for pages and pure stages.
  const belongsTo = (profile: AgentProfile, agent: AgentAdapter): boolean =>
    Object.entries(profile).every(([key, value]) => agent[key as keyof AgentAdapter] === value);
  expect(agentProfiles.map((words, index) => belongsTo(words, agents.all[index]!))).toEqual([true, true]);
  expect(agentProfiles).toHaveLength(agents.all.length);
  expect(claudeFixtures.payloads.length).toBeGreaterThan(300);
  expect(unknownFixtures.payloads.length).toBeGreaterThan(60);
});

/** For each guarantee, an agent that breaks it. */
type Break = (adapter: typeof claude) => AgentAdapter;
const translateWith =
  (change: (events: ReturnType<AgentAdapter["translateHook"]>, payload: unknown) => unknown): Break =>
  (adapter) => ({
    ...adapter,
    translateHook: (delivery, projectOf) =>
      change(adapter.translateHook(delivery, projectOf), delivery.payload) as ReturnType<
        AgentAdapter["translateHook"]
      >,
  });
let counted = 0;
let lastId = "";

const BROKEN: Readonly<Record<string, Break>> = {
  "has an id that can begin the name of a file, and a label": (adapter) => ({ ...adapter, id: "Claude 2" }),
  "recognises every payload of its own": (adapter) => ({ ...adapter, recognises: () => "none" }),
  "makes at least one event of any JSON, its own, and never throws": translateWith((events, payload) =>
    payload === null || Array.isArray(payload) ? [] : events,
  ),
  "gives a delivery that is read twice the same events": translateWith((events) =>
    events.map((event) => ({ ...event, id: `${event.id}-${++counted}` })),
  ),
  "gives ids that do not depend on what came before": translateWith((events) =>
    events.map((event) => {
      const id = `${event.id}${lastId.slice(0, 1)}`;
      lastId = event.id;
      return { ...event, id };
    }),
  ),
  "keeps apart two deliveries that it knows nothing of": translateWith((events, payload) =>
    events.map((event) => ({ ...event, id: JSON.stringify(payload).slice(0, 20) })),
  ),
  "leaves nothing private where capture does not cut it": translateWith((events) =>
    events.map((event) => ({ ...event, permissionMode: event["prompt"] })),
  ),
  "leaves no secret where capture does not mask it": translateWith((events) =>
    events.map((event) => ({ ...event, effort: event.payload?.toolOutput })),
  ),
  "knows the kind of every tool, and says it in every event of a call": (adapter) => ({
    ...adapter,
    tools: { ...adapter.tools, kindOf: (name) => (name === "Bash" ? "other" : adapter.tools.kindOf(name)) },
  }),
  "finds its transcripts, and reads them the same way again": (adapter) => ({
    ...adapter,
    transcripts: { ...adapter.transcripts, find: (root) => adapter.transcripts.find(root).slice(0, 0) },
  }),
  "reads any line of a transcript without a throw": (adapter) => ({
    ...adapter,
    transcripts: {
      ...adapter.transcripts,
      open: () => ({ translateLine: (line) => [(line as { message: NewEvent }).message] }),
    },
  }),
  "reads its list of processes, and takes nothing else for one": (adapter) => ({
    ...adapter,
    liveness: { ...adapter.liveness, parse: (text) => JSON.parse(text) },
  }),
  "prices what it knows, never below nothing, and says of the rest that it does not": (adapter) => ({
    ...adapter,
    usage: { ...adapter.usage, priceOf: () => 1 },
  }),
  "takes up a session by a command that names it": (adapter) => ({
    ...adapter,
    resumeCommand: () => ["claude"],
  }),
  "says every answer in words that say the same when they are read": (adapter) => ({
    ...adapter,
    answers: {
      ...adapter.answers,
      write: (event, { context: _left, ...reply }) => adapter.answers.write(event, reply),
    },
  }),
  "knows of every payload of its own which session asks, and when it can be answered": (adapter) => ({
    ...adapter,
    answers: { ...adapter.answers, read: () => null },
  }),
  "is installed, and uninstalled to the last byte": (adapter) => ({
    ...adapter,
    installer: {
      ...adapter.installer,
      settings: {
        ...adapter.installer.settings,
        file: (_scope, env) => join(env["HOME"]!, `settings-${++counted}.json`),
      },
    },
  }),
  "has hooks that name it in what they write, say nothing and exit 0": (adapter) => ({
    ...adapter,
    id: "claude 2",
  }),
  "is told from its own settings alone, each file once": (adapter) => ({
    ...adapter,
    installer: {
      ...adapter.installer,
      settings: {
        ...adapter.installer.settings,
        chain: async (options) => {
          const locations = await adapter.installer.settings.chain(options);
          return [...locations, ...locations];
        },
      },
    },
  }),
  "takes whatever is piped, posted or found in a list of processes, without a throw": (adapter) => ({
    ...adapter,
    statusLine: { read: (text) => JSON.parse(text) },
  }),
  "keeps its own under the user's home, and finds no login in an empty one": (adapter) => ({
    ...adapter,
    driving: { ...adapter.driving, configDir: () => "/etc" },
  }),
  "has every part that it says it has, and no other": ({ usage: _gone, ...adapter }) => adapter,
};

describe("an agent that breaks a guarantee fails its check", () => {
  it("for every guarantee", () => {
    expect(Object.keys(BROKEN).sort()).toEqual(GUARANTEES.map(({ what }) => what).sort());
    expect(GUARANTEES).toHaveLength(22);
  });

  it.each(GUARANTEES.map((guarantee) => [guarantee.what, guarantee] as const))(
    "%s",
    async (what, { applies, check }) => {
      const broken = BROKEN[what]!(claude);
      expect(applies(broken, claudeFixtures)).toBe(true);
      await expect((async () => check(broken, claudeFixtures))()).rejects.toThrow();
    },
  );

  it.each(CAPABILITIES)("when it misreports %s", (capability) => {
    const { check } = CAPABILITY_GUARANTEES[0]!;
    for (const [adapter, fixtures] of [
      [claude, claudeFixtures],
      [toy, toyFixtures],
      [unknown, unknownFixtures],
    ] as const) {
      const { capabilities } = adapter as AgentAdapter;
      const misreported = { ...capabilities, [capability]: !capabilities[capability] };
      expect(() => check({ ...adapter, capabilities: misreported }, fixtures)).toThrow();
    }
  });
});
