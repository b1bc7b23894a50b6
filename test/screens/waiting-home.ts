import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type LiveWork, liveWork } from "../../scripts/demo/live-work.ts";
import { claude } from "../../src/agents/claude/claude.ts";
import { toLine } from "../../src/event/line.ts";
import { permissionCommand } from "../../src/hook/ask-command.ts";
import { openLogWriter } from "../../src/log/file/writer.ts";
import { type DaemonChild, type Hookline, openHookline } from "../support/hookline.ts";

type Payload = Readonly<Record<string, unknown>>;

/** A daemon with a day's sessions, and agents that wait for an answer; `hookline.close` ends it. */
export interface AskingHome {
  readonly hookline: Hookline;
  readonly daemon: DaemonChild;
  readonly ids: LiveWork["ids"];
  /** The answer an agent got. */
  answered(session: string): Promise<string> | undefined;
  begins(session: string, prompt: string): Promise<unknown>;
  /** The hook that waits for an answer, as Claude Code runs it. */
  asks(payload: Payload): Promise<void>;
  /** What Claude Code reports once it was answered. */
  goesOn(session: string, tool: string, toolUse: string): Promise<unknown>;
}

const HOLD_SECONDS = 120;
const cwd = "/home/dev/other";

export async function openAskingHome(): Promise<AskingHome> {
  const hookline = openHookline({ config: { approve: { on: true, holdSeconds: HOLD_SECONDS } } });
  const { events, toFire, ids } = await liveWork(Date.now());
  const log = { active: join(hookline.home.stream, "lifecycle.jsonl") };
  const writer = await openLogWriter(log, { rotateBytes: 1e9 });
  await writer.append(events.toSorted((a, b) => (a.occurredAtIso < b.occurredAtIso ? -1 : 1)).map(toLine));
  await writer.close();
  const daemon = await hookline.start();
  const answers = new Map<string, Promise<string>>();
  const asks = async (payload: Payload): Promise<void> => {
    const child = spawn("/bin/sh", ["-c", permissionCommand(claude, HOLD_SECONDS)], { env: hookline.env });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.stdin.end(`${JSON.stringify(payload)}\n`);
    const ended = new Promise<string>((resolve) => child.on("close", () => resolve(said)));
    const sessionId = String(payload["session_id"]);
    answers.set(sessionId, ended);
    // Ensures that the next one asks later, on every machine.
    for (let tries = 0; tries < 200; tries++, await sleep(25)) {
      const path = `/api/control/cards?session=${encodeURIComponent(sessionId)}`;
      if ((await hookline.ask<{ cards: unknown[] }>("GET", path)).cards.length > 0) return;
    }
  };
  for (const payload of toFire) {
    if (payload["session_id"] !== ids.shop && payload["session_id"] !== ids.quill) continue;
    await (payload["hook_event_name"] === "PermissionRequest" ? asks(payload) : hookline.fire(payload));
  }
  return {
    hookline,
    daemon,
    ids,
    asks,
    answered: (session) => answers.get(session),
    begins: (session, prompt) =>
      hookline.fire({
        hook_event_name: "UserPromptSubmit",
        session_id: session,
        cwd,
        prompt_id: `${session}-1`,
        prompt,
      }),
    goesOn: (session, tool, toolUse) =>
      hookline.fire({
        hook_event_name: "PostToolUse",
        session_id: session,
        cwd,
        tool_name: tool,
        tool_input: {},
        tool_response: "",
        tool_use_id: toolUse,
      }),
  };
}

/** A request to run a command. */
export function wantsTo(session: string, command: string): Payload {
  return {
    hook_event_name: "PermissionRequest",
    session_id: session,
    cwd,
    prompt_id: `${session}-1`,
    tool_name: "Bash",
    tool_input: { command },
  };
}
