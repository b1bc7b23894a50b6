// A home as somebody has it who runs several agents a day: forty sessions, three of which wait. For pictures, and for
// tests that want every page to have something on it.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { toLine } from "../../src/event/line.ts";
import { permissionCommand } from "../../src/hook/ask-command.ts";
import { openLogWriter } from "../../src/log/writer.ts";
import { claudeBinary, createScratch } from "../../test/support/claude.ts";
import { openFakeApi } from "../../test/support/fake-api.ts";
import { type Hookline, openScratch } from "../../test/support/hookline.ts";
import { drivenTalk } from "./driven-talk.ts";
import { liveWork } from "./live-work.ts";
import { pastWork } from "./past-work.ts";

export interface Demo {
  readonly hookline: Hookline;
  /** Sessions worth a closer look. */
  readonly ids: { readonly busy: string; readonly asking: string; readonly chat: string };
  close(): Promise<void>;
}

const PAST = 29;
/** Pictures of all pages are done by then. */
const HOLD_SECONDS = 900;

export async function openDemo(): Promise<Demo> {
  const scratch = await createScratch();
  const api = await openFakeApi(drivenTalk);
  const hookline = openScratch({
    config: { approve: { holdSeconds: HOLD_SECONDS }, control: { claude: claudeBinary } },
    env: {
      HOME: scratch.home,
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      TMPDIR: join(scratch.root, "tmp"),
      ANTHROPIC_API_KEY: "sk-test",
      ANTHROPIC_BASE_URL: api.url,
    },
  });
  await hookline.run("install", "--guard", "--approve");
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
  const held = work.toFire.map((payload) => fireAndAsk(hookline, payload));
  const drive = async (prompt: string): Promise<string> => {
    const request = { cwd: scratch.project, prompt };
    return (await hookline.ask<{ sessionId: string }>("POST", "/api/control/sessions", request)).sessionId;
  };
  const chat = await drive("The total is off by a cent sometimes: is it the rounding? What would you do?");
  await drive("Look over everything once more before the release, then push it.");
  return {
    hookline,
    ids: { busy: work.ids.ferry, asking: work.ids.shop, chat },
    async close() {
      await hookline.close();
      await Promise.allSettled(held);
      await api.close();
      await scratch.cleanup();
    },
  };
}

/** A hook call as Claude Code makes it, with the one that waits for somebody's answer where a permission is asked. */
async function fireAndAsk(hookline: Hookline, payload: Readonly<Record<string, unknown>>): Promise<void> {
  await hookline.fire(payload);
  if (payload["hook_event_name"] !== "PermissionRequest") return;
  const child = spawn("/bin/sh", ["-c", permissionCommand(HOLD_SECONDS)], {
    env: hookline.env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.end(`${JSON.stringify(payload)}\n`);
  await new Promise((resolve) => child.on("close", resolve));
}
