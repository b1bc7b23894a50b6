import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../support/cli.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
let project: string;
beforeEach(() => {
  hookline = openHookline();
  project = join(hookline.root, "acme-shop");
  mkdirSync(project);
});
afterEach(() => hookline.close());

const SECRET = `ghp_${"k4Zt8QpLw2Xv7Rb1Nc6Md9Sf3Hj5Gy0TaUeI"}`;
/** Each run of the rule is a line with the id of its event. */
const COUNT = 'echo "$HOOKLINE_EVENT_ID" >> "$HOME/ran"';

function react(...entries: readonly object[]): void {
  writeFileSync(hookline.home.rules, JSON.stringify({ reactions: entries }));
}

const ran = (name = "ran"): string[] => {
  const file = join(hookline.root, name);
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};
const stop = (sessionId: string) => ({
  hook_event_name: "Stop",
  session_id: sessionId,
  cwd: project,
  prompt_id: "p1",
  stop_hook_active: false,
  last_assistant_message: "done",
});
const recorded = (): number =>
  hookline.query("SELECT count(*) AS n FROM events WHERE event_type = 'control.reaction'")[0]!["n"] as number;

describe("reactions of a daemon", () => {
  it("run for live events, and are logged", async () => {
    const posted: Record<string, unknown>[] = [];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += String(part);
      posted.push(JSON.parse(body) as Record<string, unknown>);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    react(
      { id: "count", on: "Stop", do: { type: "command", command: COUNT } },
      { id: "post", on: "Stop", do: { type: "webhook", url } },
    );
    await hookline.start();
    await hookline.fire({ ...stop("s1"), last_assistant_message: `the key is ${SECRET}` });
    await until(() => recorded() === 2);
    server.close();
    // Masked, as everything that was recorded.
    expect(JSON.stringify(posted)).not.toContain(SECRET);
    expect(posted).toMatchObject([
      { specversion: "1.0", type: "hookline.turn.end", data: { sessionId: "s1" } },
    ]);
    expect(ran()).toHaveLength(1);
    const rows = hookline.query(
      "SELECT payload_json AS json FROM events WHERE event_type = 'control.reaction'",
    );
    const reaction = { rule: "user/count", eventId: ran()[0], action: "command", ok: true, message: null };
    expect(
      rows.map(({ json }) => (JSON.parse(String(json)) as { reaction: unknown }).reaction),
    ).toContainEqual(reaction);
  });

  it("do not run for an import, a rebuild, or old spool files", async () => {
    react(
      { id: "stops", on: "Stop", do: { type: "command", command: COUNT } },
      { id: "calls", on: "PostToolUse", do: { type: "command", command: COUNT } },
      { id: "prompts", on: "UserPromptSubmit", do: { type: "command", command: COUNT } },
    );
    // Written while no daemon ran, more than a minute ago.
    await hookline.fire(stop("old"));
    const longAgo = new Date(Date.now() - 90_000);
    for (const name of hookline.spoolFiles()) utimesSync(join(hookline.home.spool, name), longAgo, longAgo);
    await hookline.start();
    await hookline.settle();
    writeTranscript();
    const imported = await hookline.run("import", join(hookline.root, "transcripts"), "--json");
    expect(imported).toMatchObject({ code: 0 });
    expect((await hookline.run("rebuild")).code).toBe(0);
    await hookline.settle();
    expect(hookline.query("SELECT 1 FROM events WHERE event_type = 'turn.end'").length).toBeGreaterThan(0);
    expect(hookline.query("SELECT 1 FROM events WHERE session_id = 'imported'").length).toBeGreaterThan(0);
    // A live event shows that everything before it was processed.
    await hookline.fire(stop("now"));
    await until(() => recorded() > 0);
    expect(ran()).toHaveLength(1);
    // Nor when everything is delivered again.
    expect((await hookline.run("rebuild")).code).toBe(0);
    await hookline.settle();
    await sleep(300);
    expect(ran()).toHaveLength(1);
  });

  it("run at most twice when killed between running and recording", async () => {
    react({
      id: "slow",
      on: "Stop",
      do: { type: "command", command: `${COUNT}; sleep 1; echo end >> "$HOME/ended"` },
    });
    const daemon = await hookline.start();
    await hookline.fire(stop("s1"));
    await until(() => ran().length === 1);
    await daemon.kill("SIGKILL");
    await hookline.start();
    await until(() => recorded() === 1);
    expect(ran()).toHaveLength(2);
    expect(new Set(ran()).size).toBe(1);
    // The first run's file was removed with its home.
    expect(ran("ended")).toEqual(["end"]);
    const again = await hookline.run("rebuild");
    expect(again.code).toBe(0);
    await sleep(300);
    expect(ran()).toHaveLength(2);
  });

  it("notify once about a waiting session, also across a restart, and never about one answered at once", async () => {
    react({
      id: "waits",
      on: "needs_person",
      do: { type: "command", command: 'echo "$HOOKLINE_SESSION" >> "$HOME/ran"' },
    });
    const asks = (sessionId: string) => ({
      ...{ session_id: sessionId, cwd: project, prompt_id: "p1", tool_name: "Bash" },
      tool_input: { command: "npm publish" },
    });
    const daemon = await hookline.start();
    await hookline.fire({ ...asks("answered"), hook_event_name: "PermissionRequest" });
    await hookline.fire({
      ...{ ...asks("answered"), hook_event_name: "PostToolUse", tool_use_id: "toolu_1" },
      tool_response: { stdout: "" },
    });
    await hookline.fire({ ...asks("waits"), hook_event_name: "PermissionRequest" });
    await until(() => recorded() === 1);
    // It asks, and the daemon is killed before it can notify.
    await hookline.fire({ ...asks("left"), hook_event_name: "PermissionRequest" });
    await until(() => hookline.query("SELECT 1 FROM events WHERE session_id = 'left'").length > 0);
    await daemon.kill("SIGKILL");
    await hookline.start();
    await until(() => ran().includes("left"));
    await sleep(1_500);
    expect(ran().filter((sessionId) => sessionId !== "left")).toEqual(["waits"]);
  });
});

/** One turn with a call, recent enough to count as live. */
function writeTranscript(): void {
  const folder = join(hookline.root, "transcripts", "-acme-shop");
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const common = {
    sessionId: "imported",
    cwd: project,
    timestamp: at,
    version: "2.1.325",
    isSidechain: false,
  };
  const call = { type: "tool_use", id: "toolu_import", name: "Read", input: { file_path: "/a" } };
  const lines = [
    {
      ...common,
      type: "user",
      uuid: "u1",
      parentUuid: null,
      promptId: "p9",
      message: { role: "user", content: "look" },
    },
    {
      ...common,
      type: "assistant",
      uuid: "u2",
      parentUuid: "u1",
      message: {
        id: "m1",
        role: "assistant",
        model: "claude-test",
        content: [call],
        stop_reason: "tool_use",
      },
    },
    {
      ...common,
      type: "user",
      uuid: "u3",
      parentUuid: "u2",
      promptId: "p9",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "toolu_import", content: "text" }],
      },
    },
  ];
  writeFileSync(join(folder, "imported.jsonl"), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}
