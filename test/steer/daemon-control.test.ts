import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Card, DrivenSession } from "../../src/control/control-contract.ts";
import type { SessionDetail } from "../../src/monitor/session-detail.ts";
import { hashShown, showRequest } from "../../src/shown/show-request.ts";
import { type AttachedClient, openSteering, type Steering } from "../support/control.ts";

// API requests to sessions that a real daemon drives, and what a stop or a replacement of the daemon does to them.

const KEY = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

let steering: Steering;
beforeEach(async () => {
  steering = await openSteering(({ lastUserText, body }) => {
    const made = body.messages!.filter(({ role }) => role === "assistant").length;
    const file_path = join(steering.scratch.project, "README.md");
    if (lastUserText.includes("please change") && made === 0)
      return { tools: [{ name: "Read", input: { file_path } }] };
    if (JSON.stringify(body.messages).includes("please change") && made === 1)
      return { tools: [{ name: "Write", input: { file_path, content: "changed\n" } }] };
    if (lastUserText.includes("please ask") && made === 0)
      return { tools: [{ name: "Bash", input: { command: "touch made" } }] };
    if (lastUserText.includes("show"))
      return { text: `It is ${KEY}.`, tools: [{ name: "Bash", input: { command: `echo ${KEY}` } }] };
    if (lastUserText.includes("think")) return { text: "late", delayMs: 60_000 };
    return { text: "ok" };
  });
});
afterEach(async () => {
  // A daemon started by `up` is not our child.
  await steering?.hookline.run("down");
  await steering?.close();
});

const isIdleAgain = ({ envelopes }: AttachedClient): boolean =>
  envelopes.some(({ type }) => type === "result") && lastState(envelopes) === "idle";
function lastState(envelopes: AttachedClient["envelopes"]): string | undefined {
  return envelopes.flatMap((one) => (one.type === "state" ? [one.state] : [])).at(-1);
}
async function turn(client: AttachedClient): Promise<void> {
  await client.until(() => isIdleAgain(client));
}
const tell = <T = DrivenSession>(id: string, act: string, body: object = {}) =>
  steering.ask<T>("POST", `/api/control/sessions/${id}/${act}`, body);

/** Answers as a client that has rendered the card. */
const answer = async (card: Card, decision: "allow" | "deny") =>
  tell(card.sessionId, `answer/${card.id}`, { decision, shown: await hashShown(showRequest(card)) });

it("changes mode and model, and rewinds files", async () => {
  const { sessionId } = await steering.start({ prompt: "please change it" });
  const client = await steering.attach(sessionId);
  await client.until(({ type }) => type === "permission.request");
  const { body: cards } = await steering.ask<{ cards: Card[] }>("GET", "/api/control/cards");
  expect((await answer(cards.cards[0]!, "allow")).status).toBe(200);
  await turn(client);
  const file = join(steering.scratch.project, "README.md");
  expect(readFileSync(file, "utf8")).toBe("changed\n");
  expect((await tell(sessionId, "mode", { mode: "acceptEdits" })).body.mode).toBe("acceptEdits");
  expect((await tell(sessionId, "model", { model: "claude-haiku-4-5" })).body.model).toBe("claude-haiku-4-5");
  expect(
    (await tell(sessionId, "send", { text: "x", images: [{ mediaType: "text/html", data: "eA==" }] })).status,
  ).toBe(400);
  const [user] = client.envelopes.flatMap((one) => (one.type === "user" ? [one] : []));
  const rewound = await tell<{ ok: boolean }>(sessionId, "rewind", { messageId: user!.messageId });
  expect(rewound.body.ok).toBe(true);
  expect(readFileSync(file, "utf8")).not.toBe("changed\n");
  client.close();
});

it("reports one mode of a session in every view", async () => {
  const { sessionId } = await steering.start({ prompt: "hi", mode: "acceptEdits" });
  const client = await steering.attach(sessionId);
  await turn(client);
  const modes = async () => {
    const driven = await steering.ask<DrivenSession>("GET", `/api/control/sessions/${sessionId}`);
    const watched = await steering.ask<SessionDetail>("GET", `/api/sessions/${sessionId}`);
    const { stdout } = await steering.hookline.run("session", sessionId, "--json");
    return [driven.body.mode, watched.body.session.permissionMode, JSON.parse(stdout).session.permissionMode];
  };
  const all = (mode: string) => expect.poll(modes).toEqual([mode, mode, mode]);
  await all("acceptEdits");
  await tell(sessionId, "mode", { mode: "bypassPermissions" });
  await all("bypassPermissions");
  await tell(sessionId, "send", { text: "go on" });
  await client.until(() => client.envelopes.filter(({ type }) => type === "result").length === 2);
  await all("bypassPermissions");
  await tell(sessionId, "close");
  await steering.hookline.settle();
  await all("bypassPermissions");
  client.close();
});

it("applies configuration and rules as they change, and reports their errors in its status", async () => {
  const { scratch, hookline, ask } = steering;
  mkdirSync(join(scratch.home, ".claude"), { recursive: true });
  writeFileSync(join(scratch.home, ".claude", ".credentials.json"), "{}");
  const begin = () => ask("POST", "/api/control/sessions", { cwd: scratch.project });
  expect(await begin()).toMatchObject({ status: 409, body: { error: { code: "billing_choice" } } });
  const config = JSON.parse(readFileSync(hookline.home.configFile, "utf8")) as { control: object };
  writeFileSync(
    hookline.home.configFile,
    JSON.stringify({
      ...config,
      guard: { on: true },
      control: { ...config.control, billing: "subscription" },
    }),
  );
  expect((await begin()).status).toBe(201);
  writeFileSync(hookline.home.rules, "{");
  const { body } = await ask("GET", "/api/status");
  expect(body).toMatchObject({
    steering: {
      guard: "open",
      driven: { running: 1 },
      rules: [expect.stringMatching(/rules\.json was not loaded, line 1: .*; none of its rules is active$/)],
    },
  });
});

it("leaves no secret in envelopes, logs, notices and refusals", async () => {
  const { sessionId } = await steering.start({ prompt: `show ${KEY}`, mode: "bypassPermissions" });
  const client = await steering.attach(sessionId);
  await client.until(({ type }) => type === "tool.end");
  expect((await tell(sessionId, "close")).status).toBe(200);
  const refused = await tell(sessionId, "send", { text: KEY });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: "session_closed" } } });
  const again = await steering.attach(sessionId);
  await again.until((one) => one.type === "state" && one.state === "closed");
  expect(again.envelopes.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["user", "text", "tool.start"]),
  );
  expect(JSON.stringify(again.envelopes)).toContain("[REDACTED:");
  const status = await steering.ask("GET", "/api/status");
  for (const answers of [client.envelopes, again.envelopes, refused.body, status.body])
    expect(JSON.stringify(answers)).not.toContain(KEY);
  await steering.hookline.settle();
  const holding = filesUnder(steering.hookline.home.dir).filter((path) => readFileSync(path).includes(KEY));
  expect(holding).toEqual([]);
  const log = readdirSync(steering.hookline.home.logs).find((name) => name.startsWith("sdk-"))!;
  expect(statSync(join(steering.hookline.home.logs, log)).mode & 0o777).toBe(0o600);
  client.close();
  again.close();
});

function filesUnder(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

it("is not replaced while an agent works or waits; afterwards its idle sessions are closed and resumable", async () => {
  const { hookline } = steering;
  const waiting = await steering.start({ prompt: "please ask" });
  const client = await steering.attach(waiting.sessionId);
  await client.until(({ type }) => type === "permission.request");
  const refused = await hookline.run("up", "--restart");
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/1 driven session that is not idle; `hookline up --wait` waits/),
  });
  expect(lastState(client.envelopes)).toBe("awaiting_permission");

  const up = hookline.run("up", "--restart", "--wait");
  await sleep(1_500);
  expect(lastState(client.envelopes)).toBe("awaiting_permission");
  const { body: cards } = await steering.ask<{ cards: Card[] }>("GET", "/api/control/cards");
  await answer(cards.cards[0]!, "deny");
  const came = await up;
  expect(came.stderr).toContain("not idle; waiting…");
  expect(came.stdout).toContain("closed 1 idle driven session, which can be resumed");
  const after = await steering.attach(waiting.sessionId);
  const closed = await after.until((one) => one.type === "state" && one.state === "closed");
  expect(closed).toMatchObject({ why: "Hookline was stopped" });
  after.close();

  // In the folder recorded in the log.
  const credentials = { ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: steering.api.url };
  const resumed = await tell(waiting.sessionId, "resume", { credentials, prompt: "go on" });
  expect(resumed).toMatchObject({ status: 201, body: { cwd: steering.scratch.project } });
  const back = await steering.attach(waiting.sessionId, after.envelopes.at(-1)!.seq);
  await turn(back);
  back.close();
  expect(await hookline.run("down")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 driven session ended"),
  });
});

it("ends its sessions within seconds of a stop, reports it, and leaves nothing pending", async () => {
  const asking = await steering.start({ prompt: "please ask" });
  const thinking = await steering.start({ prompt: "please think" });
  const client = await steering.attach(asking.sessionId);
  await client.until(({ type }) => type === "permission.request");
  const { pid } = (await steering.ask<DrivenSession>("GET", `/api/control/sessions/${asking.sessionId}`))
    .body;
  const down = await steering.hookline.run("down");
  // `down` fails if the daemon has not stopped after 15 s.
  expect(down).toMatchObject({ code: 0 });
  expect(down.stdout).toMatch(
    /^Stopped\. 2 driven sessions ended with it, 2 of them busy\. To continue one of them: `hookline run --resume/,
  );
  expect(client.envelopes).toContainEqual(
    expect.objectContaining({ type: "permission.resolved", outcome: "withdrawn", by: "ended" }),
  );
  expect(() => process.kill(pid!, 0)).toThrow();

  steering.daemon = await steering.hookline.start();
  for (const { sessionId } of [asking, thinking]) {
    const past = await steering.ask<DrivenSession>("GET", `/api/control/sessions/${sessionId}`);
    expect(past).toMatchObject({ status: 200, body: { state: "closed", why: "Hookline was stopped" } });
  }
  const { body: cards } = await steering.ask<{ cards: Card[] }>("GET", "/api/control/cards");
  expect(cards.cards).toEqual([]);
});
