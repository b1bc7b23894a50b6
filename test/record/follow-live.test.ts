import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { locateTranscript } from "../../src/agents/claude/locate-transcript.ts";
import { expectedTranscriptPath } from "../../src/agents/claude/session-registry.ts";
import { createAcceptor } from "../../src/capture/accept.ts";
import { followTranscripts } from "../../src/capture/follow-transcripts.ts";
import { importTranscripts } from "../../src/capture/import-transcripts.ts";
import { createProjectOf } from "../../src/capture/project-of.ts";
import { openQuarantine } from "../../src/capture/quarantine.ts";
import type { TailPosition } from "../../src/capture/tail-file.ts";
import type { HooklineEvent } from "../../src/event/event.ts";
import { type RegistryEntry, watchRegistry } from "../../src/monitor/watch-registry.ts";
import { createScratch, openClaudeTmux, runClaude, type Scratch } from "../support/claude.ts";
import { type FakeApi, openFakeApi, type Script } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";

needs(import.meta.filename, "tmux");

let scratch: Scratch;
let api: FakeApi | undefined;
let dir: string;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  scratch = await createScratch();
  dir = mkdtempSync(join(tmpdir(), "hookline-live-"));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await api?.close();
  await scratch.cleanup();
  rmSync(dir, { recursive: true, force: true });
});

const bash = (command: string) => ({ name: "Bash", input: { command, description: "Run a command" } });
const configDir = (): string => join(scratch.home, ".claude");

/** How the daemon records sessions without hooks: it finds them in the registry and follows their transcripts. */
function followAll() {
  const log: { atMs: number; event: HooklineEvent }[] = [];
  const offsets = new Map<string, TailPosition>();
  const ports = {
    source: claude.transcripts,
    projectOf: createProjectOf(),
    append: async (events: readonly HooklineEvent[]): Promise<unknown> => {
      return log.push(...events.map((event) => ({ atMs: Date.now(), event })));
    },
    load: async (path: string) => offsets.get(path),
    save: async (path: string, position: TailPosition) => void offsets.set(path, position),
    quarantine: openQuarantine(join(dir, "quarantine")),
  };
  const openAcceptor = () => createAcceptor({ mayRecord: () => true });
  const follower = followTranscripts({
    ...ports,
    openAcceptor,
    onError: (error) => {
      throw error;
    },
  });
  const registry = watchRegistry({
    provider: claude.id,
    source: claude.liveness,
    configDirs: () => [configDir()],
    onEntries: (entries) => {
      for (const { cwd, sessionId } of entries) {
        const expected = expectedTranscriptPath(configDir(), cwd, sessionId);
        follower.watch(sessionId, locateTranscript(configDir(), sessionId, expected)!);
      }
    },
  });
  closing.push(() => follower.close());
  closing.push(() => registry.close());
  return { log, ports, follower, openAcceptor };
}

describe("a session without hooks", () => {
  it("is recorded while it runs, with calls that no hook reports, as an import would record it", async () => {
    const script: Script = [
      { text: "I will look around.", tools: [bash("echo hello")] },
      { tools: [{ name: "Read", input: { path: "README.md" } }] },
      {
        tools: [
          {
            name: "Agent",
            input: {
              description: "Count files",
              prompt: "Count the files here.",
              subagent_type: "general-purpose",
              run_in_background: false,
            },
          },
        ],
      },
      { text: "All done.", delayMs: 400 },
    ];
    api = await openFakeApi({ main: script, agent: [{ tools: [bash("ls | wc -l")] }, { text: "Three." }] });
    const { log, ports, follower, openAcceptor } = followAll();
    const args = ["--permission-mode", "default", "--allowedTools", "Bash,Read,Agent"];
    const run = await runClaude(scratch, { api, prompt: "look around", args });
    expect(run.code).toBe(0);
    await follower.unwatch(run.sessionId!);

    // Two files are read in turn: across them the order of arrival is not that of time.
    const events = log.map(({ event }) => event).sort((a, b) => (a.occurredAtIso < b.occurredAtIso ? -1 : 1));
    const told = (type: string) => events.filter((event) => event.eventType === type);
    expect(told("turn.start")).toMatchObject([{ prompt: "look around", sessionId: run.sessionId }]);
    expect(
      told("tool_observation").map(({ payload, agentId }) => [
        payload?.toolName,
        payload?.success,
        agentId !== undefined,
      ]),
    ).toEqual([
      ["Bash", true, false],
      ["Read", false, false],
      ["Bash", true, true],
      ["Agent", true, false],
    ]);
    expect(told("subagent.lifecycle")).toMatchObject([
      { agentType: "general-purpose", description: "Count files" },
    ]);
    expect(JSON.stringify(told("assistant.message"))).toContain("All done.");

    const imported: string[] = [];
    await importTranscripts({
      ...ports,
      root: join(configDir(), "projects"),
      acceptor: openAcceptor(),
      load: async () => undefined,
      append: async (events) => imported.push(...events.map(({ id }) => id)),
    });
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(imported));

    // Recorded while it ran: the prompt was in the log before the last answer.
    const lastAnswerMs = Math.max(...api.requests.map(({ time }) => time)) + 400;
    expect(log.find(({ event }) => event.eventType === "turn.start")!.atMs).toBeLessThan(lastAnswerMs);
  });
});

describe("the registry of the real CLI", () => {
  it("reports that a session waits and for what, stops waiting, and was killed", async () => {
    api = await openFakeApi(({ lastUserText }) =>
      // Long enough at work to be observed.
      /make a file/.test(lastUserText)
        ? { tools: [bash("touch a.txt")], delayMs: 600 }
        : { text: "An answer." },
    );
    let entries: readonly RegistryEntry[] = [];
    const seen: [status: string | null, waitingFor: string | null][] = [];
    const registry = watchRegistry({
      provider: claude.id,
      source: claude.liveness,
      configDirs: () => [configDir()],
      onEntries: (all) => {
        entries = all;
        for (const { status, waitingFor } of all) seen.push([status, waitingFor]);
      },
      sweepMs: 200,
    });
    closing.push(() => registry.close());
    const terminal = await openClaudeTmux(scratch, { api, args: ["--permission-mode", "default"] });
    await terminal.waitFor(/❯/);
    await expect.poll(() => entries).toMatchObject([{ status: "idle", alive: true }]);
    expect(entries).toMatchObject([{ kind: "interactive", entrypoint: "cli", cwd: scratch.project }]);
    expect(entries[0]!.pid).toBe(await terminal.pid());
    expect(entries[0]!.tmux).toMatch(/^main:@\d+\.%\d+$/);

    await terminal.type("make a file");
    await terminal.keys("Enter");
    await terminal.waitFor(/Do you want to proceed/);
    await expect.poll(() => entries[0]).toMatchObject({ status: "waiting", waitingFor: "permission prompt" });
    // A dialog that has just appeared ignores keys.
    await sleep(700);
    await terminal.press("Escape", /^(?![\s\S]*Do you want to proceed)/);
    await expect.poll(() => entries[0]).toMatchObject({ status: "idle", waitingFor: null });

    const before = entries[0]!;
    await terminal.type("/clear");
    await terminal.keys("Enter");
    await expect.poll(() => entries[0]?.sessionId).not.toBe(before.sessionId);
    expect(entries).toMatchObject([{ pid: before.pid, procStart: before.procStart }]);

    await sleep(500);
    execFileSync("kill", ["-9", String(before.pid)]);
    await expect.poll(() => entries).toMatchObject([{ pid: before.pid, alive: false }]);
    expect(seen).toContainEqual(["busy", null]);
  });
});
