import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { driveReactions, type Reactions } from "./drive-reactions.ts";
import { openReactionWorld, type ReactionWorld, rule } from "./reaction-world.testing.ts";

let world: ReactionWorld;
let reactions: Reactions | null = null;
beforeEach(() => {
  world = openReactionWorld();
});
afterEach(async () => {
  await reactions?.close();
  reactions = null;
  world.close();
});

const drive = (): Reactions => {
  reactions = driveReactions(world.options);
  return reactions;
};
const lines = (name: string): string[] => {
  const file = join(world.root, name);
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};
const append = (name: string, text: string): object => ({
  type: "command",
  command: `echo ${text} >> "$HOME/${name}"`,
});
const program = (name: string): void => {
  const bin = join(world.root, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\nfor word; do echo "$word"; done >> "$HOME/${name}.said"\n`);
  chmodSync(join(bin, name), 0o755);
};
const edited = { hook_event_name: "PostToolUse", tool_name: "Edit", tool_use_id: "t1" };

describe("fire-and-forget reactions", () => {
  it("runs a command in the session's folder with the event on stdin and in its environment", async () => {
    const show =
      'pwd; echo "$HOOKLINE_EVENT $HOOKLINE_SESSION $HOOKLINE_TOOL $HOOKLINE_FILE"; echo "[$SECRET_KEY]"; cat';
    world.rules.push(
      rule("show", {
        on: "PostToolUse",
        match: "Edit|Write",
        do: { type: "command", command: `{ ${show}; } > "$HOME/out"` },
      }),
    );
    const driver = drive();
    const [event] = world.emit({ ...edited, tool_input: { file_path: join(world.project, "a.ts") } });
    driver.onEvents([event!]);
    await driver.idle();
    const [cwd, values, secret, json] = lines("out");
    expect(cwd).toBe(world.project);
    expect(values).toBe(`PostToolUse s1 Edit ${join(world.project, "a.ts")}`);
    expect(secret).toBe("[]");
    expect(JSON.parse(json!)).toMatchObject({ id: event!.id, eventType: "tool_observation" });
    expect(world.reactions()).toEqual([
      { rule: "show", eventId: event!.id, action: "command", ok: true, message: null },
    ]);
  });

  it("runs once for a repeated event, and not again if the run is recorded", async () => {
    world.rules.push(rule("once", { on: "Stop", do: append("ran", "$HOOKLINE_EVENT_ID") }));
    const driver = drive();
    const events = world.emit({ hook_event_name: "Stop", last_assistant_message: "done" });
    driver.onEvents(events);
    driver.onEvents(events);
    await driver.idle();
    const next = driveReactions(world.options);
    next.onEvents(events);
    await next.idle();
    await next.close();
    expect(lines("ran")).toEqual([events[0]!.id]);
  });

  it("resumes what a killed process had not recorded as run", async () => {
    world.rules.push(rule("again", { on: "Stop", do: append("ran", "$HOOKLINE_EVENT_ID") }));
    const events = world.emit({ hook_event_name: "Stop" });
    const driver = driveReactions({ ...world.options, recent: async () => events });
    await expect.poll(() => lines("ran")).toEqual([events[0]!.id]);
    await driver.idle();
    await driver.close();
    expect(lines("ran")).toEqual([events[0]!.id]);
    expect(world.reactions()).toMatchObject([{ rule: "again", ok: true }]);
  });

  it("ignores events older than a minute, from a transcript, or from another program", async () => {
    world.rules.push(rule("never", { on: "Stop", do: append("ran", "it") }));
    const stop = { hook_event_name: "Stop" };
    const old = world.emit(stop);
    world.nowMs += 61_000;
    const foreign = world.emit(stop).map((event) => ({ ...event, origin: "stream" as const }));
    const read = world.emit(stop).map((event) => ({ ...event, origin: "transcript" as const }));
    const driver = drive();
    driver.onEvents([...old, ...foreign, ...read]);
    await driver.idle();
    expect(lines("ran")).toEqual([]);
    expect(world.recorded).toEqual([]);
  });

  it("waits until the project's rules are known, and keeps the order", async () => {
    const later = Promise.withResolvers<void>();
    const driver = driveReactions({ ...world.options, prepare: () => later.promise });
    for (const id of ["a", "b"]) driver.onEvents(world.emit({ hook_event_name: "Stop", session_id: id }));
    world.rules.push(rule("own", { on: "Stop", do: append("ran", "$HOOKLINE_SESSION") }));
    later.resolve();
    await driver.idle();
    await driver.close();
    expect(lines("ran")).toEqual(["a", "b"]);
  });

  it("waits during long work, then handles recent events", async () => {
    world.rules.push(rule("later", { on: "Stop", do: append("ran", "$HOOKLINE_SESSION") }));
    let isBusy = true;
    const driver = driveReactions({ ...world.options, isBacklog: () => isBusy });
    driver.onEvents(world.emit({ hook_event_name: "Stop", session_id: "old" }));
    world.nowMs += 50_000;
    driver.onEvents(world.emit({ hook_event_name: "Stop", session_id: "young" }));
    world.nowMs += 15_000;
    await sleep(300);
    expect(lines("ran")).toEqual([]);
    isBusy = false;
    await expect.poll(() => lines("ran")).toEqual(["young"]);
    await driver.idle();
    await driver.close();
    expect(lines("ran")).toEqual(["young"]);
  });

  it("records failures, and kills a timed-out command with all it started", async () => {
    world.rules.push(
      rule("fails", { on: "Stop", do: { type: "command", command: "echo no good >&2; exit 3" } }),
      rule("hangs", {
        on: "Stop",
        do: { type: "command", command: '(sleep 1; echo late > "$HOME/late") & wait' },
        timeoutSeconds: 0.5,
      }),
    );
    const driver = drive();
    driver.onEvents(world.emit({ hook_event_name: "Stop" }));
    await driver.idle();
    expect(world.reactions()).toMatchObject([
      { rule: "fails", ok: false, message: "the command ended with 3: no good" },
      { rule: "hangs", ok: false, message: "the command: it took longer than 0.5 s" },
    ]);
    expect(world.notices).toHaveLength(2);
    await sleep(800);
    expect(lines("late")).toEqual([]);
  });

  it("runs no command for a session started by such a command", async () => {
    world.rules.push(
      rule("again", { on: "Stop", do: append("ran", "$HOOKLINE_SESSION $TERM_PROGRAM") }),
      rule("post", { on: "Stop", do: { type: "speak", text: "done" } }),
    );
    const driver = drive();
    for (const [sessionId, program] of [
      ["person", "tmux"],
      ["own", "hookline"],
    ]) {
      const start = { session_id: sessionId, hook_event_name: "SessionStart", source: "startup" };
      world.emit(start, { TERM_PROGRAM: program! });
      driver.onEvents(world.emit({ session_id: sessionId, hook_event_name: "Stop" }));
    }
    await driver.idle();
    expect(lines("ran")).toEqual(["person hookline"]);
    expect(world.reactions()).toHaveLength(3);
  });

  it("runs commands of one project sequentially", async () => {
    const command = (name: string): object => ({
      type: "command",
      command: `echo ${name} in >> "$HOME/ran"; sleep 0.1; echo ${name} out >> "$HOME/ran"`,
    });
    world.rules.push(
      rule("a", { on: "Stop", do: command("a") }),
      rule("b", { on: "Stop", do: command("b") }),
    );
    const driver = drive();
    driver.onEvents(world.emit({ hook_event_name: "Stop" }));
    await driver.idle();
    expect(lines("ran")).toEqual(["a in", "a out", "b in", "b out"]);
  });

  it("drops and counts what exceeds the queue or a rule's rate limit", async () => {
    world.rules.push(rule("many", { on: "Stop", do: { type: "command", command: "sleep 0.4" } }));
    const driver = drive();
    for (let n = 0; n < 130; n++) driver.onEvents(world.emit({ hook_event_name: "Stop" }));
    await expect.poll(() => driver.drops()).toEqual({ queue_full: 0, too_often: 10 });
    world.nowMs += 60_000;
    for (let n = 0; n < 100; n++) driver.onEvents(world.emit({ hook_event_name: "Stop" }));
    await expect.poll(() => driver.drops().queue_full).toBeGreaterThan(0);
    expect(world.notices).toHaveLength(2);
  });

  it("does not queue events that no rule matches, however many arrive during long work", async () => {
    let isBacklog = true;
    const driver = driveReactions({ ...world.options, isBacklog: () => isBacklog });
    const burst = (hook: string): void => {
      for (let n = 0; n < 300; n++) driver.onEvents(world.emit({ hook_event_name: hook }));
    };
    burst("Stop");
    world.rules.push(
      rule("end", { on: "SessionEnd", do: { type: "command", command: 'echo end >> "$HOME/ran"' } }),
    );
    burst("Stop");
    driver.onEvents(world.emit({ hook_event_name: "SessionEnd" }));
    isBacklog = false;
    await expect.poll(() => lines("ran")).toEqual(["end"]);
    expect(driver.drops()).toEqual({ queue_full: 0, too_often: 0 });
    expect(world.notices).toEqual([]);
  });

  it("is idle only when what it held during long work is done, too", async () => {
    let isBacklog = true;
    const driver = driveReactions({ ...world.options, isBacklog: () => isBacklog });
    world.rules.push(
      rule("end", { on: "SessionEnd", do: { type: "command", command: 'echo end >> "$HOME/ran"' } }),
    );
    driver.onEvents(world.emit({ hook_event_name: "SessionEnd" }));
    isBacklog = false;
    await driver.idle();
    expect(lines("ran")).toEqual(["end"]);
  });

  it("notifies and speaks with the programs found on the PATH", async () => {
    program("notify-send");
    program("espeak-ng");
    const env = { ...world.options.env, PATH: `${join(world.root, "bin")}:/usr/bin:/bin` };
    world.rules.push(
      rule("show", { on: "needs_person", do: { type: "notify", text: "{tool} in <{project}>" } }),
      rule("say", { on: "needs_person", do: { type: "speak", text: "--Somebody is needed" } }),
    );
    const isWaiting = (sessionId: string): boolean => sessionId === "s1";
    const driver = driveReactions({ ...world.options, env, isWaiting });
    const sinceIso = new Date(world.nowMs).toISOString();
    const snapshot = {
      sessionId: "s1",
      provider: "claude",
      projectPath: "/p",
      cwd: "/p",
      needsPerson: true,
      activityPhase: "waiting_permission",
      sinceIso,
      waiting: { kind: "permission", requestId: "r1", toolName: "Bash", text: "npm publish", sinceIso },
    } as unknown as SessionSnapshot;
    driver.needsPerson({ ...snapshot, sessionId: "answered" });
    driver.needsPerson(snapshot);
    driver.needsPerson({ ...snapshot, sinceIso: "later" });
    await driver.idle();
    await driver.close();
    expect(lines("notify-send.said")).toEqual([
      "--app-name=Hookline",
      "--",
      "Hookline",
      "Bash in &lt;/p&gt;",
    ]);
    expect(lines("espeak-ng.said")).toEqual(["Somebody is needed"]);
  });

  it("reports that no program for speech or notifications exists", async () => {
    world.rules.push(
      rule("say", { on: "Stop", do: { type: "speak", text: "done" } }),
      rule("show", { on: "Stop", do: { type: "notify", text: "done" } }),
    );
    const driver = driveReactions({ ...world.options, env: { PATH: world.root } });
    driver.onEvents(world.emit({ hook_event_name: "Stop" }));
    await driver.idle();
    await driver.close();
    expect(world.reactions()).toMatchObject([
      { rule: "say", ok: false, message: expect.stringContaining("nothing here speaks") },
      { rule: "show", ok: false, message: expect.stringContaining("nothing here shows") },
    ]);
  });

  it("applies a rule's conditions on the calls of the turn", async () => {
    const condition = { tools: ["Bash"], since: "turn" };
    world.rules.push(
      rule("tested", { on: "Stop", when: { ran: condition }, do: append("ran", "tested") }),
      rule("untested", { on: "Stop", when: { ranWithout: condition }, do: append("ran", "untested") }),
    );
    const driver = drive();
    const bash = { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "npm test" } };
    world.emit({ hook_event_name: "UserPromptSubmit", prompt: "go" });
    world.emit({ ...bash, tool_use_id: "b1", tool_response: { stdout: "ok" } });
    driver.onEvents(world.emit({ hook_event_name: "Stop" }));
    await driver.idle();
    world.emit({ hook_event_name: "UserPromptSubmit", prompt: "more", prompt_id: "p2" });
    world.emit({ ...bash, hook_event_name: "PostToolUseFailure", tool_use_id: "b2", error: "Exit code 1" });
    driver.onEvents(world.emit({ hook_event_name: "Stop", prompt_id: "p2" }));
    await driver.idle();
    expect(lines("ran")).toEqual(["tested", "untested"]);
  });
});

describe("a webhook", () => {
  it("gets the event as a CloudEvent with its secret header, retried after an error", async () => {
    const requests: { headers: IncomingHttpHeaders; body: unknown }[] = [];
    const server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      request.on("end", () => {
        requests.push({ headers: request.headers, body: JSON.parse(text) });
        response.writeHead(requests.length === 1 ? 503 : 204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    writeFileSync(join(world.root, "hook-key"), "a key of its own\n");
    world.rules.push(
      rule("post", {
        on: "Stop",
        do: { type: "webhook", url, secretHeader: "Authorization: Bearer $file:~/hook-key" },
      }),
    );
    const driver = drive();
    const [event] = world.emit({ hook_event_name: "Stop" });
    driver.onEvents([event!]);
    await driver.idle();
    server.close();
    expect(requests).toHaveLength(2);
    expect(requests[1]!.headers).toMatchObject({
      "content-type": expect.stringMatching(/^application\/cloudevents\+json/),
      authorization: "Bearer a key of its own",
    });
    expect(requests[1]!.body).toMatchObject({
      specversion: "1.0",
      id: event!.id,
      source: "hookline",
      type: "hookline.turn.end",
      time: event!.occurredAtIso,
      data: { id: event!.id, sessionId: "s1" },
    });
    expect(world.reactions()).toMatchObject([{ rule: "post", ok: true }]);
  });

  it("is not sent without the file that its header names", async () => {
    const action = { type: "webhook", url: "http://127.0.0.1:9/", secretHeader: "X-Key: $file:~/none" };
    world.rules.push(rule("post", { on: "Stop", do: action }));
    const driver = drive();
    driver.onEvents(world.emit({ hook_event_name: "Stop" }));
    await driver.idle();
    expect(world.reactions()).toMatchObject([
      { ok: false, message: "~/none, for the webhook's header, is no file with one line of text" },
    ]);
  });

  it("gives up if nothing listens, and reports only the host", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const url = `http://127.0.0.1:${port}/secret-path`;
    world.rules.push(rule("post", { on: "Stop", do: { type: "webhook", url } }));
    const driver = drive();
    driver.onEvents(world.emit({ hook_event_name: "Stop" }));
    await driver.idle();
    expect(world.reactions()).toMatchObject([
      { ok: false, message: `127.0.0.1:${port}: not reached (ECONNREFUSED), tried 3 times` },
    ]);
  });
});
