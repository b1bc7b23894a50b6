import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionSnapshot } from "../../src/serve/contract.ts";
import { type HookedHome, openHookedHome, type ToolRequest } from "../support/hooked-home.ts";
import { needs } from "../support/needs.ts";
import { openTmux, type TmuxSession } from "../support/tmux.ts";

needs(import.meta.filename, "tmux");

/** Requests of one session in the CLI's views: hooks as Claude Code runs them, with the real daemon. */

const BIN = join(import.meta.dirname, "../../bin/hookline");
const SESSION = "aaaa0000-0000-4000-8000-000000000001";
const TEST: ToolRequest = { session: SESSION, input: { command: "npm test", description: "Run the tests" } };
const PUSH: ToolRequest = {
  session: SESSION,
  input: { command: "git push --force", description: "Publish" },
};
const HIDING = "npm test # \u202egnp.\u200b \u001b[8mrm -r x\u001b[0m\u00a0<private>curl x | sh</private>\r";
const VISIBLE =
  "npm test # \\u202egnp.\\u200b \\u001b[8mrm -r x\\u001b[0m\\u00a0<private>curl x | sh</private>\\u000d";
const ALLOWED = expect.stringContaining('"behavior":"allow"') as string;
const DENIED = expect.stringContaining('"behavior":"deny"') as string;

/** Starting a command takes most of a second. */
const SLOW = { interval: 100 };

let home: HookedHome;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(approve: Readonly<Record<string, unknown>> = {}): Promise<void> {
  home = await openHookedHome(approve);
  ends.push(() => home.hookline.close());
  await home.startTurn(SESSION);
}

async function openTop({ cols = 100, rows = 40, args = "" } = {}): Promise<TmuxSession> {
  const env = { ...home.hookline.env, LANG: "C.UTF-8", TERM: "xterm-256color" };
  const command = ["/bin/sh", "-c", `${BIN} top ${args}; echo "left with $?"; exec sleep 300`] as const;
  const tmux = await openTmux({ command, cwd: "/", env, cols, rows });
  ends.push(() => tmux.kill());
  return tmux;
}

const answer = (...args: string[]) => home.hookline.run("answer", ...args);
const isOver = async (id: string): Promise<void> => {
  await expect.poll(async () => (await home.cards()).map((card) => card.id), SLOW).not.toContain(id);
};

describe("hookline answer", () => {
  beforeEach(() => open());

  it.each(["in order", "the other way round"])(
    "answers each of two requests separately, %s",
    async (order) => {
      const [test, push] = [await home.requestPermission(TEST), await home.requestPermission(PUSH)];
      const listed = (await answer()).stdout;
      expect(listed).toMatch(
        new RegExp(`${test.id.slice(0, 13)} +permission .*Bash: npm test · Run the tests`),
      );
      expect(listed).toMatch(
        new RegExp(`${push.id.slice(0, 13)} +permission .*Bash: git push --force · Publish`),
      );
      const steps = [
        async () => {
          const run = await answer(test.id, "y");
          expect(run).toMatchObject({
            code: 0,
            stdout: expect.stringMatching(/│ npm test[\s\S]*Bash: allowed\./),
          });
          expect(run.stdout).not.toContain("git push");
          expect(await test.output).toEqual(ALLOWED);
        },
        async () => {
          const run = await answer(push.id, "n", "not", "now,", "use", "-n", "first");
          expect(run).toMatchObject({
            code: 0,
            stdout: expect.stringMatching(/│ git push[\s\S]*Bash: denied\./),
          });
          const output = await push.output;
          expect(output).toEqual(DENIED);
          expect(output).toContain("not now, use -n first");
        },
      ];
      const [first, second] = order === "in order" ? steps : steps.toReversed();
      await first!();
      expect((await answer("--json")).stdout).toContain(order === "in order" ? push.id : test.id);
      await second!();
      await expect.poll(async () => (await answer()).stdout, SLOW).toBe("Nothing is waiting for you.\n");
      expect(await answer(test.id, "y")).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^hookline: .+\n$/),
      });
    },
  );

  it("counts and shows every request in every view", async () => {
    await home.requestPermission(TEST);
    await home.requestPermission({ ...PUSH, agent: undefined });
    const run = (...args: string[]) => home.hookline.run(...args).then(({ stdout }) => stdout);
    await expect.poll(() => run("status", "--line"), SLOW).toContain("1 needs you (2 requests)");
    const [sessions, session, away] = await Promise.all([
      run("sessions"),
      run("session", SESSION),
      run("away", "--keep", "--since", "1h"),
    ]);
    for (const text of [sessions, session, away]) {
      expect(text).toContain("npm test");
      expect(text).toContain("Run the tests");
      expect(text).toContain("git push --force");
      expect(text).toContain("Publish");
    }
    expect(session.match(/Answer: hookline answer/g)).toHaveLength(2);
    expect(sessions).toContain("(2) Bash: npm test");
  });

  it("shows two identical requests as one, and answers them in turn", async () => {
    const [first, second] = [await home.requestPermission(TEST), await home.requestPermission(TEST)];
    const listed = (await answer()).stdout;
    expect(listed.match(/Bash: npm test/g)).toHaveLength(1);
    expect(listed).toContain("×2");
    expect(JSON.parse((await answer("--json")).stdout)).toHaveLength(2);
    expect((await answer(first.id, "y")).code).toBe(0);
    expect(await first.output).toEqual(ALLOWED);
    expect((await answer()).stdout).not.toContain("×2");
    expect((await answer(second.id, "n")).code).toBe(0);
    expect(await second.output).toEqual(DENIED);
  });

  it("makes hidden characters visible, and shows long texts in full", async () => {
    const tail = "echo the very end";
    const { id } = await home.requestPermission({
      session: SESSION,
      input: { command: `${HIDING}\n${"# nothing to see\n".repeat(2_000)}${tail}` },
    });
    const { stdout } = await answer(id);
    expect(stdout).toContain(`│ ${VISIBLE}`);
    expect(stdout).toContain(`│ ${tail}`);
    expect(stdout).toMatch(/· 3\d,\d{3} characters, 2,00\d lines\./);
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e\u200b]/u);
  });
});

describe("after the hold", () => {
  it("lists a request as answerable only in the terminal", async () => {
    await open({ holdSeconds: 2 });
    const { id, output } = await home.requestPermission(TEST);
    expect(await output).toBe("");
    expect((await answer()).stdout).toMatch(
      /permission, in terminal .*Bash: npm test · Run the tests\n.*answer in the terminal/,
    );
    expect(JSON.parse((await answer("--json")).stdout)).toMatchObject([{ id, status: "terminal" }]);
    const late = await answer(id, "y");
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining("Answer this in the terminal") });
    expect(late.stdout).toContain("│ npm test");
    await home.finishCall(TEST);
    await expect.poll(async () => (await answer()).stdout, SLOW).toBe("Nothing is waiting for you.\n");
  });

  it("tells a second client who answered, also after a daemon restart", async () => {
    await open({ holdSeconds: 60 });
    const { id } = await home.requestPermission(TEST);
    expect(await answer(id, "y")).toMatchObject({ code: 0 });
    const settled = { code: 0, stdout: expect.stringMatching(/^Already settled: .*by hookline answer\.\n$/) };
    expect(await answer(id.slice(0, 13))).toMatchObject(settled);
    await home.hookline.ask("POST", "/api/flush");
    expect((await home.hookline.run("down")).code).toBe(0);
    await home.hookline.start();
    for (const known of [id, id.slice(0, 13)]) {
      expect(await answer(known)).toMatchObject(settled);
      expect(await answer(known, "y")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("by hookline answer"),
      });
    }
  });

  it("still lists a request after a daemon restart, as recorded", async () => {
    await open({ holdSeconds: 60 });
    const { id } = await home.requestPermission(TEST);
    await home.hookline.ask("POST", "/api/flush");
    expect((await home.hookline.run("down")).code).toBe(0);
    await home.hookline.start();
    await expect
      .poll(async () => (await answer()).stdout, SLOW)
      .toMatch(/permission, in terminal .*npm test/);
    expect((await home.hookline.status()).steering?.requests).toEqual({ pending: 1, lost: 0 });
    expect((await answer(id)).stdout).toMatch(
      /recorded +│ npm test\n· As recorded: .*\nAnswer this in the terminal/,
    );
    expect((await answer(id, "y")).code).toBe(1);
  });
});

/** Presses again: on a busy machine a key may come too soon after its request was drawn, and is ignored. */
async function answerBy(tmux: TmuxSession, key: string, output: Promise<unknown>): Promise<unknown> {
  for (;;) {
    await tmux.keys(key);
    if (await Promise.race([output.then(() => true), sleep(3_000, false)])) return output;
  }
}

describe("hookline top", () => {
  it.each(["in order", "the other way round"])(
    "answers each of a session's two requests, %s",
    async (order) => {
      await open();
      const [test, push] = [await home.requestPermission(TEST), await home.requestPermission(PUSH)];
      const tmux = await openTop();
      const screen = await tmux.waitFor(/│ npm test[\s\S]*y allow once/);
      expect(screen).toMatch(/1 needs you \(2 requests\)/);
      expect(screen).toMatch(/\(2\) Bash: npm test/);
      expect(screen).toMatch(/1 of 2 requests · Tab: next/);
      expect(screen).toMatch(/Tab: Bash: git push --force · Publish/);
      if (order === "in order") {
        await sleep(500);
        expect(await answerBy(tmux, "y", test.output)).toEqual(ALLOWED);
        await tmux.waitFor(/│ git push --force[\s\S]*y allow once/);
        await sleep(500);
        expect(await answerBy(tmux, "d", push.output)).toEqual(DENIED);
      } else {
        await tmux.keys("Tab");
        await tmux.waitFor(/│ git push --force[\s\S]*y allow once/);
        await sleep(500);
        expect(await answerBy(tmux, "d", push.output)).toEqual(DENIED);
        await tmux.waitFor(/│ npm test[\s\S]*y allow once/);
        await sleep(500);
        expect(await answerBy(tmux, "y", test.output)).toEqual(ALLOWED);
      }
      await isOver(test.id);
      await isOver(push.id);
      await tmux.keys("q");
      await tmux.waitFor(/left with 0/);
    },
  );

  it("keeps the shown request when others arrive, and never applies a key to its successor", async () => {
    await open();
    const tmux = await openTop();
    await tmux.waitFor(/● busy/);
    for (let tries = 1; ; tries++) {
      const test = await home.requestPermission(TEST);
      await tmux.waitFor(/│ npm test[\s\S]*y allow once/);
      const push = await home.requestPermission(PUSH);
      await tmux.waitFor(/│ npm test[\s\S]*y allow once[\s\S]*Tab: Bash: git push --force/);
      expect((await answer(test.id, "n")).code).toBe(0);
      await tmux.hold("y", 40, 60);
      const remaining = (await home.cards()).map(({ id }) => id);
      // If tmux paused for a moment, its next press counts as that of a person who has looked.
      if (remaining.length === 0 && tries < 4) continue;
      expect(remaining).toEqual([push.id]);
      await tmux.waitFor(/│ git push --force[\s\S]*y allow once/);
      await sleep(500);
      expect(await answerBy(tmux, "y", push.output)).toEqual(ALLOWED);
      return;
    }
  });

  it("ignores keys pressed while it was suspended", async () => {
    await open();
    const tmux = await openTop();
    await tmux.waitFor(/● busy/);
    const push = await home.requestPermission(PUSH);
    await tmux.waitFor(/│ git push --force[\s\S]*y allow once/);
    const [top] = readFileSync(`/proc/${await tmux.pid()}/task/${await tmux.pid()}/children`, "utf8").split(
      " ",
    );
    process.kill(Number(top), "SIGSTOP");
    await tmux.keys("y");
    await sleep(1_000);
    process.kill(Number(top), "SIGCONT");
    await tmux.waitFor(/The request just arrived/);
    expect((await home.cards()).map(({ id }) => id)).toEqual([push.id]);
    await sleep(500);
    expect(await answerBy(tmux, "y", push.output)).toEqual(ALLOWED);
  });

  it("answers a long request only once its end was shown", async () => {
    await open();
    const command = `${HIDING}\n${"# nothing to see\n".repeat(100)}echo the very end`;
    const { id, output } = await home.requestPermission({ session: SESSION, input: { command } });
    const tmux = await openTop({ cols: 120, rows: 30 });
    const screen = await tmux.waitFor(/command +│[\s\S]*there is more: press ↵ to show all/);
    expect(screen).toContain(VISIBLE);
    await sleep(500);
    await tmux.keys("y");
    await tmux.waitFor(/You have not seen all of it/);
    await tmux.keys("Enter");
    await tmux.waitFor(/│ # nothing to see[\s\S]*end last line/);
    await sleep(500);
    await tmux.keys("y");
    await tmux.waitFor(/You have not seen all of it/);
    expect((await home.cards()).map((card) => card.id)).toEqual([id]);
    await tmux.keys("End");
    await tmux.waitFor(/│ echo the very end/);
    await sleep(500);
    expect(await answerBy(tmux, "y", output)).toEqual(ALLOWED);
  });

  it("holds a background agent's request while shown with focus, and releases it without", async () => {
    await open();
    const agent = { id: "a7", type: "explore" };
    const tmux = await openTop();
    await tmux.waitFor(/● busy/);
    await sleep(500);
    const held = await home.requestPermission({ ...PUSH, agent });
    await tmux.waitFor(/agent +│ explore a7[\s\S]*│ git push --force[\s\S]*y allow once/);
    await sleep(4_000);
    const [card] = await home.cards();
    expect(card).toMatchObject({ id: held.id, status: "pending", agentType: "explore" });
    const untilMs = Date.parse(card!.untilIso!);
    expect(untilMs - Date.parse(card!.sinceIso)).toBe(15_000);
    // The escapes a terminal sends when it loses and regains focus.
    await tmux.type("\u001b[O");
    expect(await held.output).toBe("");
    expect(Date.now()).toBeLessThan(untilMs - 2_000);
    await tmux.waitFor(/Answer this in the terminal/);
    await home.finishCall({ ...PUSH, agent });
    await isOver(held.id);
    const unseen = await home.requestPermission({ ...TEST, agent });
    expect(await home.cards()).toMatchObject([{ id: unseen.id, status: "terminal" }]);
    expect(await unseen.output).toBe("");
    await home.finishCall({ ...TEST, agent });
    await isOver(unseen.id);
    await tmux.type("\u001b[I");
    await sleep(500);
    const again = await home.requestPermission({ ...PUSH, input: { command: "git push again" }, agent });
    await tmux.waitFor(/│ git push again[\s\S]*y allow once/);
    await sleep(500);
    expect(await answerBy(tmux, "y", again.output)).toEqual(ALLOWED);
    await tmux.keys("q");
    expect(await tmux.waitFor(/left with 0/)).not.toMatch(/\[[IO]/);
  });

  it("shows a request that only the terminal can answer, and says so for every key", async () => {
    await open({ holdSeconds: 1 });
    const { id, output } = await home.requestPermission(TEST);
    expect(await output).toBe("");
    const tmux = await openTop();
    await tmux.waitFor(/│ npm test[\s\S]*Answer this in the terminal/);
    await sleep(500);
    await tmux.keys("y");
    await tmux.waitFor(/Answer this in the terminal: the time to answer it here has passed/);
    const { sessions } = await home.hookline.ask<{ sessions: SessionSnapshot[] }>("GET", "/api/sessions");
    expect(sessions[0]?.requests.map(({ requestId }) => requestId)).toEqual([id]);
  });
});
