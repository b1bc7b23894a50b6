import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import type { HooklineEvent } from "../../src/event/event.ts";
import { foldEvent } from "../../src/monitor/fold-event.ts";
import { readSession } from "../../src/monitor/read-session.ts";
import { createSessionView, type SessionView } from "../../src/monitor/session-view.ts";
import type { SessionSnapshot, SessionsPage } from "../../src/serve/contract.ts";
import { createScratch, openClaudeTmux, runClaude, type Scratch } from "../support/claude.ts";
import { homeOf, installAndUp } from "../support/cli.ts";
import { type FakeApi, openFakeApi, type Turn } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";
import type { TmuxSession } from "../support/tmux.ts";
import { type StreamWatcher, watchStream } from "../support/watch-stream.ts";

needs(import.meta.filename, "tmux");

const bash = (command: string): Turn => ({
  tools: [{ name: "Bash", input: { command, description: "Run" } }],
});
const question = {
  question: "Which database should we use?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "SQLite", description: "one file" },
    { label: "Postgres", description: "a server" },
  ],
};

/** The model's turn, by the last line of its prompt. */
const TURNS: readonly (readonly [RegExp, Turn])[] = [
  [/^touch/, bash("touch waited.txt")],
  [/^sleep/, bash("sleep 6 && touch slept.txt")],
  [/^ask/, { tools: [{ name: "AskUserQuestion", input: { questions: [question] } }] }],
  [/^plan/, { tools: [{ name: "ExitPlanMode", input: { plan: "1. Build it\n2. Ship it" } }] }],
  [
    /^delegate/,
    {
      tools: [
        {
          name: "Agent",
          input: { description: "Look around", prompt: "look", subagent_type: "general-purpose" },
        },
      ],
    },
  ],
  [/^think/, { text: "never seen", delayMs: 30_000 }],
  [/^limit/, { error: { status: 429, type: "rate_limit_error", message: "Too many requests" } }],
];

let scratch: Scratch;
let api: FakeApi;
let stream: StreamWatcher;

beforeAll(async () => {
  scratch = await createScratch();
  await installAndUp(scratch);
  api = await openFakeApi(({ lastUserText, agentId }) => {
    const line = lastUserText.split("\n").at(-1) ?? "";
    if (agentId !== undefined) return line.startsWith("look") ? bash("sleep 3; echo seen") : { text: "done" };
    return TURNS.find(([pattern]) => pattern.test(line))?.[1] ?? { text: `ANSWER ${line.slice(0, 40)}` };
  });
  scratch.onCleanup(() => api.close());
  stream = await watchStream(scratch);
});
afterAll(() => scratch?.cleanup());

async function open(...args: string[]): Promise<{
  claude: TmuxSession;
  id: string;
  untilSession: (matches: (s: SessionSnapshot) => boolean, ms?: number) => Promise<SessionSnapshot>;
}> {
  const known = new Set(stream.sessions().map(({ sessionId }) => sessionId));
  const claude = await openClaudeTmux(scratch, {
    api,
    args: ["--permission-mode", "default", ...args],
    env: { HOOKLINE_PORT: "0", CLAUDE_CODE_MAX_RETRIES: "1" },
  });
  await claude.waitFor(/❯/);
  const { sessionId: id } = await stream.until(({ sessionId }) => !known.has(sessionId));
  return {
    claude,
    id,
    untilSession: (matches, ms) => stream.until((s) => s.sessionId === id && matches(s), ms),
  };
}

async function say(claude: TmuxSession, text: string): Promise<void> {
  await claude.type(text);
  await claude.keys("Enter");
}

async function listed(id: string): Promise<SessionSnapshot | undefined> {
  const page = await new Promise<SessionsPage>((resolve, reject) => {
    request(
      { socketPath: join(homeOf(scratch), "sock"), path: "/api/sessions", agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve(JSON.parse(text) as SessionsPage));
      },
    )
      .on("error", reject)
      .end();
  });
  return page.sessions.find(({ sessionId }) => sessionId === id);
}

const isWaiting = (s: SessionSnapshot): boolean => s.activityPhase?.startsWith("waiting_") === true;

describe("a real Claude Code at a terminal", () => {
  it("waits for a permission with its exact command, and stops waiting when it is allowed, while the tool still runs", async () => {
    const { claude, id, untilSession } = await open();
    await say(claude, "sleep then touch");
    const waiting = await untilSession(isWaiting);
    const tool = waiting.waiting!;
    expect(waiting).toMatchObject({
      state: "active",
      activityPhase: "waiting_permission",
      needsPerson: true,
      attended: true,
    });
    expect(tool).toMatchObject({ kind: "permission", toolName: "Bash", text: "sleep 6 && touch slept.txt" });
    expect(await listed(id)).toMatchObject({
      activityPhase: "waiting_permission",
      waiting: { text: tool.text },
    });
    await claude.waitFor(/Do you want to proceed/);
    // The dialog ignores keys in its first moments, as accidental typing.
    await sleep(500);
    await claude.keys("Enter");
    // Well before the tool finishes.
    const cleared = await untilSession((s) => !isWaiting(s), 5_000);
    expect(cleared).toMatchObject({ activityPhase: "busy", action: { toolName: "Bash" } });
    const done = await untilSession((s) => s.activityPhase === "interactable");
    expect(done.humanWaitMs).toBeGreaterThan(0);
    await claude.kill();
  });

  it("waits for an answer to a question with its options", async () => {
    const { claude, untilSession } = await open();
    await say(claude, "ask me");
    const waiting = await untilSession(isWaiting);
    expect(waiting).toMatchObject({
      activityPhase: "waiting_question",
      waiting: { kind: "question", text: question.question, questions: [question] },
    });
    await claude.waitFor(/Which database/);
    await sleep(500);
    await claude.keys("Enter");
    await untilSession((s) => !isWaiting(s), 2_000);
    await untilSession((s) => s.activityPhase === "interactable");
    await claude.kill();
  });

  it.each([
    ["No", ["Up", "Enter"]],
    ["Esc", ["Escape"]],
  ])("stops waiting within two seconds of %s, which no hook reports", async (_name, keys) => {
    const { claude, untilSession } = await open();
    await say(claude, "touch it");
    await untilSession(isWaiting);
    await claude.waitFor(/Do you want to proceed/);
    await sleep(300);
    await claude.keys(...keys);
    await untilSession((s) => !isWaiting(s) && s.activityPhase === "interactable", 2_000);
    await claude.kill();
  });

  it("is not busy after Esc during an answer", async () => {
    const { claude, untilSession } = await open();
    await say(claude, "think long");
    await untilSession((s) => s.activityPhase === "busy");
    await sleep(1_500);
    await claude.keys("Escape");
    await untilSession((s) => s.activityPhase === "interactable", 4_000);
    await claude.kill();
  });

  it("keeps waiting while its subagent works, and is parked when its turn ends first", async () => {
    const { claude, id, untilSession } = await open("--allowedTools", "Bash(sleep 3:*)", "Agent");
    await say(claude, "delegate this");
    await untilSession((s) => s.activityPhase === "parked");
    await say(claude, "touch while it works");
    const waiting = await untilSession(isWaiting);
    expect(waiting.subagents.some(({ isRunning }) => isRunning)).toBe(true);
    // Until the subagent has finished, and a little longer.
    await untilSession((s) => s.subagents.every(({ isRunning }) => !isRunning));
    await sleep(500);
    const during = stream.shown
      .filter(({ session }) => session.sessionId === id)
      .map(({ session }) => session);
    const since = during.findIndex(isWaiting);
    expect(during.slice(since).every(isWaiting)).toBe(true);
    await claude.kill();
  });

  it("is rate limited after a 429", async () => {
    const { claude, untilSession } = await open();
    await say(claude, "limit me");
    const limited = await untilSession((s) => s.activityPhase === "rate_limited");
    expect(limited).toMatchObject({ needsPerson: false });
    await untilSession((s) => s.activityPhase === "rate_limited" && s.error?.kind === "rate_limit");
    await claude.kill();
  });

  it("is lost within five seconds of a kill -9", async () => {
    const { claude, untilSession } = await open();
    await say(claude, "touch it");
    await untilSession(isWaiting);
    process.kill(await claude.pid(), "SIGKILL");
    const lost = await untilSession((s) => s.state === "lost", 5_000);
    expect(lost).toMatchObject({ activityPhase: null, needsPerson: false, waiting: null });
    await claude.kill();
  });

  it("never waits without a person", async () => {
    const known = new Set(stream.sessions().map(({ sessionId }) => sessionId));
    const script = await openFakeApi([bash("touch waited.txt"), { text: "not allowed" }]);
    scratch.onCleanup(() => script.close());
    const args = ["--permission-mode", "default"];
    const run = await runClaude(scratch, {
      api: script,
      prompt: "touch it",
      args,
      env: { HOOKLINE_PORT: "0" },
    });
    expect(run.code).toBe(0);
    const done = await stream.until((s) => !known.has(s.sessionId) && s.state === "completed");
    expect(done).toMatchObject({ attended: false, humanWaitMs: 0 });
    const shown = stream.shown.filter(({ session }) => session.sessionId === done.sessionId);
    expect(shown.some(({ session }) => isWaiting(session) || session.needsPerson)).toBe(false);
  });

  /** The sessions according to the log alone, with every state they may have had meanwhile. */
  function replay(): { views: Map<string, SessionView>; replayed: Set<string> } {
    const lines = readFileSync(join(homeOf(scratch), "stream/lifecycle.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    const views = new Map<string, SessionView>();
    const replayed = new Set<string>();
    for (const line of lines) {
      const event = JSON.parse(line) as HooklineEvent;
      const view = views.get(event.sessionId) ?? createSessionView(event.sessionId, claude.usage);
      views.set(event.sessionId, view);
      foldEvent(view, event);
      const nowMs = Date.parse(event.occurredAtIso);
      // A start that says no more, and an answer to it that is long in coming.
      for (const quietMs of [0, 5_000, 400_000])
        replayed.add(standing(readSession(view, { nowMs: nowMs + quietMs, quietMs })));
    }
    return { views, replayed };
  }

  /** Ended sessions that are shown differently from the log. */
  function differences(): { shown: SessionSnapshot; told: SessionSnapshot }[] {
    const { views } = replay();
    return stream
      .sessions()
      .filter(({ endedAtIso }) => endedAtIso !== null)
      .map((shown) => ({
        shown,
        told: readSession(views.get(shown.sessionId)!, { nowMs: Date.now(), quietMs: 0 }),
      }))
      .filter(({ shown, told }) => !isDeepStrictEqual(told, shown));
  }

  it("matched its replayed log in every snapshot", async () => {
    expect(stream.shown.length).toBeGreaterThan(40);
    const { replayed } = replay();
    const strange = stream.shown
      .map(({ session }) => standing(session))
      .filter((shown) => !replayed.has(shown));
    expect(strange).toEqual([]);
    // The last lines of a transcript are in the log a moment before they are shown.
    await expect.poll(differences).toEqual([]);
  });
});

function standing({ sessionId, state, activityPhase, why, waiting, sinceIso }: SessionSnapshot): string {
  return JSON.stringify([sessionId, state, activityPhase, why, waiting?.requestId, sinceIso]);
}
