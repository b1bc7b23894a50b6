import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { SessionSnapshot } from "../serve/contract.ts";
import { jump, planJump } from "./jump.ts";
import { snapshot } from "./snapshot.testing.ts";

const unknownTerminal = { tmux: null, tmuxPane: null, program: null, sessionId: null, sshTty: null };
const inside = (known: Partial<NonNullable<SessionSnapshot["terminal"]>>) =>
  snapshot({ terminal: { ...unknownTerminal, ...known } });
const linux = { platform: "linux", env: {}, tty: null } as const;
const mac = { platform: "darwin", env: {}, tty: "/dev/ttys003" } as const;

describe("the way to a session's terminal", () => {
  it("is its tmux pane, with a client switch inside the same server", () => {
    const session = inside({ tmux: "/tmp/tmux-1000/de,fault,123,0", tmuxPane: "%7" });
    const plan = { type: "tmux", socket: "/tmp/tmux-1000/de,fault", pane: "%7" };
    expect(planJump(session, linux)).toEqual({ ...plan, isInside: false });
    const env = { TMUX: "/tmp/tmux-1000/de,fault,123,4" };
    expect(planJump(session, { ...linux, env })).toEqual({ ...plan, isInside: true });
  });

  it.each([
    { tmux: "/tmp/x,1,0", tmuxPane: "%7; kill-server" },
    { tmux: "/tmp/x,1,0", tmuxPane: "-t" },
    { tmux: "x,1,0", tmuxPane: "%7" },
    { tmux: "/tmp/x", tmuxPane: "%7" },
  ])("ignores values that tmux never sets: %j", (terminal) => {
    expect(planJump(inside(terminal), linux)).toEqual({ type: "none", known: "" });
  });

  it("on a Mac is a script with its target as an argument", () => {
    const iterm = inside({ program: "iTerm.app", sessionId: "w0t1p0:AB-12" });
    expect(planJump(iterm, mac)).toMatchObject({ type: "script", argument: "AB-12" });
    expect(planJump(iterm, linux)).toEqual({ type: "none", known: "in iTerm.app" });
    const apple = inside({ program: "Apple_Terminal", sessionId: "E1" });
    expect(planJump(apple, mac)).toMatchObject({ type: "script", argument: "/dev/ttys003" });
  });

  it("is described as far as it is known, if there is none", async () => {
    const elsewhere = inside({ program: "vscode\u001b[2J", sshTty: "/dev/pts/4" });
    expect(planJump(elsewhere, linux)).toEqual({ type: "none", known: "in vscode on /dev/pts/4" });
    expect(await jump(snapshot())).toEqual({ type: "failed", why: "its terminal is unknown." });
  });
});

describe("in a real tmux", () => {
  const dir = mkdtempSync(join(tmpdir(), "hookline-jump-"));
  const socket = join(dir, "tmux");
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" }).trim();
  afterAll(() => {
    tmux("kill-server");
    rmSync(dir, { recursive: true, force: true });
  });

  it("selects the window and the pane, and hints how to attach", async () => {
    tmux("new-session", "-d", "-s", "main", "sleep", "100");
    const target = tmux("split-window", "-P", "-F", "#{pane_id}", "-t", "main", "sleep", "100");
    tmux("split-window", "-t", "main", "sleep", "100");
    tmux("new-window", "-t", "main", "sleep", "100");
    expect(tmux("display-message", "-p", "-t", "main", "#{pane_id}")).not.toBe(target);
    const session = inside({ tmux: `${socket},1,0`, tmuxPane: target });
    expect(await jump(session)).toEqual({
      type: "done",
      hint: `Its tmux session is detached; attach with: tmux -S ${socket} attach -t '$0'`,
    });
    expect(tmux("display-message", "-p", "-t", "main", "#{pane_id}")).toBe(target);
  });

  it("reports a pane or a server that no longer exists", async () => {
    const gone = await jump(inside({ tmux: `${socket},1,0`, tmuxPane: "%999" }));
    expect(gone).toMatchObject({ type: "failed", why: expect.stringMatching(/can't find/) });
    const server = await jump(inside({ tmux: `${dir}/none,1,0`, tmuxPane: "%1" }));
    expect(server).toEqual({ type: "failed", why: "its tmux server is no longer running." });
  });
});
