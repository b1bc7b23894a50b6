import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import { readStat } from "../../monitor/processes.ts";
import { createInbox } from "./inbox.ts";

let root: string;
let socket: string;
let server: Server;
let lines: string[];
let settings: { isOn: boolean; mode: string };

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-inbox-")));
  mkdirSync(join(root, "config/sessions"), { recursive: true });
  mkdirSync(join(root, "socks"), { mode: 0o700 });
  socket = join(root, "socks/1.sock");
  lines = [];
  settings = { isOn: true, mode: "default" };
  server = createServer((connection) => {
    connection.setEncoding("utf8").on("data", (text: string) => lines.push(text));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  chmodSync(socket, 0o600);
  register({});
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(root, { recursive: true, force: true });
});

/** Adds a registry entry for this very process. */
function register(fields: Readonly<Record<string, unknown>>): void {
  const entry = {
    pid: process.pid,
    sessionId: "s1",
    cwd: root,
    procStart: readStat(process.pid)?.startTicks,
    version: "2.1.325",
    entrypoint: "cli",
    messagingSocketPath: socket,
    status: "idle",
    ...fields,
  };
  writeFileSync(join(root, "config/sessions", `${process.pid}.json`), JSON.stringify(entry));
}

function send(message: { sessionId?: string; text?: string; from?: string } = {}) {
  const inbox = createInbox({
    isOn: () => settings.isOn,
    label: claude.label,
    liveness: claude.liveness,
    configDirs: () => [join(root, "nowhere"), join(root, "config")],
    modeOf: () => settings.mode,
  });
  return inbox.sendToTerminal({ sessionId: "s1", text: "Hello", from: "Ann", ...message });
}

describe("a message into an idle terminal session", () => {
  it("is one line that names its sender, queued behind a running turn", async () => {
    expect(await send({ text: "One\ntwo", from: "Ann\n<b>" })).toEqual({ delivered: true });
    expect(lines.join("").trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(lines.join(""))).toEqual({
      type: "user",
      message: {
        role: "user",
        content: "Message from Ann <b> through Hookline, not typed in this terminal:\n\nOne\ntwo",
      },
      priority: "next",
    });
  });

  it.each<[string, string, () => unknown]>([
    ["messages_off", "they are switched off", () => Object.assign(settings, { isOn: false })],
    ["session_busy", "it works", () => register({ status: "busy" })],
    ["session_busy", "it waits", () => register({ status: "waiting" })],
    ["session_busy", "it is starting", () => register({ status: undefined })],
    [
      "session_unguarded",
      "it bypasses permissions",
      () => Object.assign(settings, { mode: "bypassPermissions" }),
    ],
    ["session_unknown", "the id is another session's", () => register({ sessionId: "s2" })],
    ["session_unknown", "its pid was reused", () => register({ procStart: "1" })],
    ["session_unknown", "it is unattended", () => register({ entrypoint: "sdk-cli" })],
    ["inbox_missing", "its version has none", () => register({ messagingSocketPath: undefined })],
    [
      "inbox_missing",
      "there is no socket",
      () => register({ messagingSocketPath: join(root, "socks/2.sock") }),
    ],
    ["inbox_missing", "it is a file", () => register({ messagingSocketPath: join(root, "config/sessions") })],
    ["inbox_missing", "others can write to the socket", () => chmodSync(socket, 0o666)],
    ["inbox_missing", "others can change the folder", () => chmodSync(join(root, "socks"), 0o777)],
  ])("is refused with %s when %s", async (code, _when, arrange) => {
    arrange();
    await expect(send()).rejects.toMatchObject({ name: "AppError", code });
    expect(lines).toEqual([]);
  });

  it("is refused if empty or too long", async () => {
    for (const text of [" \n", "x".repeat(10_001)])
      await expect(send({ text })).rejects.toMatchObject({ code: "message_invalid" });
  });
});
