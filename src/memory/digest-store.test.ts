import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { positionAt } from "../../test/support/position.ts";
import { claude } from "../agents/claude/claude.ts";
import type { HooklineEvent } from "../event/event.ts";
import { toLine } from "../event/line.ts";
import { openSqliteStore, type SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { type DigestStore, openDigestStore } from "./digest-store.ts";
import { type ContextSwitches, parseSwitches } from "./inject/injection-rules.ts";
import { readDigest, writeDigests } from "./inject/write-digests.ts";
import { buildAllItems } from "./item-builder.ts";

const PROJECT = "/home/dev/shop";

let dir: string;
let store: SqliteStore;
let digests: DigestStore;
let switches: ContextSwitches;
let port: number;
let nowMs: number;
let written: string[];
/** Runs once, after items were read and before anything is built from them. */
let meanwhile: (() => Promise<void>) | null;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "hookline-digests-"));
  store = openSqliteStore(join(dir, "hookline.db"));
  switches = parseSwitches(undefined);
  port = 37_777;
  nowMs = Date.UTC(2026, 0, 2);
  written = [];
  meanwhile = null;
  const home = { context: join(dir, "context") };
  digests = openDigestStore({
    rows: {
      ...store.memory,
      async recentItems(query) {
        const found = await store.memory.recentItems(query);
        if (query.types !== undefined) await runMeanwhile();
        return found;
      },
      async turnItems(sessionId, promptId) {
        const found = await store.memory.turnItems(sessionId, promptId);
        await runMeanwhile();
        return found;
      },
    },
    rules: () => ({
      memory: { inject: { startup: true, resume: true, compact: true, prompt: true, file: false } },
      switches,
      isOff: () => false,
      isRecorded: () => true,
    }),
    changedFiles: async () => [],
    write: (project, files) => {
      written.push(project);
      return writeDigests(home, project, files);
    },
    read: (project, source) => readDigest(home, project, source),
    answers: claude.answers,
    budgetTokens: 900,
    port: () => port,
    notice: true,
    nowMs: () => nowMs,
    timeZone: () => "UTC",
    onError: (error) => {
      throw error;
    },
  });
  await applyEvents(
    event("session.lifecycle", { phase: "started" }),
    event("turn.start", { prompt: "round the totals to whole cents", promptId: "p" }),
    event("turn.end", {
      promptId: "p",
      lastAssistantMessage: "Rounded them. Next step: do the invoices too.",
    }),
  );
});
afterEach(async () => {
  await digests.close();
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

let clock = 0;
function event(eventType: string, more: Partial<HooklineEvent> = {}): HooklineEvent {
  clock++;
  return {
    v: 1,
    id: `e-${clock}`,
    eventType,
    occurredAtIso: new Date(Date.UTC(2026, 0, 1) + clock * 1_000).toISOString(),
    sessionId: "s",
    provider: "claude",
    projectPath: PROJECT,
    cwd: PROJECT,
    origin: "hook",
    ...more,
  };
}
async function applyEvents(...events: HooklineEvent[]): Promise<void> {
  await store.facts.apply({ lines: events.map(toLine), part: 1, next: positionAt(clock) });
  await buildAllItems(store.memory, (error) => {
    throw error;
  });
}
const runMeanwhile = async (): Promise<void> => {
  const work = meanwhile;
  meanwhile = null;
  await work?.();
};
const refresh = async (): Promise<void> => {
  digests.markStale([PROJECT]);
  await digests.settle();
};

describe("openDigestStore", () => {
  it("has digests ready once the project has items", async () => {
    expect(digests.isReady(PROJECT)).toBe(false);
    await refresh();
    expect(readDigest({ context: join(dir, "context") }, PROJECT, "startup")).toContain(
      "do the invoices too",
    );
    expect(digests.isReady(PROJECT)).toBe(true);
  });

  it("is not ready when injection is disallowed or the address changed", async () => {
    await refresh();
    port = 40_000;
    expect(digests.isReady(PROJECT)).toBe(false);
    port = 37_777;
    switches = { ...switches, projects: [PROJECT] };
    expect(digests.isReady(PROJECT)).toBe(false);
    await refresh();
    expect(readDigest({ context: join(dir, "context") }, PROJECT, "startup")).toBeNull();
    expect(digests.isReady(PROJECT)).toBe(true);
  });

  it("writes digests once for several changes", async () => {
    digests.markStale([PROJECT, PROJECT]);
    digests.markStale([PROJECT]);
    await digests.settle();
    expect(written.length).toBeLessThanOrEqual(2);
  });

  it("returns the digest that was current when a session started", async () => {
    await refresh();
    const firstIso = new Date(nowMs).toISOString();
    nowMs += 60_000;
    await applyEvents(
      event("turn.start", { prompt: "drop the old index", promptId: "q" }),
      event("turn.end", { promptId: "q", lastAssistantMessage: "Dropped it. Next step: measure again." }),
    );
    await refresh();
    expect(digests.injectedAt(PROJECT, "new", "startup", "2026-01-01T00:00:00.000Z")).toBeUndefined();
    expect(digests.injectedAt(PROJECT, "new", "startup", firstIso)!.text).not.toContain("measure again");
    expect(digests.injectedAt(PROJECT, "new", "startup", new Date(nowMs).toISOString())!.text).toContain(
      "measure again",
    );
  });

  it("evicts projects when many others changed later", async () => {
    const startup = (project: string) =>
      digests.injectedAt(project, "new", "startup", new Date(nowMs).toISOString());
    const touch = async (count: number): Promise<void> => {
      digests.markStale(Array.from({ length: count }, (_, at) => `/home/dev/other-${at}`));
      await digests.settle();
    };
    await refresh();
    await touch(99);
    expect(startup(PROJECT)?.text).toContain("invoices");
    await refresh();
    await touch(99);
    expect(startup(PROJECT)?.text).toContain("invoices");
    await touch(100);
    expect(startup(PROJECT)).toBeUndefined();
  });

  it("remembers a session's own digest for a day", async () => {
    await applyEvents(event("turn.start", { prompt: "rename the cart module everywhere", promptId: "r" }));
    digests.beforeCompaction("s");
    await digests.settle();
    const atIso = new Date(nowMs).toISOString();
    const ownDigest = () => digests.injectedAt(PROJECT, "s", "compact", atIso)?.text ?? "";
    nowMs += 20 * 3_600_000;
    await refresh();
    expect(ownDigest()).toContain("rename the cart module");
    nowMs += 5 * 3_600_000;
    await refresh();
    expect(ownDigest()).not.toContain("rename the cart module");
  });

  it("adds a session's open work to its own digest after a compaction", async () => {
    await applyEvents(event("turn.start", { prompt: "rename the cart module everywhere", promptId: "r" }));
    digests.beforeCompaction("s");
    await digests.settle();
    const injected = digests.injectedAt(PROJECT, "s", "compact", new Date(nowMs).toISOString());
    expect(injected!.text).toContain("rename the cart module everywhere");
    expect(
      digests.injectedAt(PROJECT, "other", "compact", new Date(nowMs).toISOString())?.text ?? "",
    ).not.toContain("rename the cart module");
  });
});

describe("openDigestStore when something is forgotten during a build", () => {
  const forget = (type: string) => async (): Promise<void> => {
    const events = await store.facts.events({ after: 0, limit: 100 });
    const { id } = events.findLast(({ event: { eventType } }) => eventType === type)!.event;
    await store.forgetting.erase({
      facts: new Set([id]),
      sessions: new Map(),
      stillLogged: new Set(),
      guards: [],
    });
    await buildAllItems(store.memory, (error) => {
      throw error;
    });
    digests.discardInFlight();
  };

  it("leaves it out of the digest and of the history", async () => {
    await applyEvents(event("turn.start", { prompt: "measure the invoices", promptId: "q" }));
    await applyEvents(
      event("turn.end", { promptId: "q", lastAssistantMessage: "Measured. Next step: call the bank." }),
    );
    meanwhile = forget("turn.end");
    await refresh();
    expect(meanwhile).toBeNull();
    expect(written).toEqual([PROJECT]);
    const text = digests.injectedAt(PROJECT, "new", "startup", new Date(nowMs).toISOString())!.text;
    expect(text).toContain("do the invoices too");
    expect(text).not.toContain("call the bank");
  });

  it("leaves it out of the session's open work", async () => {
    await applyEvents(event("turn.start", { prompt: "rename the cart module everywhere", promptId: "r" }));
    meanwhile = forget("turn.start");
    digests.beforeCompaction("s");
    await digests.settle();
    expect(meanwhile).toBeNull();
    const injected = digests.injectedAt(PROJECT, "s", "compact", new Date(nowMs).toISOString());
    expect(injected?.text ?? "").not.toContain("rename the cart module");
  });
});

describe("a failure in a digest", () => {
  const commandRun = (toolUseId: string, command: string, success: boolean): HooklineEvent =>
    event("tool_observation", {
      id: `c-${toolUseId}`,
      toolUseId,
      promptId: "p",
      payload: {
        toolName: "Bash",
        toolInput: { command },
        toolOutput: success ? "built" : "error: broken",
        success,
        ...(!success && { errorMessage: "Exit code 2\nerror: broken" }),
      },
    });
  const digest = async (): Promise<string> => {
    const injected = await digests.preview(PROJECT, "startup");
    return injected === null || "off" in injected ? "" : injected.text;
  };

  it("is resolved by a run of the same command, even among many other commands", async () => {
    await applyEvents(commandRun("t1", "npm run build 2>&1 | tail -5", false));
    expect(await digest()).toContain("npm run build failed");
    await applyEvents(commandRun("t2", "npm run build", true));
    const others = Array.from({ length: 500 }, (_, at) => commandRun(`o${at}`, `npm run other-${at}`, true));
    await applyEvents(...others);
    expect(await digest()).not.toContain("npm run build failed");
  });

  it("does not include a call that a person refused", async () => {
    const payload = { toolName: "Bash", toolInput: { command: "npm run deploy" }, success: false };
    const errorMessage = "use canary";
    await applyEvents(
      event("tool_observation", {
        toolUseId: "t3",
        promptId: "p",
        denial: "user-rejected",
        payload: { ...payload, toolOutput: errorMessage, errorMessage },
      }),
    );
    const text = await digest();
    expect(text).not.toContain("failed");
    expect(text).toContain("User refused: npm run deploy (use canary)");
  });
});
