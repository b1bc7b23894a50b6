import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { SessionSnapshot, SessionsPage } from "../../src/serve/contract.ts";
import { createScratch, openClaudeTmux, type Scratch } from "../support/claude.ts";
import { homeOf, queryDatabase, runHookline } from "../support/cli.ts";
import { openFakeApi, type Turn } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";
import type { TmuxSession } from "../support/tmux.ts";
import { watchStream } from "../support/watch-stream.ts";

needs(import.meta.filename, "tmux");

const scratches: Scratch[] = [];
afterEach(async () => {
  for (const scratch of scratches.splice(0)) await scratch.cleanup();
});

const touch: Turn = {
  tools: [{ name: "Bash", input: { command: "touch waited.txt", description: "Touch" } }],
};

/** A daemon, and a real Claude Code at a terminal without our hooks. */
async function open(config: object): Promise<{ scratch: Scratch; begin: () => Promise<TmuxSession> }> {
  const scratch = await createScratch();
  scratches.push(scratch);
  mkdirSync(homeOf(scratch), { mode: 0o700 });
  writeFileSync(
    join(homeOf(scratch), "config.json"),
    JSON.stringify({ memory: { embedder: null }, ...config }),
  );
  const up = await runHookline(scratch, ["up"]);
  expect([up.code, up.stderr]).toEqual([0, ""]);
  scratch.onCleanup(() => runHookline(scratch, ["down"]));
  const api = await openFakeApi([touch, { text: "It is there." }]);
  scratch.onCleanup(() => api.close());
  const begin = async (): Promise<TmuxSession> => {
    const claude = await openClaudeTmux(scratch, { api, args: ["--permission-mode", "default"] });
    await claude.waitFor(/❯/);
    return claude;
  };
  return { scratch, begin };
}

const isWaiting = (s: SessionSnapshot): boolean => s.activityPhase === "waiting_permission";

describe("a real Claude Code without hooks", () => {
  it("follows its registry and transcript: idle, waiting, idle again", async () => {
    const { scratch, begin } = await open({});
    const stream = await watchStream(scratch);
    const claude = await begin();
    const found = await stream.until(({ activityPhase }) => activityPhase === "interactable");
    expect(found).toMatchObject({ state: "active", attended: true, cwd: scratch.project });
    expect(found.pid).toBe(await claude.pid());

    await claude.type("touch it");
    await claude.keys("Enter");
    const waiting = await stream.until(isWaiting);
    expect(waiting).toMatchObject({ sessionId: found.sessionId, needsPerson: true });
    const asked = await stream.until((s) => isWaiting(s) && s.waiting?.toolName === "Bash");
    expect(asked.waiting).toMatchObject({ kind: "permission", text: "touch waited.txt" });
    expect(asked.evidence).toMatchObject([{ source: "registry", what: "permission prompt" }]);
    // Nothing else arrives, and it still waits.
    await sleep(3_000);
    expect(stream.sessions().filter(isWaiting)).toHaveLength(1);

    await claude.keys("Enter");
    await claude.waitFor(/It is there/);
    const done = await stream.until((s) => s.lastUserMessage !== null && !s.needsPerson);
    expect(done).toMatchObject({ lastUserMessage: "touch it", waiting: null, title: "touch it" });
    const rests = ({ activityPhase, tokens }: SessionSnapshot): boolean =>
      activityPhase === "interactable" && tokens.output > 0;
    await stream.until((s) => rests(s) && s.toolCount === 1);
    const types = queryDatabase(scratch, "SELECT DISTINCT event_type AS type FROM events ORDER BY 1");
    expect(types.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["assistant.message", "session.evidence", "tool_observation", "turn.start"]),
    );

    process.kill(await claude.pid(), "SIGKILL");
    await stream.until(({ state }) => state === "lost");
  });

  it("is not shown when neither registry nor transcripts may be read", async () => {
    const { scratch, begin } = await open({ watchRegistry: false, followTranscripts: false });
    const claude = await begin();
    await claude.type("touch it");
    await claude.keys("Enter");
    await claude.waitFor(/Do you want to proceed/);
    // Longer than the daemon waits for hooks, and than its polling interval.
    await sleep(6_000);
    expect(await listed(scratch)).toEqual([]);
    expect(queryDatabase(scratch, "SELECT count(*) AS n FROM events")).toEqual([{ n: 0 }]);
  });
});

function listed(scratch: Scratch): Promise<readonly SessionSnapshot[]> {
  return new Promise((resolve, reject) => {
    const options = { socketPath: join(homeOf(scratch), "sock"), path: "/api/sessions", agent: false };
    request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve((JSON.parse(text) as SessionsPage).sessions));
    })
      .on("error", reject)
      .end();
  });
}
