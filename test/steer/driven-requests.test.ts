import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/control/control-contract.ts";
import type { SessionDetail } from "../../src/serve/contract.ts";
import { hashShown, showRequest } from "../../src/shown/show-request.ts";
import { openSteering, type Steering } from "../support/control.ts";

// A driven session's request is the same in every view: raw, complete, and under one id.

const BIN = join(import.meta.dirname, "../../bin/hookline");
const KEY = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const question = {
  question: "Which database?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "SQLite", description: "one file" },
    { label: "Postgres", description: `with ${KEY}` },
  ],
};
const calls: Readonly<Record<string, { readonly name: string; readonly input: object }>> = {
  tagged: { name: "Bash", input: { command: "npm test # <private>\ntouch unseen # </private>" } },
  secret: { name: "Bash", input: { command: `echo ${KEY} > unseen` } },
  hidden: { name: "Bash", input: { command: "touch unseen" } },
  long: { name: "Bash", input: { command: `# ${"x".repeat(40_000)}\ntouch unseen` } },
  choice: {
    name: "AskUserQuestion",
    input: { questions: [question], metadata: { source: "remember" } },
  },
  agent: {
    name: "Agent",
    input: { description: "ask", prompt: "now touch", subagent_type: "general-purpose" },
  },
};

let steering: Steering;
beforeEach(async () => {
  steering = await openSteering(({ lastUserText, agentId }) => {
    if (agentId !== undefined)
      return lastUserText.includes("now touch")
        ? { tools: [{ name: "Bash", input: { command: "touch unseen" } }] }
        : { text: "ok" };
    const [, name, id] = /call (\w+)(?: as (\S+))?/.exec(lastUserText) ?? [];
    if (name === undefined) return { text: "ok" };
    const call = calls[name] ?? { name: "Bash", input: { command: `touch ${name}` } };
    return { tools: [{ ...call, ...(id !== undefined && { id }) }] };
  });
});
afterEach(() => steering?.close());

const cards = async (): Promise<readonly Card[]> =>
  (await steering.ask<{ cards: Card[] }>("GET", "/api/control/cards")).body.cards;
async function waiting(count: number): Promise<readonly Card[]> {
  await expect.poll(async () => (await cards()).length).toBe(count);
  return cards();
}
const close = (sessionId: string) => steering.ask("POST", `/api/control/sessions/${sessionId}/close`, {});
/** Answers as a client that has rendered the card. */
const answer = async (card: Card, answer: object, path = `cards/${encodeURIComponent(card.id)}/answer`) => {
  const shown = await hashShown(showRequest(card));
  return steering.ask<Card>("POST", `/api/control/${path}`, { ...answer, shown });
};

/** The output of `hookline attach`. */
function attach(sessionId: string): { output: () => string; ended: Promise<number | null> } {
  const child = spawn(BIN, ["attach", sessionId], {
    env: steering.hookline.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return { output: () => output, ended: new Promise((resolve) => child.on("close", resolve)) };
}

describe("a request of a driven session is the raw one", () => {
  it.each(Object.keys(calls))("in every view, and can be answered: %s", async (name) => {
    const prompt = name === "hidden" ? `<private>call ${name}</private>` : `call ${name}`;
    const { sessionId } = await steering.start({ prompt });
    const attached = attach(sessionId);
    const [card] = await waiting(1);
    const asked = name === "agent" ? { command: "touch unseen" } : calls[name]!.input;
    expect(card!.input).toMatchObject(asked);
    if (name === "agent") expect(card!.agentType).toBe("general-purpose");
    expect((await steering.ask("GET", `/api/control/cards/${card!.id}`)).body).toEqual(card);
    const { body: session } = await steering.ask<{ pending: Card[] }>(
      "GET",
      `/api/control/sessions/${sessionId}`,
    );
    expect(session.pending).toEqual([card]);
    const { stdout } = await steering.hookline.run("answer", card!.id);
    const last = name === "choice" ? KEY : /unseen/;
    expect(stdout).toMatch(last);
    await expect.poll(attached.output).toMatch(last);

    const given = name === "choice" ? { answers: { [question.question]: "SQLite" } } : { decision: "deny" };
    const path = name === "long" ? `sessions/${sessionId}/answer/${card!.id}` : undefined;
    const settled = await answer(card!, given, path);
    expect([settled.status, settled.body.settled?.by]).toEqual([200, "user"]);
    await waiting(0);
    await close(sessionId);
    expect(await attached.ended).toBe(0);
    expect(existsSync(join(steering.scratch.project, "unseen"))).toBe(false);
  });
});

it("tells the second client who answered first, also by id prefix and after a restart", async () => {
  const { sessionId } = await steering.start({ prompt: "call one as toolu_014be2dc00000000000000" });
  const [card] = await waiting(1);
  const start = card!.id.slice(0, 14);
  expect((await answer(card!, { decision: "deny", who: "Ann" })).status).toBe(200);
  await waiting(0);
  const { hookline } = steering;
  const tellsWho = async (id: string): Promise<void> => {
    const seen = await hookline.run("answer", id);
    expect(seen).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Already settled: .*by Ann\.\n$/) });
    const late = await hookline.run("answer", id, "y");
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining("by Ann") });
    for (const path of [`cards/${id}/answer`, `sessions/${sessionId}/answer/${id}`])
      expect(await steering.ask("POST", `/api/control/${path}`, { decision: "allow" })).toMatchObject({
        status: 409,
        body: { error: { code: "not_pending", message: expect.stringContaining("by Ann") } },
      });
  };
  for (const id of [card!.id, start]) await tellsWho(id);
  await close(sessionId);
  await steering.daemon.kill("SIGKILL");
  steering.daemon = await hookline.start();
  for (const id of [card!.id, start]) await tellsWho(id);
  expect(await hookline.run("answer", "toolu_014be2dd")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not found"),
  });
});

describe("a request of a driven session has an id of its own", () => {
  it("where two sessions have calls with the same id", async () => {
    const second = join(steering.scratch.home, "second");
    mkdirSync(second);
    const { sessionId: one } = await steering.start({ prompt: "call first as call_0" });
    await waiting(1);
    const { sessionId: two } = await steering.start({ prompt: "call other as call_0", cwd: second });
    const both = await waiting(2);
    expect(both.map(({ sessionId, input }) => [sessionId, input])).toEqual([
      [one, { command: "touch first" }],
      [two, { command: "touch other" }],
    ]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
    for (const card of both)
      expect((await steering.ask("GET", `/api/control/cards/${card.id}`)).body).toEqual(card);
    const listed = await steering.hookline.run("answer");
    expect(listed.stdout).toMatch(/touch first[\s\S]*touch other/);
    const recordedIds = async () =>
      (await steering.ask<SessionDetail>("GET", `/api/sessions/${two}`)).body.session.requests.map(
        ({ requestId }) => requestId,
      );
    await expect.poll(recordedIds).toEqual([both[1]!.id]);

    const byCall = () => steering.ask("GET", "/api/control/cards/call_0");
    expect((await byCall()).body).toMatchObject({ error: { code: "card_ambiguous" } });
    expect((await answer(both[0]!, { decision: "deny" })).body.sessionId).toBe(one);
    const [remaining] = await waiting(1);
    expect(remaining).toEqual(both[1]);
    expect((await byCall()).body).toEqual(remaining);
    // The call's id works too while only one such request of the session is pending, but never for one not yet shown.
    const path = `/api/control/sessions/${two}/answer/call_0`;
    expect((await steering.ask("POST", path, { decision: "allow" })).body).toMatchObject({
      error: { code: "shown_missing" },
    });
    const shown = await hashShown(showRequest(both[0]!));
    expect((await steering.ask("POST", path, { decision: "allow", shown })).body).toMatchObject({
      error: { code: "shown_mismatch" },
    });
    const denied = await answer(remaining!, { decision: "deny" }, path.replace("/api/control/", ""));
    expect(denied.body).toMatchObject({ sessionId: two, settled: { outcome: "deny" } });
    expect(["first", "other"].some((name) => existsSync(join(second, name)))).toBe(false);
  });

  it("where one session has two calls with the same id, and after a crash", async () => {
    const { sessionId } = await steering.start({ prompt: "call first as call_0" });
    const [first] = await waiting(1);
    expect((await answer(first!, { decision: "deny" })).status).toBe(200);
    const client = await steering.attach(sessionId);
    await client.until(({ type }) => type === "result");
    client.close();
    const send = { text: "call other as call_0" };
    expect((await steering.ask("POST", `/api/control/sessions/${sessionId}/send`, send)).status).toBe(200);
    const [second] = await waiting(1);
    expect(second).toMatchObject({ toolUseId: "call_0", input: { command: "touch other" } });
    expect(second!.id).not.toBe(first!.id);
    expect((await steering.ask("GET", `/api/control/cards/${first!.id}`)).body).toMatchObject({
      status: "settled",
      input: { command: "touch first" },
    });

    await steering.hookline.settle();
    await steering.daemon.kill("SIGKILL");
    steering.daemon = await steering.hookline.start();
    const [lost] = await waiting(1);
    expect(lost).toMatchObject({ id: second!.id, toolUseId: "call_0", status: "lost" });
    expect((await steering.hookline.run("answer", lost!.id)).stdout).toMatch(/touch other[\s\S]*again/);
  });
});
