import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimDaemonLock } from "../../src/daemon/lock.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { PATIENCE_MS } from "../support/patience.ts";

let hookline: Hookline;
beforeEach(() => {
  hookline = openHookline();
});
afterEach(() => hookline.close());

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await setTimeout(25))
    if (await isSo(what)) return;
  throw new Error("it never came to be");
}

/** False while it cannot be checked yet. */
async function isSo(what: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await what();
  } catch {
    return false;
  }
}

const stop = { hook_event_name: "Stop", session_id: "s", cwd: "/x" };

describe("a command that works in the home", () => {
  /** Holds the home as `hookline rebuild` does without a daemon. */
  function work(): { end(): void } {
    const lock = claimDaemonLock(hookline.home.lockFile)!;
    writeFileSync(hookline.home.workFile, JSON.stringify({ pid: process.pid, command: "rebuild" }));
    return {
      end() {
        execFileSync("rm", ["-f", hookline.home.workFile]);
        lock.release();
      },
    };
  }

  it("makes a daemon wait and then take over, while a second daemon does not wait", async () => {
    const working = work();
    const daemon = hookline.spawn();
    await until(
      () =>
        existsSync(hookline.home.daemonLog) &&
        readFileSync(hookline.home.daemonLog, "utf8").includes(
          `waiting until \`hookline rebuild\` (pid ${process.pid})`,
        ),
    );
    const second = hookline.spawn();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`\`hookline rebuild\` (pid ${process.pid})`);
    await hookline.fire(stop);
    working.end();
    await until(() => existsSync(hookline.home.pidFile));
    await until(async () => (await hookline.settle().catch(() => null))?.events !== undefined);
    expect(readFileSync(hookline.home.pidFile, "utf8").trim()).toBe(String(daemon.pid));
    expect((await hookline.settle()).events).toBeGreaterThan(0);
  });

  it("is named by `up`, which continues once it has ended", async () => {
    const working = work();
    const bin = join(import.meta.dirname, "../../bin/hookline");
    const up = spawn(bin, ["up"], { env: hookline.env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    up.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    await until(() => output.includes(`\`hookline rebuild\` (pid ${process.pid}) is using`));
    working.end();
    expect(await new Promise((resolve) => up.on("close", resolve))).toBe(0);
    await hookline.run("down");
  });

  it("makes every `up` wait, also one whose daemon gave way to another's", async () => {
    const working = work();
    const bin = join(import.meta.dirname, "../../bin/hookline");
    const ups = ["first", "second", "third"].map(() => {
      const up = spawn(bin, ["up"], { env: hookline.env, stdio: ["ignore", "pipe", "pipe"] });
      const run = { said: "", code: new Promise((resolve) => up.on("close", resolve)) };
      up.stderr.setEncoding("utf8").on("data", (text: string) => {
        run.said += text;
      });
      return run;
    });
    await until(() => ups.every(({ said: output }) => output.includes("is using")));
    // Two of the three daemons have ended, and one waits.
    await until(() => runningDaemons(hookline.home.dir) === 1);
    const { stderr, code } = await hookline.run("import", hookline.root);
    expect([code, stderr]).toEqual([
      1,
      `hookline: \`hookline rebuild\` (pid ${process.pid}) is running in ${hookline.home.dir}; try again when it has finished\n`,
    ]);
    working.end();
    expect(await Promise.all(ups.map(({ code: ended }) => ended))).toEqual([0, 0, 0]);
    await hookline.run("down");
  });

  /** How many processes are daemons of this home, by their environment. */
  function runningDaemons(dir: string): number {
    return readdirSync("/proc").filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return (
          words.includes("daemon") &&
          readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOOKLINE_HOME=${dir}\0`)
        );
      } catch {
        return false;
      }
    }).length;
  }

  it("blocks nothing after it was killed", async () => {
    writeFileSync(hookline.home.workFile, JSON.stringify({ pid: 2 ** 22 - 3, command: "import" }));
    await hookline.start();
    expect((await hookline.status()).pid).toBeGreaterThan(0);
  });
});

describe("an entry in the spool that no hook wrote", () => {
  it("blocks neither capture, nor status, nor forgetting", async () => {
    const { spool } = hookline.home;
    await hookline.start();
    symlinkSync("loop", join(spool, "loop"));
    symlinkSync("/nowhere", join(spool, "1-1-0"));
    symlinkSync("/dev/zero", join(spool, "2-2-0"));
    symlinkSync(hookline.home.configFile, join(spool, "3-3-0"));
    mkdirSync(join(spool, "4-4-0"));
    execFileSync("mkfifo", [join(spool, "5-5-0")]);
    writeFileSync(join(spool, "6-6-0"), "");
    truncateSync(join(spool, "6-6-0"), 3 * 1024 ** 3);
    writeFileSync(join(spool, "odd\nname"), "{}\n");
    writeFileSync(join(spool, "é".repeat(120)), "{}\n");
    writeFileSync(join(spool, "7-7-0"), JSON.stringify(stop), { mode: 0o000 });
    await hookline.fire({ ...stop, session_id: "after" });
    await until(() => hookline.query("SELECT 1 FROM events WHERE session_id = 'after'").length > 0);
    expect((await hookline.run("status")).stderr).toBe("");
    await hookline.ask("POST", "/api/forget", { match: "nothing of the kind" });
    // A link's target is no payload.
    expect(existsSync(hookline.home.configFile)).toBe(true);
    expect(existsSync(join(spool, "3-3-0"))).toBe(true);
  });
});

describe("a home that others can write", () => {
  it.each([0o777, 0o770, 0o707, 0o702])(
    "of mode %o is refused in one sentence with the fix",
    async (mode) => {
      chmodSync(hookline.home.dir, mode);
      for (const command of [["up"], ["daemon"]]) {
        const { code, stderr } = await hookline.run(...command);
        expect(code).toBe(1);
        expect(stderr.trim().split("\n")).toHaveLength(1);
        expect(stderr).toContain(`chmod go-w ${hookline.home.dir}`);
      }
      chmodSync(hookline.home.dir, 0o700);
      await hookline.start();
    },
  );
});

describe("a home that is no folder, or cannot be made", () => {
  const commands = [["up"], ["search", "x"], ["pause"], ["config", "logLevel", "debug"], ["daemon"]];

  it("is refused by each command in one sentence that suggests no change", async () => {
    const place = (name: string): string => join(hookline.root, name);
    writeFileSync(place("file"), "mine");
    symlinkSync(place("nowhere"), place("dangling"));
    const socket = createServer().listen(place("socket"));
    await once(socket, "listening");
    const homes = ["/dev/null", place("file"), place("file/below"), place("dangling"), place("socket")];
    if (existsSync("/proc/self")) homes.push("/proc/hookline", "/proc/hookline/below");
    for (const dir of homes) {
      for (const command of commands) {
        const { code, stdout, stderr } = await runIn(dir, command);
        expect([dir, command, code, stdout, stderr]).toEqual([
          dir,
          command,
          1,
          "",
          expect.stringMatching(
            /^hookline: .* cannot be written: .*(not a folder|no folder can be made).*\n$/,
          ),
        ]);
        expect(stderr).not.toContain("chmod");
      }
    }
    socket.close();
    expect(readFileSync(place("file"), "utf8")).toBe("mine");
    expect(existsSync(place("nowhere"))).toBe(false);
  });

  function runIn(dir: string, args: readonly string[]) {
    const other = openHookline({ env: { HOOKLINE_HOME: dir } });
    return other.run(...args).finally(() => other.close());
  }
});
