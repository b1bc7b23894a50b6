import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventsPage, SessionDetail, SessionsPage } from "../../src/serve/contract.ts";
import type { PolicyReport, ReplayAnswer, VerdictsAnswer } from "../../src/serve/policy-contract.ts";
import type { ConfigAnswer, DoctorAnswer, SampleAnswer } from "../../src/serve/settings-contract.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
let base: string;
beforeAll(async () => {
  hookline = openHookline();
  await hookline.start();
  base = `http://127.0.0.1:${(await hookline.status()).port}`;
});
afterAll(() => hookline.close());

/** Signs in with the command's address, as a browser follows it. */
async function letIn(): Promise<Record<string, string>> {
  const { code, stdout } = await hookline.run("open", "--print");
  expect(code).toBe(0);
  const [address, login] = stdout.trim().split("/#login=");
  expect(address).toBe(base);
  const response = await fetch(`${base}/api/login`, {
    method: "POST",
    headers: { origin: base },
    body: JSON.stringify({ code: login }),
  });
  expect(response.status).toBe(200);
  return { cookie: response.headers.get("set-cookie")!.split(";")[0]!, origin: base };
}

describe("the pages of a real daemon", () => {
  it("are opened with an address that is printed without a browser", async () => {
    const printed = await hookline.run("open");
    expect(printed).toMatchObject({ code: 0, stderr: expect.stringContaining("it works once") });
    expect(printed.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=[\w-]+\n$/);
    const up = await hookline.run("up");
    expect(up.stdout).toMatch(/#login=[\w-]+\n$/);
  });

  it("have a stream that ends when the login is revoked", async () => {
    const [one, other] = [await letIn(), await letIn()];
    const stream = await fetch(`${base}/api/stream`, { headers: one });
    expect(stream.status).toBe(200);
    const reader = stream.body!.getReader();
    await reader.read();
    const { logins } = (await (await fetch(`${base}/api/logins`, { headers: one })).json()) as {
      logins: { id: string; isThis: boolean }[];
    };
    const mine = logins.find(({ isThis }) => isThis)!;
    await fetch(`${base}/api/logins/${mine.id}`, { method: "DELETE", headers: other });
    const ended = (async () => {
      for (;;) if ((await reader.read()).done) return;
    })();
    await expect(ended.then(() => "ended").catch(() => "ended")).resolves.toBe("ended");
    expect((await fetch(`${base}/api/stream`, { headers: one })).status).toBe(401);
  });

  it("show a complete sample session, and remove it without a trace", async () => {
    const { sessionId } = await hookline.ask<SampleAnswer>("POST", "/api/sample");
    expect(await hookline.ask<SampleAnswer>("POST", "/api/sample")).toEqual({ sessionId });
    const detail = await hookline.ask<SessionDetail>("GET", `/api/sessions/${sessionId}`);
    expect(detail.session).toMatchObject({
      state: "completed",
      projectPath: "/sample/acme-shop",
      title: expect.stringMatching(/^Sample/),
      toolCount: 7,
      failedToolCount: 1,
    });
    expect(detail.turns).toHaveLength(2);
    expect(detail.filesChanged).toHaveLength(2);
    const { events } = await hookline.ask<EventsPage>("GET", `/api/sessions/${sessionId}/events`);
    expect(events.every((event) => event["sample"] === true)).toBe(true);
    const back = await hookline.ask<EventsPage>(
      "GET",
      `/api/sessions/${sessionId}/events?before=${events.at(-1)!.seq}&limit=2`,
    );
    expect(back.events.map(({ seq }) => seq)).toEqual(
      events
        .slice(-3, -1)
        .map(({ seq }) => seq)
        .reverse(),
    );
    expect(await hookline.ask("DELETE", "/api/sample")).toEqual({ sessionId: null });
    expect((await hookline.ask<SessionsPage>("GET", "/api/sessions")).sessions).toEqual([]);
    expect(hookline.query("SELECT count(*) AS n FROM facts WHERE session_id LIKE 'sample-%'")).toEqual([
      { n: 0 },
    ]);
    const again = await hookline.ask<SampleAnswer>("POST", "/api/sample");
    expect(again.sessionId).not.toBe(sessionId);
  });

  it("save only valid rules, and never overwrite another change", async () => {
    const target = join(hookline.root, "my-rules.json");
    writeFileSync(target, "");
    symlinkSync(target, hookline.home.rules);
    const text = '{ "tools": [{ "match": "Bash(npm test*)", "then": "allow" }] }';
    const report = await hookline.ask<PolicyReport>("PUT", "/api/rules", { text, was: "" });
    expect(report).toMatchObject({
      text,
      problems: [],
      rules: [{ match: "Bash(npm test*)", does: "allow" }],
    });
    expect(readFileSync(target, "utf8")).toBe(text);
    const wrong = hookline.ask("PUT", "/api/rules", { text: '{\n "tools": 1 }' });
    await expect(wrong).rejects.toThrow(/400 .*rules_invalid.*"line":2/);
    const late = hookline.ask("PUT", "/api/rules", { text: "", was: "other" });
    await expect(late).rejects.toThrow(/409 .*rules_changed/);
    expect(readFileSync(target, "utf8")).toBe(text);
  });

  it("test rules on recorded calls, and list verdicts", async () => {
    const base = { hook_event_name: "PreToolUse", session_id: "s1", cwd: hookline.root, prompt_id: "p1" };
    const call = { tool_name: "Bash", tool_input: { command: "npm run deploy" }, tool_use_id: "call-1" };
    await hookline.fire({ ...base, ...call });
    await hookline.settle();
    const rules = '{ "tools": [{ "match": "Bash(npm run deploy*)", "then": "deny" }] }';
    const since = new Date(Date.now() - 60_000).toISOString();
    const tried = await hookline.ask<ReplayAnswer>("POST", "/api/policy/replay", { rules, since });
    expect(tried).toMatchObject({ denied: 1, changed: 1 });
    expect(tried.found).toContainEqual(
      expect.objectContaining({ text: "npm run deploy", verdict: "deny", now: "ask" }),
    );
    const wrong = await hookline.ask<ReplayAnswer>("POST", "/api/policy/replay", { rules: "{" });
    expect(wrong).toMatchObject({ calls: 0, problems: [{ line: 1 }] });
    const { verdicts } = await hookline.ask<VerdictsAnswer>("GET", "/api/verdicts?limit=5");
    expect(verdicts).toEqual([]);
  });

  it("change only settings that are safe to change there, and keep the rest of the file", async () => {
    writeFileSync(hookline.home.configFile, JSON.stringify({ approve: { on: true }, retentionDays: 90 }));
    const answer = await hookline.ask<ConfigAnswer>("PUT", "/api/config", {
      key: "approve.holdSeconds",
      value: 30,
    });
    expect(answer.settings).toContainEqual(
      expect.objectContaining({ key: "approve.holdSeconds", value: 30, default: 120, live: true }),
    );
    expect(JSON.parse(readFileSync(hookline.home.configFile, "utf8"))).toEqual({
      approve: { on: true, holdSeconds: 30 },
      retentionDays: 90,
    });
    for (const key of [
      "control.claude",
      "port",
      "streamPath",
      "memory.embedder",
      "retentionDays",
      "__proto__.x",
    ])
      await expect(hookline.ask("PUT", "/api/config", { key, value: "x" })).rejects.toThrow(
        /config_key_refused/,
      );
    const wrong = hookline.ask("PUT", "/api/config", { key: "approve.holdSeconds", value: "x" });
    await expect(wrong).rejects.toThrow(/config_invalid/);
  });

  it("show and repair the same as doctor", async () => {
    const { checks } = await hookline.ask<DoctorAnswer>("GET", "/api/doctor");
    expect(checks).toContainEqual(expect.objectContaining({ code: "daemon_up", status: "ok" }));
    expect(checks).toContainEqual(expect.objectContaining({ code: "hooks_installed", status: "fail" }));
    chmodSync(hookline.home.spool, 0o755);
    const mended = await hookline.ask<DoctorAnswer>("POST", "/api/doctor/fix");
    expect(mended.fixed.map(({ code }) => code)).toContain("spool_modes");
    expect(statSync(hookline.home.spool).mode & 0o777).toBe(0o700);
  });
});
