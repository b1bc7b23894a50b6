// Orders of what can happen to two and three requests of a session, with a real daemon and the hook's own command as
// Claude Code runs it: each request waits for its own answer, and only the request that was shown is answered.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import type { Card } from "../../src/control/control-contract.ts";
import {
  describeOrder,
  orders,
  type Requester,
  type Step,
} from "../../src/control/terminal/request-orders.testing.ts";
import { permissionCommand } from "../../src/hook/ask-command.ts";
import type { SessionDetail, SessionSnapshot } from "../../src/serve/contract.ts";
import { hashShown, showRequest } from "../../src/shown/show-request.ts";
import { type DaemonChild, type Hookline, openHookline } from "../support/hookline.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/** Longer than any order takes; only a request that is left to its terminal by timeout has a short hold. */
const HOLD_SECONDS = 120;
const SHORT_HOLD_SECONDS = 8;
/** How often a focused page reports that it is visible. */
const LOOK_MS = 1_000;
const AT_ONCE = 6;

let hookline: Hookline;
let daemon: DaemonChild;
/** Stops the visibility reports of all pages. */
let looks = new AbortController();
let project: string;
/** How many were answered on the page. */
let answered = 0;

beforeAll(async () => {
  hookline = openHookline({ config: { approve: { on: true, holdSeconds: HOLD_SECONDS } } });
  project = join(hookline.root, "acme-shop");
  mkdirSync(project);
  daemon = await hookline.start();
});
afterEach(() => {
  looks.abort();
  looks = new AbortController();
});
afterAll(() => hookline?.close());

type Payload = Readonly<Record<string, unknown>>;

interface Hook {
  readonly since: number;
  /** What it printed; undefined while it runs. */
  output: string | undefined;
}

function ask(payload: Payload, holdSeconds: number): Hook {
  const env = { ...hookline.env, CLAUDE_CODE_SESSION_ATTENDED: "1" };
  const child = spawn("/bin/sh", ["-c", permissionCommand(claude, holdSeconds)], { env });
  const hook: Hook = { since: Date.now(), output: undefined };
  let description = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    description += text;
  });
  child.on("close", () => {
    hook.output = description;
  });
  child.stdin.end(`${JSON.stringify(payload)}\n`);
  return hook;
}

async function until(check: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

async function sessionOf(sessionId: string): Promise<SessionSnapshot> {
  return (await hookline.ask<SessionDetail>("GET", `/api/sessions/${sessionId}`)).session;
}

/** Runs one session through an order. Returns a function that stops its page's reports. */
async function play(
  sessionId: string,
  asking: readonly Requester[],
  steps: readonly Step[],
): Promise<() => void> {
  const where = describeOrder(steps);
  const hooks = new Map<string, Hook>();
  const ids = new Map<string, string>();
  const waiting: string[] = [];
  const held = new Set<string>();
  /** Background requests whose page lost focus, if only for a moment. */
  const unseen = new Set<string>();
  const one = (name: string): Requester => asking.find((each) => each.name === name)!;
  const commandOf = (name: string): string => `touch ${sessionId}-${name}.txt`;
  const payloadOf = (name: string): Payload => ({
    hook_event_name: "PermissionRequest",
    session_id: sessionId,
    prompt_id: `${sessionId}-p1`,
    cwd: project,
    tool_name: "Bash",
    tool_input: { command: commandOf(name), description: `Run ${name}` },
    ...(one(name).by === "agent" && { agent_id: `${sessionId}-${name}`, agent_type: "general-purpose" }),
  });
  const endsByTime = (name: string): boolean =>
    one(name).by === "main" && steps.some((step) => step.act === "release" && step.of === name);
  let isLooking = false;
  let description: Promise<unknown> = Promise.resolve();
  // In sequence, so an old report does not follow a new one.
  const view = (looking: boolean): Promise<unknown> => {
    isLooking = looking;
    const say = () =>
      hookline.ask("POST", "/api/control/viewer", {
        viewer: sessionId,
        looking,
        sessionId,
        requests: [...ids.values()],
      });
    description = description.then(say, say);
    return description;
  };
  const looking = setInterval(() => {
    if (isLooking) view(true).catch(() => undefined);
  }, LOOK_MS);
  const leave = (): void => clearInterval(looking);
  looks.signal.addEventListener("abort", leave);
  const cards = async (): Promise<Card[]> =>
    (await hookline.ask<{ cards: Card[] }>("GET", `/api/control/cards?session=${sessionId}`)).cards;
  const ran = (name: string) =>
    hookline.fire({
      ...payloadOf(name),
      hook_event_name: "PostToolUse",
      tool_use_id: `toolu_${sessionId}_${name}`,
      tool_response: "ok",
    });
  const end = (name: string): void => {
    waiting.splice(waiting.indexOf(name), 1);
    held.delete(name);
  };
  const acts: Record<Exclude<Step["act"], "restart">, (name: string) => Promise<void>> = {
    async ask(name) {
      await view(true);
      hooks.set(name, ask(payloadOf(name), endsByTime(name) ? SHORT_HOLD_SECONDS : HOLD_SECONDS));
      await until(async () => {
        const mine = (await cards()).find(
          ({ input }) => (input as { command?: string }).command === commandOf(name),
        );
        expect(endsByTime(name) ? ["pending", "terminal"] : ["pending"], where).toContain(mine?.status);
        ids.set(name, mine!.id);
      });
      await view(true);
      waiting.push(name);
      held.add(name);
    },
    async release(name) {
      if (one(name).by === "agent") {
        for (const each of held) if (one(each).by === "agent") unseen.add(each);
        await view(false);
      }
      await until(async () => expect(hooks.get(name)!.output, where).toBe(""));
      held.delete(name);
    },
    async terminal(name) {
      end(name);
      await ran(name);
    },
    async page(name) {
      const id = ids.get(name)!;
      const card = (await cards()).find((each) => each.id === id)!;
      expect(card.input, where).toEqual(payloadOf(name)["tool_input"]);
      // Another request's text under this id is refused.
      const other = hashShown(showRequest({ ...card, input: { command: "something else" } }));
      const answer = (shown: string) =>
        hookline.ask("POST", `/api/control/cards/${id}/answer`, { decision: "allow", shown });
      try {
        const refusal = await answer(await other).then(() => "answered", String);
        if (isOver(refusal)) throw new Error(refusal);
        expect(refusal, where).toMatch(/shown_mismatch/);
        await answer(await hashShown(showRequest(card)));
      } catch (error) {
        // A subagent's request is held for seconds, and only while it is shown. A slow machine may get here later, or
        // report too late that it is shown: then the request waits in the terminal, as after a release.
        const age = Date.now() - hooks.get(name)!.since;
        const mayBeOver = one(name).by === "agent" && (unseen.has(name) || age >= 2_000);
        if (!isOver(error) || !mayBeOver) throw error;
        return acts.release(name);
      }
      answered++;
      await until(async () => expect(hooks.get(name)!.output, where).toContain('"behavior":"allow"'));
      end(name);
      await ran(name);
    },
    async stop() {
      await hookline.fire({
        hook_event_name: "Stop",
        session_id: sessionId,
        prompt_id: `${sessionId}-p1`,
        cwd: project,
        background_tasks: asking.map(({ name }) => ({ id: `${sessionId}-${name}`, type: "agent" })),
      });
      for (const name of [...waiting]) if (one(name).by === "main") end(name);
    },
  };
  for (const [at, step] of steps.entries()) {
    const name = "of" in step ? step.of : "";
    if (step.act !== "ask" && name !== "" && !waiting.includes(name)) continue;
    // Its hold may have expired already.
    if (step.act === "page" && hooks.get(name)!.output !== undefined) continue;
    if (step.act !== "restart") await acts[step.act](name);
    // When the page loses focus, all held subagent requests are released; the main agent's when their hold expires.
    for (const each of [...held]) if (hooks.get(each)!.output === "") held.delete(each);
    await view(true);
    const said = `${where} at ${at}`;
    await until(async () => {
      const session = await sessionOf(sessionId);
      expect(
        session.requests.map(({ text }) => text),
        said,
      ).toEqual(waiting.map(commandOf));
      expect(
        session.requests.map(({ requestId }) => requestId),
        said,
      ).toEqual(waiting.map((each) => ids.get(each)));
      expect(session.needsPerson, said).toBe(waiting.length > 0);
      const open = new Map((await cards()).map((card) => [card.id, card]));
      expect(new Set(open.keys()), said).toEqual(new Set(waiting.map((each) => ids.get(each)!)));
      for (const each of waiting)
        expect((open.get(ids.get(each)!)!.input as { command: string }).command, said).toBe(commandOf(each));
    });
  }
  for (const [name, { output }] of hooks)
    expect(output === undefined || output === "" || ids.has(name), where).toBe(true);
  return leave;
}

const isOver = (error: unknown): boolean => /time to answer here is over/.test(String(error));

/** This many of them, evenly spread. */
function* some<T>(all: readonly T[], count: number): Generator<T> {
  for (let at = 0; at < count; at++) yield all[Math.floor((at * all.length) / count)]!;
}

const KINDS = { main: "main", agent: "agent" } as const;
const asked = (...by: (keyof typeof KINDS)[]): Requester[] =>
  by.map((who, at) => ({ name: "abc"[at]!, by: who }));

it.each([
  { asking: asked("main", "agent"), extras: ["stop"] as const, count: 24 },
  { asking: asked("agent", "agent"), extras: ["stop"] as const, count: 18 },
  { asking: asked("main", "agent", "agent"), extras: [] as const, count: 24 },
])("each request waits for its own answer: $asking.length requests, $count orders", async (given) => {
  const { asking, extras, count } = given;
  // The main agent's hold is long, so only a few orders wait for its end.
  const all = [...orders(asking, extras)].filter(
    (steps, at) => at % 5 === 0 || !steps.some((step) => step.act === "release" && step.of === "a"),
  );
  const chosen = [...some(all, count)];
  const next = chosen.entries();
  answered = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [at, steps] of next) {
        const leave = await play(`s${asking.map(({ by }) => by[0]).join("")}-${at}`, asking, steps);
        leave();
      }
    }),
  );
  expect(answered).toBeGreaterThan(count / 4);
});

it("a killed daemon leaves every request to its terminal and loses none", async () => {
  const asking = asked("main", "agent");
  const before = [...orders(asking, [])].filter((steps) => steps.length === 2);
  // At once, and shown until the daemon dies: none may be left to its terminal earlier.
  await Promise.all(before.map((steps, at) => play(`kill-${at}`, asking, steps)));
  const recorded = (pattern: string): unknown =>
    hookline.query(
      `SELECT count(*) AS n FROM events WHERE event_type = 'control.card' AND session_id LIKE 'kill-%' AND ${pattern}`,
    )[0]!["n"];
  // The next daemon cannot know what the first had not recorded.
  await expect
    .poll(() => recorded("json_extract(payload_json, '$.phase') = 'asked'"))
    .toBe(2 * before.length);
  await daemon.kill("SIGKILL");
  daemon = await hookline.start();
  for (const at of before.keys())
    await until(async () => {
      const session = await sessionOf(`kill-${at}`);
      expect(session.requests.map(({ text }) => text).sort()).toEqual(
        ["a", "b"].map((name) => `touch kill-${at}-${name}.txt`),
      );
    });
  await expect
    .poll(() => recorded("json_extract(payload_json, '$.card.by') = 'stopped'"))
    .toBe(2 * before.length);
  for (const at of before.keys())
    await play(`kill-${at}-again`, asking, [
      { act: "ask", of: "a" },
      { act: "ask", of: "b" },
      { act: "page", of: "b" },
    ]);
});
