import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { findTranscripts } from "../../src/agents/claude/find-transcripts.ts";
import { priceOf } from "../../src/agents/claude/prices.ts";
import type { HooklineEvent } from "../../src/event/event.ts";
import { countUsage } from "../../src/monitor/count-usage.ts";
import { createUsageFold } from "../../src/monitor/usage.ts";
import { createScratch, openClaudeTmux, runClaude, type Scratch } from "../support/claude.ts";
import { openFakeApi, type Script, type ToolCall } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";
import { RUNS_DIR } from "../support/pipeline.ts";
import type { TmuxSession } from "../support/tmux.ts";

needs(import.meta.filename, "tmux");

type Line = Readonly<Record<string, unknown>>;

function linesOf(path: string): Line[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

/** All events of a folder's transcripts, in file order, by session. */
function sessionsIn(root: string): Map<string, HooklineEvent[]> {
  const events = findTranscripts(root).flatMap((file) => {
    const translator = claude.transcripts.open(file, (cwd) => cwd);
    return linesOf(file.path).flatMap((line) => translator.translateLine(line));
  });
  return Map.groupBy(events, ({ sessionId }) => sessionId);
}

type ModelRow = { readonly model: string } & Record<(typeof COUNTS)[number], number>;
const COUNTS = ["input", "output", "cacheRead", "cacheWrite", "costMicros"] as const;

/** The agent's own count: the last such line of the session's file. */
function reported(root: string, sessionId: string): ModelRow[] {
  return sumsOf(root, sessionId).map((row) => ({ ...row, costMicros: Math.round(row.costMicros) }));
}

/** The same for a fork, without the usage of the session it continues. */
function reportedOwn(root: string, fork: string, parent: string): ModelRow[] {
  const before = new Map(sumsOf(root, parent).map((row) => [row.model, row]));
  return sumsOf(root, fork).flatMap((row) => {
    const own = { ...row };
    for (const key of COUNTS) own[key] = Math.round(row[key] - (before.get(row.model)?.[key] ?? 0));
    return COUNTS.every((key) => own[key] === 0) ? [] : [own];
  });
}

function sumsOf(root: string, sessionId: string): ModelRow[] {
  const file = findTranscripts(root).find(({ path, agentId }) => {
    return agentId === undefined && linesOf(path).some((line) => line["sessionId"] === sessionId);
  })!;
  const last = linesOf(file.path).findLast(({ type }) => type === "cost-state")!;
  const rows = Object.entries(last["modelUsage"] as Record<string, Record<string, number>>);
  return rows
    .map(([model, usage]) => ({
      model,
      input: usage["inputTokens"]!,
      output: usage["outputTokens"]!,
      cacheRead: usage["cacheReadInputTokens"]!,
      cacheWrite: usage["cacheCreationInputTokens"]!,
      costMicros: usage["costUSD"]! * 1_000_000,
    }))
    .sort((a, b) => (a.model < b.model ? -1 : 1));
}

function read(events: readonly HooklineEvent[]) {
  const usage = createUsageFold(claude.usage);
  for (const event of events) usage.apply(event);
  return usage.read();
}

const isSums = (event: HooklineEvent): boolean => event["name"] === "cost-state";
const isCopy = (event: HooklineEvent): boolean => event["name"] === "inherited-message";

describe("the usage of recorded sessions", () => {
  const roots = [
    ...readdirSync(RUNS_DIR).map((name) => join(RUNS_DIR, name, "projects")),
    join(RUNS_DIR, "..", "transcripts"),
  ].filter(existsSync);
  const sessions = roots.flatMap((root) =>
    [...sessionsIn(root)].map(([sessionId, events]) => ({
      name: `${basename(join(root, ".."))} ${sessionId}`,
      root,
      sessionId,
      events,
    })),
  );

  it("covers at least twenty-four sessions", () => {
    expect(sessions.length).toBeGreaterThanOrEqual(24);
  });

  it.each(sessions)(
    "equals the agent's count, delivered in any order: $name",
    ({ root, sessionId, events }) => {
      const isFork = events.some(isCopy);
      const parent = sessions.find(
        (session) => session.root === root && session.sessionId !== sessionId,
      )?.sessionId;
      expect(read(events).byModel).toEqual(
        isFork ? reportedOwn(root, sessionId, parent!) : reported(root, sessionId),
      );
      expect(read(events).cost.source).toBe(isFork ? "estimate" : "reported");
      const places = fc.shuffledSubarray([...events.keys()], { minLength: events.length });
      const property = fc.property(places, (order) => {
        expect(read(order.map((place) => events[place]!))).toEqual(read(events));
      });
      fc.assert(property, { numRuns: 10 });
    },
  );

  it.each(sessions)("is known before the agent's count, except for compaction: $name", ({ events }) => {
    const { byModel, beyondMessages } = read(events);
    const isCompacted = events.some(({ eventType }) => eventType === "compaction");
    expect(beyondMessages.length > 0).toBe(isCompacted);
    if (!isCompacted) expect(read(events.filter((event) => !isSums(event))).byModel).toEqual(byModel);
  });

  it("has the same price by our table as by the agent, for every cost line", () => {
    const lines = roots.flatMap(findTranscripts).flatMap(({ path }) => linesOf(path));
    const rows = lines
      .filter(({ type }) => type === "cost-state")
      .flatMap((line) => Object.entries(line["modelUsage"] as Record<string, Record<string, number>>));
    expect(rows.length).toBeGreaterThanOrEqual(28);
    for (const [model, row] of rows) {
      const [share] = countUsage(model, {
        input_tokens: row["inputTokens"],
        output_tokens: row["outputTokens"],
        cache_read_input_tokens: row["cacheReadInputTokens"],
        cache_creation_input_tokens: row["cacheCreationInputTokens"],
      });
      expect(Math.round(priceOf(model, share!.usage)!)).toBe(Math.round(row["costUSD"]! * 1_000_000));
    }
  });

  it("differs by the calls of compaction", () => {
    const compacted = sessions.filter(({ events }) => read(events).beyondMessages.length > 0);
    expect(compacted.map(({ events }) => read(events).beyondMessages)).toEqual([
      [
        {
          model: "claude-sonnet-5-5",
          input: 100,
          output: 20,
          cacheRead: 0,
          cacheWrite: 0,
          costMicros: 400,
        },
      ],
      [
        {
          model: "claude-sonnet-5-5",
          input: expect.any(Number),
          output: 21,
          cacheRead: expect.any(Number),
          cacheWrite: expect.any(Number),
          costMicros: expect.any(Number),
        },
      ],
    ]);
  });

  it("counts every message once across sessions with a shared start", () => {
    const root = join(RUNS_DIR, "fork", "projects");
    const all = [...sessionsIn(root).values()].flat();
    const messages = all.filter(({ eventType }) => eventType === "assistant.message");
    expect(read(messages).tokens).toMatchObject({ input: 600, output: 120 });
    expect(messages.length).toBe(6);
  });
});

describe("the usage of a session of the real CLI", () => {
  let scratch: Scratch | undefined;
  let closeApi: (() => Promise<void>) | undefined;
  afterEach(async () => {
    await scratch?.cleanup();
    await closeApi?.();
  });

  async function stage(script: Script) {
    scratch = await createScratch();
    const api = await openFakeApi(script);
    closeApi = api.close;
    return { scratch, api, root: join(scratch.home, ".claude", "projects") };
  }

  const allow = ["--permission-mode", "default", "--allowedTools", "Bash,Agent"];
  const tool = (name: string, input: unknown): ToolCall => ({ name, input });

  it("equals its own count, across a subagent of another model, a resume and a fork", async () => {
    const cached = { input_tokens: 7, cache_read_input_tokens: 12_345, cache_creation_input_tokens: 678 };
    const { scratch, api, root } = await stage({
      main: [
        {
          text: "An agent shall count.",
          tools: [
            tool("Agent", {
              description: "Count",
              prompt: "Count the files.",
              subagent_type: "general-purpose",
              model: "haiku",
              run_in_background: false,
            }),
          ],
          usage: cached,
        },
        { text: "Counted.", usage: { ...cached, output_tokens: 31 } },
        { text: "Resumed.", usage: { ...cached, output_tokens: 17 } },
      ],
      agent: [
        { tools: [tool("Bash", { command: "ls", description: "List" })], usage: cached },
        { text: "Three.", usage: { ...cached, output_tokens: 3 } },
      ],
    });
    const first = await runClaude(scratch, { prompt: "count the files", api, args: allow });
    const trunk = first.sessionId!;
    await runClaude(scratch, { prompt: "once more", api, args: [...allow, "--resume", trunk] });
    const forked = await runClaude(scratch, {
      prompt: "another way",
      api,
      args: [...allow, "--resume", trunk, "--fork-session"],
    });
    const fork = forked.sessionId!;
    const sessions = sessionsIn(root);
    expect([...sessions.keys()].sort()).toEqual([trunk, fork].sort());
    const whole = read(sessions.get(trunk)!);
    expect(whole.byModel).toEqual(reported(root, trunk));
    expect(whole.cost.source).toBe("reported");
    const [haiku, opus] = read(sessions.get(trunk)!).byModel;
    expect([haiku?.model, opus?.model]).toEqual(["claude-haiku-5-5", "claude-opus-5-5"]);
    expect(read(sessions.get(trunk)!).beyondMessages).toEqual([]);
    // Its totals continue from its parent's, including a subagent's usage that the fork's file does not have.
    const own = read(sessions.get(fork)!);
    expect(own.byModel).toEqual(reportedOwn(root, fork, trunk));
    expect(own.beyondMessages).toEqual([]);
    expect(read(sessions.get(fork)!.filter((event) => !isSums(event))).byModel).toEqual(own.byModel);
  });

  it("includes compaction, and what a killed process left uncounted", async () => {
    const { scratch, api, root } = await stage(({ lastUserText }) => {
      const line = lastUserText.split("\n").at(-1)!;
      return /summar/i.test(line)
        ? { text: "<summary>Seven.</summary>", usage: { input_tokens: 1234, output_tokens: 56 } }
        : { text: `ANSWER to ${line}` };
    });
    const first = await openClaudeTmux(scratch, { api, args: allow });
    await first.waitFor(/❯/);
    await submit(first, "remember seven", /ANSWER to remember/);
    await submit(first, "/compact", /Compacted/);
    await submit(first, "what was it", /ANSWER to what/);
    await submit(first, "/exit", /Resume this session with/);
    const [[sessionId, events]] = [...sessionsIn(root)] as [[string, HooklineEvent[]]];
    const beyond = [{ input: 1234, output: 56, cacheRead: 0, cacheWrite: 0, costMicros: 6056 }];
    expect(read(events).byModel).toEqual(reported(root, sessionId));
    expect(read(events).beyondMessages).toMatchObject(beyond);

    const killed = await openClaudeTmux(scratch, { api, args: [...allow, "--resume", sessionId] });
    await killed.waitFor(/❯/);
    await submit(killed, "say more", /ANSWER to say/);
    process.kill(await killed.pid(), "SIGKILL");
    await runClaude(scratch, { prompt: "and on", api, args: [...allow, "--resume", sessionId] });
    const [counted] = reported(root, sessionId) as { input: number; output: number; costMicros: number }[];
    const usage = read(sessionsIn(root).get(sessionId)!);
    expect(usage.byModel).toMatchObject([
      { input: counted!.input + 100, output: counted!.output + 20, costMicros: counted!.costMicros + 800 },
    ]);
    expect(usage.cost.source).toBe("estimate");
    expect(usage.beyondMessages).toMatchObject(beyond);
  });
});

async function submit(session: TmuxSession, text: string, shows: RegExp): Promise<void> {
  await session.type(text);
  await session.keys("Enter");
  await session.waitFor(shows);
  await sleep(700);
}
