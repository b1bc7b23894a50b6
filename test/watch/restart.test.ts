import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { SessionSnapshot, SessionsPage } from "../../src/serve/contract.ts";
import { type Message, parseMessages } from "../../src/serve/stream-client.testing.ts";
import { type FakeAgent, openFakeAgent } from "../support/fake-agent.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const bash = (command: string): object => ({ tool_name: "Bash", tool_input: { command }, prompt_id: "" });

function scratch(): Hookline {
  const hookline = openHookline();
  closing.push(() => hookline.close());
  return hookline;
}

function agent(hookline: Hookline, sessionId: string): FakeAgent {
  const opened = openFakeAgent(hookline, sessionId);
  closing.push(() => opened.kill());
  return opened;
}

/** Running a tool; the waiting one asks first. */
async function begin(agent: FakeAgent, command: string, isAsking: boolean): Promise<void> {
  const prompt_id = `${agent.sessionId}-p`;
  await agent.fire("SessionStart", { source: "startup", model: "claude-opus-5-5" });
  await agent.fire("UserPromptSubmit", { prompt_id, prompt: "clean up" });
  await agent.fire("PreToolUse", { ...bash(command), prompt_id, tool_use_id: `${agent.sessionId}-t` });
  if (isAsking) await agent.fire("PermissionRequest", { ...bash(command), prompt_id });
}

async function shown(hookline: Hookline): Promise<Map<string, SessionSnapshot>> {
  const { sessions } = await hookline.ask<SessionsPage>("GET", "/api/sessions");
  return new Map(sessions.map((session) => [session.sessionId, session]));
}

async function until(
  hookline: Hookline,
  fits: (sessions: Map<string, SessionSnapshot>) => boolean,
): Promise<Map<string, SessionSnapshot>> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    const sessions = await shown(hookline);
    if (fits(sessions)) return sessions;
    if (Date.now() > end) throw new Error(JSON.stringify([...sessions.values()], null, 1));
  }
}

/** The first messages for a client that has received everything up to `lastEventId`. */
function listen(hookline: Hookline, count: number, lastEventId?: string): Promise<Message[]> {
  return new Promise((resolve, reject) => {
    const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const call = request({ socketPath: hookline.home.sock, path: "/api/stream", headers, agent: false });
    call.on("error", reject).end();
    call.on("response", (response) => {
      let text = "";
      response.on("error", () => undefined);
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        const { messages } = parseMessages(text);
        if (messages.length < count) return;
        resolve(messages.slice(0, count));
        call.destroy();
      });
    });
  });
}

const events = (hookline: Hookline): unknown[] => hookline.query("SELECT id FROM events ORDER BY id");

describe.each<NodeJS.Signals>(["SIGTERM", "SIGKILL"])("a daemon that ends with %s and restarts", (signal) => {
  it("shows waiting and working sessions as before, notifies its clients, and loses nothing", async () => {
    const hookline = scratch();
    const first = await hookline.start();
    const [waits, works] = [agent(hookline, "waits"), agent(hookline, "works")];
    await begin(waits, "rm -r dist", true);
    await begin(works, "npm run e2e", false);
    await hookline.settle();
    const before = await until(hookline, (sessions) => sessions.size === 2);
    expect(before.get("waits")).toMatchObject({
      activityPhase: "waiting_permission",
      needsPerson: true,
      pid: waits.pid,
      waiting: { text: "rm -r dist", toolUseId: "waits-t" },
    });
    expect(before.get("works")).toMatchObject({ activityPhase: "busy", action: { text: "npm run e2e" } });
    const [reset] = await listen(hookline, 1);
    const known = events(hookline);

    await first.kill(signal);
    await hookline.start();
    const messages = await listen(hookline, 2, reset!.id);
    expect(messages).toMatchObject([{ event: "gap", data: { reason: "restarted" } }, { event: "reset" }]);
    const after = await until(hookline, (sessions) => sessions.size === 2);
    expect(after).toEqual(before);
    // Long enough for it to check the processes.
    await sleep(4_000);
    expect(await shown(hookline)).toEqual(before);
    expect(events(hookline)).toEqual(known);

    // Both continue from where they were.
    const prompt_id = "waits-p";
    const ran = { ...bash("rm -r dist"), prompt_id, tool_use_id: "waits-t", tool_response: { stdout: "" } };
    await waits.fire("PostToolUse", ran);
    await works.fire("Stop", { prompt_id: "works-p" });
    await hookline.settle();
    await until(
      hookline,
      (sessions) =>
        sessions.get("waits")!.activityPhase === "busy" &&
        sessions.get("works")!.activityPhase === "interactable",
    );
  });
});

describe("a daemon whose database was rebuilt while it was down", () => {
  const rebuilt = async (): Promise<{ hookline: Hookline; waits: FakeAgent }> => {
    const hookline = scratch();
    const first = await hookline.start();
    const waits = agent(hookline, "waits");
    await begin(waits, "rm -r dist", false);
    await hookline.settle();
    await first.kill("SIGTERM");
    expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
    return { hookline, waits };
  };

  it("shows waiting sessions after another kill, and after a rebuild while it runs", async () => {
    const { hookline, waits } = await rebuilt();
    const second = await hookline.start();
    // Its row is made of what is recorded, before it asks.
    await until(hookline, (sessions) => sessions.get("waits")?.activityPhase === "busy");
    const made = (): unknown[] => hookline.query("SELECT session_id FROM session_snapshots");
    while (made().length === 0) await sleep(20);
    await waits.fire("PermissionRequest", { ...bash("rm -r dist"), prompt_id: "waits-p" });
    await hookline.settle();
    const isAsking = (sessions: Map<string, SessionSnapshot>): boolean =>
      sessions.get("waits")?.needsPerson === true;
    await until(hookline, isAsking);
    await second.kill("SIGKILL");
    await hookline.start();
    await hookline.settle();
    await until(hookline, isAsking);
    await hookline.ask("POST", "/api/rebuild");
    expect(isAsking(await shown(hookline))).toBe(true);
  });
});

describe("a daemon that was down", () => {
  it("marks killed sessions as lost and ended ones as ended, and shows what hooks left for it", async () => {
    const hookline = scratch();
    const first = await hookline.start();
    const [killed, ended, late] = ["killed", "ended", "late"].map((id) => agent(hookline, id));
    await begin(killed!, "rm -r dist", true);
    await begin(ended!, "npm test", false);
    await hookline.settle();
    await until(hookline, (sessions) => sessions.size === 2);
    await first.kill("SIGKILL");

    await killed!.kill();
    await ended!.fire("SessionEnd", { reason: "other" });
    await ended!.kill();
    await begin(late!, "npm publish", true);
    await hookline.start();
    await hookline.settle();
    const sessions = await until(hookline, (all) => all.get("killed")?.state === "lost");
    expect(sessions.get("killed")).toMatchObject({ activityPhase: null, waiting: null, needsPerson: false });
    expect(sessions.get("ended")).toMatchObject({ state: "completed", endReason: "other" });
    expect(sessions.get("late")).toMatchObject({ state: "active", waiting: { text: "npm publish" } });
    // Each was told once: 4 or 3 hooks, the request with its own word, and the loss.
    const counts = hookline.query("SELECT session_id, count(*) AS n FROM events GROUP BY 1 ORDER BY 1");
    expect(counts).toMatchObject([
      { session_id: "ended", n: 4 },
      { session_id: "killed", n: 6 },
      { session_id: "late", n: 5 },
    ]);
  });
});
