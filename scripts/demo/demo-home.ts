// The home of a user who runs several agents a day: forty sessions, three of them waiting. For screenshots,
// and for tests that need content on every page.

import { spawn } from "node:child_process";
import { utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claude } from "../../src/agents/claude/claude.ts";
import { toLine } from "../../src/event/line.ts";
import { permissionCommand } from "../../src/hook/ask-command.ts";
import { openLogWriter } from "../../src/log/file/writer.ts";
import { saveLimits } from "../../src/monitor/limits.ts";
import type { SessionsPage } from "../../src/serve/contract.ts";
import { claudeBinary, createScratch } from "../../test/support/claude.ts";
import { openFakeApi } from "../../test/support/fake-api.ts";
import { type Hookline, openHookline } from "../../test/support/hookline.ts";
import { drivenReply } from "./driven-replies.ts";
import { liveWork } from "./live-work.ts";
import { pastWork } from "./past-work.ts";

export interface Demo {
  readonly hookline: Hookline;
  /** Sessions with a detail page worth showing. */
  readonly ids: { readonly busy: string; readonly given: string; readonly chat: string };
  close(): Promise<void>;
}

const PAST = 28;
/** Longer than screenshots of all pages take. */
const HOLD_SECONDS = 900;

export async function openDemo(): Promise<Demo> {
  const scratch = await createScratch();
  const api = await openFakeApi(drivenReply);
  const hookline = openHookline({
    config: {
      approve: { holdSeconds: HOLD_SECONDS },
      control: { claude: claudeBinary },
      memory: { embedder: "local" },
    },
    env: {
      HOME: scratch.home,
      PATH: `${dirname(claudeBinary)}:${process.env["PATH"] ?? "/usr/bin:/bin"}`,
      TMPDIR: join(scratch.root, "tmp"),
      ANTHROPIC_API_KEY: "sk-test",
      ANTHROPIC_BASE_URL: api.url,
    },
  });
  // World-readable on purpose: gives Health something to find and fix.
  writeFileSync(hookline.home.rules, RULES, { mode: 0o644 });
  await hookline.run("install", "--guard", "--approve");
  saveLimits(hookline.home, { fiveHour: usedUntil(35, 2), sevenDay: usedUntil(12, 90) }, Date.now());
  // Makes the hooks older than the events they reported.
  utimesSync(join(hookline.home.dir, "install.json"), 1, 1);
  const work = await liveWork(Date.now());
  const events = [...pastWork(Date.now(), PAST), ...work.events];
  events.sort((a, b) => (a.occurredAtIso < b.occurredAtIso ? -1 : 1));
  const writer = await openLogWriter(
    { active: join(hookline.home.stream, "lifecycle.jsonl") },
    { rotateBytes: 256 * 1024 * 1024 },
  );
  await writer.append(events.map(toLine));
  await writer.close();
  await hookline.start();
  await hookline.settle();
  const held: Promise<unknown>[] = [];
  for (const payload of work.toFire) {
    // One hook records the request and waits for its answer.
    if (payload["hook_event_name"] === "PermissionRequest") held.push(holdRequest(hookline, payload));
    else await hookline.fire(payload);
  }
  const drive = async (prompt: string): Promise<string> => {
    const request = { cwd: scratch.project, prompt };
    return (await hookline.ask<{ sessionId: string }>("POST", "/api/control/sessions", request)).sessionId;
  };
  const chat = await drive("The total is off by a cent sometimes: is it the rounding? What would you do?");
  await drive("Look over everything once more before the release, then push it.");
  await untilAsked(hookline, chat);
  return {
    hookline,
    ids: { busy: work.ids.ferry, given: work.ids.riverbed, chat },
    async close() {
      await hookline.close();
      await Promise.allSettled(held);
      await api.close();
      await scratch.cleanup();
    },
  };
}

const usedUntil = (usedPercent: number, hours: number) => ({
  usedPercent,
  resetsAtIso: new Date(Date.now() + hours * 3_600_000).toISOString(),
});

/** Waits until three sessions wait and the conversation is idle. */
async function untilAsked(hookline: Hookline, chat: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) {
    const { sessions } = await hookline.ask<SessionsPage>("GET", "/api/sessions?limit=100");
    const waiting = sessions.filter(({ needsPerson }) => needsPerson).length;
    const talk = sessions.find(({ sessionId }) => sessionId === chat);
    const { cards } = await hookline.ask<{ cards: unknown[] }>("GET", "/api/control/cards");
    if (waiting === 3 && cards.length === 3 && talk?.activityPhase === "interactable") return;
  }
  throw new Error("the sessions of the demo did not come to what they are to show");
}

/** Runs the hook that records a request and waits for its answer, as Claude Code does. */
function holdRequest(hookline: Hookline, payload: Readonly<Record<string, unknown>>): Promise<unknown> {
  const child = spawn("/bin/sh", ["-c", permissionCommand(claude, HOLD_SECONDS)], {
    env: hookline.env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.end(`${JSON.stringify(payload)}\n`);
  return new Promise((resolve) => child.on("close", resolve));
}

const RULES = `{
  "tools": [
    { "match": "Bash(npm run test*)", "then": "allow" },
    { "match": "Bash(git push*--force*)", "then": "deny", "reason": "History that others have is not rewritten." },
    { "match": "Bash(terraform apply*)", "then": "ask", "reason": "A person reads the plan first." },
    { "match": "Bash(npm install*)", "then": "rewrite", "replace": [{ "field": "command", "find": "npm install", "with": "npm install --ignore-scripts" }] }
  ],
  "protect": ["migrations/**"],
  "prompts": [{ "find": "\\\\b\\\\d{6}-\\\\d{7}\\\\b", "then": "block", "reason": "That looks like a personal number." }],
  "reactions": [{ "on": "needs_person", "do": { "type": "notify", "text": "{project}: {tool}" } }]
}
`;
