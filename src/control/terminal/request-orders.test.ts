import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TEST_TIMEOUT_MS } from "../../../test/support/patience.ts";
import { describeOrder, orders, type Requester, type Step } from "./request-orders.testing.ts";
import { type Asked, openTerminalStory, type Payload } from "./terminal-story.testing.ts";

// Two and three requests of one session: however they are ordered, released or answered here or there, and
// whatever the session and the daemon do meanwhile, each stays pending until it is answered itself.

const SESSION = "s1";
const AGENTS: readonly Requester["by"][] = ["main", "agent"];

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-15T12:00:00.000Z") }));
afterEach(() => void vi.useRealTimers());

const commandOf = (name: string): string => `touch ${name}.txt`;

function payloadOf({ name, by }: Requester, equal: boolean): Payload {
  return {
    hook_event_name: "PermissionRequest",
    session_id: SESSION,
    prompt_id: "p1",
    cwd: "/home/dev/acme-shop",
    tool_name: "Bash",
    tool_input: { command: equal ? "touch same.txt" : commandOf(name), description: "Run" },
    ...(by === "agent" && { agent_id: equal ? "agent" : `agent-${name}`, agent_type: "general-purpose" }),
  };
}

const STEP_MS = 500;
const MAX_HOLD_MS = 60_000;

/** Plays an order and checks after every step that exactly the pending requests are shown. */
async function play(requesters: readonly Requester[], steps: readonly Step[], equal: boolean): Promise<void> {
  const story = openTerminalStory();
  const asked = new Map<string, Asked>();
  /** Pending requests, and those of them whose hook is held. */
  const waiting: string[] = [];
  const held = new Set<string>();
  const startMs = Date.now();
  let status = "busy";
  const requester = (name: string): Requester => requesters.find((each) => each.name === name)!;
  const reportView = (): void => {
    const requests = [...asked.values()].map(({ id }) => id);
    story.viewers.update({ viewer: "page", sessionId: null, requests });
  };
  const end = (name: string): void => {
    waiting.splice(waiting.indexOf(name), 1);
    held.delete(name);
  };
  const callEnded = (name: string): void =>
    story.receive({
      ...payloadOf(requester(name), equal),
      hook_event_name: "PostToolUse",
      tool_use_id: `toolu_${name}`,
      tool_response: "ok",
    });
  const actions: Record<Step["act"], (name: string, index: number) => Promise<void>> = {
    async ask(name, index) {
      const release = steps.findIndex((step) => step.act === "release" && step.of === name);
      story.holdFor(release === -1 ? MAX_HOLD_MS : (release - index) * STEP_MS);
      asked.set(name, story.ask(payloadOf(requester(name), equal)));
      waiting.push(name);
      held.add(name);
    },
    async release(name) {
      held.delete(name);
    },
    async terminal(name) {
      end(name);
      callEnded(name);
      if (equal) held.clear();
    },
    async page(name) {
      const { id } = asked.get(name)!;
      if (!held.has(name)) {
        expect(() => story.holds.answer(id, { decision: "allow" })).toThrow();
        return;
      }
      expect(story.holds.get(id)!.input).toEqual(payloadOf(requester(name), equal)["tool_input"]);
      story.holds.answer(id, { decision: "allow" });
      await vi.advanceTimersByTimeAsync(1);
      expect(asked.get(name)!.output).toMatchObject({
        hookSpecificOutput: { decision: { behavior: "allow" } },
      });
      end(name);
      callEnded(name);
    },
    async stop() {
      story.receive({
        hook_event_name: "Stop",
        session_id: SESSION,
        prompt_id: "p1",
        cwd: "/home/dev/acme-shop",
        background_tasks: requesters.map(({ name }) => ({ id: `agent-${name}`, type: "agent" })),
      });
      for (const name of [...waiting]) if (requester(name).by === "main") end(name);
    },
    async restart() {
      story.restart([...asked.values()]);
      held.clear();
    },
  };
  for (const [index, step] of steps.entries()) {
    reportView();
    const name = "of" in step ? step.of : "";
    const isAlreadyOver = step.act !== "ask" && name !== "" && !waiting.includes(name);
    if (!isAlreadyOver) await actions[step.act](name, index);
    reportView();
    await vi.advanceTimersByTimeAsync(20);
    // The terminal shows a dialog for every request except a background agent's whose hook is held.
    const registryStatus = waiting.some(
      (waitingName) => requester(waitingName).by === "main" || !held.has(waitingName),
    )
      ? "waiting"
      : "busy";
    if (registryStatus !== status) story.registry(SESSION, registryStatus);
    status = registryStatus;
    await vi.advanceTimersByTimeAsync(startMs + (index + 1) * STEP_MS - 1 - Date.now());
    const where = describeOrder(steps.slice(0, index + 1));
    const snapshot = story.session(SESSION);
    const ids = waiting.map((waitingName) => asked.get(waitingName)!.id);
    const shown = snapshot.requests.map(({ requestId }) => requestId);
    if (equal) expect(shown.length, where).toBe(ids.length);
    else expect(shown, where).toEqual(ids);
    const counts = [snapshot.needsPerson, snapshot.alsoWaiting];
    expect(counts, where).toEqual([ids.length > 0, Math.max(0, ids.length - 1)]);
    for (const request of snapshot.requests) {
      const requesterName = [...asked].find(([, { id }]) => id === request.requestId)![0];
      expect(request.text, where).toBe(equal ? "touch same.txt" : commandOf(requesterName));
    }
    const answerable = [...held].map((heldName) => asked.get(heldName)!.id);
    expect(new Set(story.pending()), where).toEqual(new Set(answerable));
    for (const heldName of held) expect(asked.get(heldName)!.output, where).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
  }
  story.close();
}

describe.each([
  [2, ["stop", "restart"]],
  [3, []],
] as const)("%d requests", (count, extras) => {
  const kinds = AGENTS.flatMap((a) =>
    AGENTS.flatMap((b) => (count === 2 ? [[a, b]] : AGENTS.map((c) => [a, b, c]))),
  );
  // Each combination once: the orders below cover its permutations.
  const combinations = kinds.filter((by) => by.join() === [...by].sort().reverse().join());
  it.each(combinations)(
    `of %s${" and %s".repeat(count - 1)}`,
    { timeout: 3 * TEST_TIMEOUT_MS },
    async (...by) => {
      const requesters = by
        .slice(0, count)
        .map((who, index) => ({ name: "abc"[index]!, by: who as Requester["by"] }));
      let played = 0;
      for (const steps of orders(requesters, extras)) {
        played++;
        // With three there are too many to play all; every seventh varies as the outcomes change.
        if (count === 3 && played % 7 !== 0) continue;
        await play(requesters, steps, false);
      }
      expect(played).toBeGreaterThan(100);
    },
  );
});

it("counts equal requests individually, whichever is answered where", async () => {
  const requesters = ["a", "b"].map((name) => ({ name, by: "main" as const }));
  for (const steps of orders(requesters, [])) await play(requesters, steps, true);
});
