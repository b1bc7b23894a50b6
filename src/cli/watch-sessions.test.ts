import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { until } from "../../test/support/cli.ts";
import { openTmux } from "../../test/support/tmux.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { changeLines, screenLines } from "./session-screen.ts";
import { NOW, snapshot, waitingSnapshot } from "./snapshot.testing.ts";
import { openStreamServer, type StreamServer } from "./stream-server.testing.ts";

const BIN = join(import.meta.dirname, "../../bin/hookline");
const fresh = () => ({ sinceIso: new Date().toISOString(), lastEventAtIso: new Date().toISOString() });
const session = (sessionId: string, changes: Partial<SessionSnapshot> = {}) =>
  snapshot({ sessionId, ...fresh(), ...changes });

describe("the screen of sessions", () => {
  const options = { width: 80, rows: 10, now: NOW, limit: 100, isLive: true };

  it("shows the counts, then sessions that need a person", () => {
    const lines = screenLines([snapshot(), waitingSnapshot("plan", "p")], options);
    expect(lines[0]).toBe("1 needs you · 1 idle");
    expect(lines[1]).toMatch(/^▤ plan /);
    expect(lines).toHaveLength(4);
  });

  it("never exceeds the terminal, and shows how many sessions are hidden", () => {
    const sessions = Array.from({ length: 20 }, (_, at) =>
      waitingSnapshot("plan", `${at}`, { sessionId: `${at}` }),
    );
    const lines = screenLines(sessions, options);
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines.at(-1)).toBe("… 16 more");
  });

  it("says when it is not live", () => {
    expect(screenLines([], { ...options, isLive: false })[0]).toMatch(/not live/);
  });

  it("starts each log line with the time", () => {
    expect(changeLines(waitingSnapshot("plan", "p"), { width: 100, now: NOW })[0]).toMatch(
      /^\d\d:\d\d:\d\d ▤ plan /,
    );
  });
});

describe("hookline sessions --watch", () => {
  let server: StreamServer;
  afterEach(() => server.close());
  const env = () => ({ HOME: server.dir, HOOKLINE_HOME: server.dir, PATH: "/usr/bin:/bin", LANG: "C.UTF-8" });

  it("without a terminal, prints a line for each visible change", async () => {
    server = await openStreamServer((self) =>
      self.send(
        "reset",
        {
          sessions: [
            session("one"),
            session("old", { state: "lost", lastEventAtIso: "2026-01-01T00:00:00.000Z" }),
          ],
        },
        "e-1",
      ),
    );
    const child = spawn(BIN, ["sessions", "--watch"], { env: env() });
    let shown = "";
    child.stdout.on("data", (chunk: Buffer) => {
      shown += chunk;
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    await until(() => shown.includes("idle"));
    server.send("patch", { sessionId: "one", set: { turnCount: 13 } }, "e-2");
    server.send("patch", { sessionId: "one", set: { activityPhase: "busy" } }, "e-3");
    await until(() => shown.includes("thinking"));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(shown.trimEnd().split("\n")).toHaveLength(2);
    expect(shown).not.toContain("\u001b");
  });

  it("as JSON, prints each state of the matching sessions", async () => {
    server = await openStreamServer((self) =>
      self.send(
        "reset",
        { sessions: [session("one"), session("two", { projectPath: "/home/dev/other" })] },
        "e-1",
      ),
    );
    const args = ["sessions", "--watch", "--json", "--project", "acme-shop"];
    const child = spawn(BIN, args, { env: env() });
    let shown = "";
    child.stdout.on("data", (chunk: Buffer) => {
      shown += chunk;
    });
    await until(() => shown.includes("\n"));
    server.send("patch", { sessionId: "one", set: { turnCount: 13 } }, "e-2");
    await until(() => shown.trimEnd().split("\n").length === 2);
    child.kill();
    const turns = shown
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as SessionSnapshot).turnCount);
    expect(turns).toEqual([12, 13]);
  });

  it("on a terminal, repaints in place and restores the screen", async () => {
    server = await openStreamServer((self) => self.send("reset", { sessions: [session("one")] }, "e-1"));
    const script = `trap : INT; echo before; ${BIN} sessions --watch; echo "after $?"; sleep 60`;
    const terminal = await openTmux({
      command: ["/bin/sh", "-c", script],
      cwd: server.dir,
      env: { ...env(), TERM: "xterm-256color", TMUX_TMPDIR: server.dir },
      cols: 90,
      rows: 12,
    });
    try {
      const first = await terminal.waitFor(/○ idle .*acme-shop ▸ main/);
      expect(first).not.toContain("before");
      server.send(
        "patch",
        { sessionId: "one", set: waitingSnapshot("question", "어느 쪽?", { sessionId: "one", ...fresh() }) },
        "e-2",
      );
      const second = await terminal.waitFor(/\? question .*"어느 쪽\?" \(2\)/);
      expect(second).not.toContain("idle");
      expect(second.trimEnd().split("\n")).toHaveLength(3);
      await server.down();
      await terminal.waitFor(/not live/);
      await server.up();
      await terminal.waitFor(/^1 idle/);
      await terminal.keys("C-c");
      expect(await terminal.waitFor(/after/)).toMatch(/before\nafter 0/);
    } finally {
      await terminal.kill();
    }
  });
});
