import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { until } from "../../test/support/cli.ts";
import { findDesktopNotifier } from "./desktop-notifier.ts";
import {
  ago,
  NOW,
  recordedRequest,
  snapshot,
  waitingSnapshot,
  waitingSnapshotOf,
} from "./snapshot.testing.ts";
import { openStreamServer, type StreamServer } from "./stream-server.testing.ts";
import { waitKey, waitNotices } from "./wait-notices.ts";

const BIN = join(import.meta.dirname, "../../bin/hookline");

describe("due notices", () => {
  const notified = new Set<string>();
  const options = { now: NOW, afterMs: 30_000 };

  it("are waits that have lasted long enough, with the time of the next", () => {
    const long = waitingSnapshot("permission", "ls", { sinceIso: ago(31) });
    const short = waitingSnapshot("question", "?", { sinceIso: ago(10) });
    const shorter = waitingSnapshot("plan", "p", { sinceIso: ago(5) });
    expect(waitNotices([short, shorter, long, snapshot()], notified, options)).toEqual({
      due: [{ session: long, request: long.requests[0] }],
      nextAtMs: NOW + 20_000,
    });
  });

  it("are sent once per request", () => {
    const first = waitingSnapshot("permission", "ls", { sinceIso: ago(60) });
    const second = waitingSnapshot("permission", "pwd", { sinceIso: ago(60) });
    const after = new Set([waitKey({ session: first, request: first.requests[0]! })]);
    expect(waitNotices([first], after, options)).toEqual({ due: [], nextAtMs: null });
    expect(waitNotices([{ ...first, turnCount: 99 }], after, options).due).toEqual([]);
    expect(waitNotices([second], after, options).due).toMatchObject([{ session: second }]);
    const both = waitingSnapshotOf([first.requests[0]!, second.requests[0]!]);
    expect(waitNotices([both], after, options).due).toEqual([{ session: both, request: second.requests[0] }]);
  });

  it("include a failed turn, which has no request", () => {
    const failed = snapshot({ needsPerson: true, activityPhase: "failed", sinceIso: ago(60) });
    expect(waitNotices([failed], notified, options).due).toEqual([{ session: failed, request: null }]);
  });
});

describe("a desktop notification", () => {
  it("passes an agent's text as arguments that are neither options nor markup", () => {
    const request = recordedRequest("permission", "echo \u001b[2J<b>& --help", {
      description: "Clear it",
      agentId: "a1",
      agentType: "explore",
    });
    const session = waitingSnapshotOf([recordedRequest("permission", "ls"), request], { gitBranch: "x" });
    const mac = findDesktopNotifier("darwin", "");
    const { file, args } =
      mac.type === "ready" ? mac.toProgram({ session, request }, NOW) : { file: "", args: [] };
    expect(file).toBe("osascript");
    expect(args.slice(-2)).toEqual([
      "Hookline: permission in acme-shop ▸ x",
      "Bash: echo \\u001b[2J<b>& --help · Clear it · explore a1",
    ]);
  });

  it("is reported as missing, with how to install it", () => {
    expect(findDesktopNotifier("linux", "/nowhere:relative")).toMatchObject({
      type: "missing",
      how: expect.stringMatching(/libnotify/),
    });
  });
});

describe("hookline notify", () => {
  let server: StreamServer;
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill();
    await server.close();
  });
  const run = (args: readonly string[], path = "/usr/bin:/bin") => {
    const env = { HOME: server.dir, HOOKLINE_HOME: server.dir, PATH: path };
    const child = spawn(BIN, ["notify", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    return { child, ended, output: () => output };
  };
  const waits = (text: string, seconds = 0) =>
    waitingSnapshot("permission", text, {
      sessionId: text,
      sinceIso: new Date(Date.now() - seconds * 1_000).toISOString(),
    });
  const notices = (): string[] => {
    const file = join(server.dir, "notices");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    return lines.map((line) => (JSON.parse(line) as { waiting: { text: string } }).waiting.text);
  };
  const command = () => `cat >>${server.dir}/notices; echo >>${server.dir}/notices`;

  it("notifies about a wait once, after the delay, and not again after a restart", async () => {
    const old = waits("old", 60);
    server = await openStreamServer((self) =>
      self.send("reset", { sessions: [old] }, `e${self.lastEventIds.length}-1`),
    );
    const { child, ended } = run(["--after", "0.6", "--command", command()]);
    await until(() => notices().length === 1);
    server.send("patch", { sessionId: "brief", set: waits("brief") }, "e1-2");
    server.send("patch", { sessionId: "young", set: waits("young") }, "e1-3");
    server.send("patch", { sessionId: "brief", set: { needsPerson: false, waiting: null } }, "e1-4");
    await until(() => notices().length === 2);
    await server.down();
    await server.up();
    await until(() => server.lastEventIds.length === 2);
    expect(server.lastEventIds).toEqual([undefined, "e1-4"]);
    server.send("patch", { sessionId: "late", set: waits("late", 60) }, "e2-2");
    await until(() => notices().length === 3);
    await setTimeout(300);
    expect(notices()).toEqual(["old", "young", "late"]);
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });

  it("exits after the first notice with --once, once its command has ended", async () => {
    server = await openStreamServer((self) =>
      self.send("reset", { sessions: [waits("one", 60), waits("two", 60)] }, "e-1"),
    );
    expect(await run(["--once", "--command", `sleep 0.2; ${command()}`]).ended).toBe(0);
    expect(notices()).toHaveLength(1);
  });

  it("passes its text to notify-send unchanged", async () => {
    server = await openStreamServer((self) =>
      self.send("reset", { sessions: [waits("$(touch made) <i>", 60)] }, "e-1"),
    );
    const bin = join(server.dir, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "notify-send"), `#!/bin/sh\nprintf '%s\\n' "$@" >"${server.dir}/shown"\n`, {
      mode: 0o755,
    });
    expect(await run(["--once"], `${bin}:/usr/bin:/bin`).ended).toBe(0);
    expect(readFileSync(join(server.dir, "shown"), "utf8").split("\n").slice(0, 4)).toEqual([
      "--app-name=Hookline",
      "--",
      "Hookline: permission in acme-shop ▸ main",
      "Bash: $(touch made) &lt;i&gt;",
    ]);
  });

  it("fails if no notifier is installed, and says once how to install it", async () => {
    server = await openStreamServer(() => undefined);
    // Excludes folders that may contain a real notify-send; node is found by its own path.
    const bin = join(server.dir, "bin");
    mkdirSync(bin);
    for (const tool of ["dirname", "readlink", "sh"])
      writeFileSync(join(bin, tool), `#!/bin/sh\nexec /usr/bin/${tool} "$@"\n`, { mode: 0o755 });
    const { ended, output } = run([], bin);
    expect(await ended).toBe(1);
    expect(output()).toMatch(
      /^hookline: notify-send is not installed; run `apt install libnotify-bin`.* or use --command\.\n$/,
    );
  });

  it("rejects an invalid time", async () => {
    server = await openStreamServer(() => undefined);
    expect(await run(["--after", "soon"]).ended).toBe(2);
  });
});
