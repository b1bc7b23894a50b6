import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { claude } from "../../src/agents/claude/claude.ts";
import { hookEntries } from "../../src/hook/commands.ts";
import type { Hookline } from "./hookline.ts";

/** A process that stays alive like an agent and runs hooks as its children, so the spool records its pid. */
export interface FakeAgent {
  readonly pid: number;
  readonly sessionId: string;
  /** Makes one hook call: runs every command that the settings have for the event. */
  fire(event: string, fields?: Readonly<Record<string, unknown>>): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Reads lines `<script> <payload>`, runs each, and prints `ran`. */
const LOOP = 'while read -r script payload; do /bin/sh "$script" <"$payload" >/dev/null; echo ran; done';

export function openFakeAgent(hookline: Hookline, sessionId: string): FakeAgent {
  const env = { ...hookline.env, CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_CODE_ENTRYPOINT: "cli" };
  const child: ChildProcess = spawn("/bin/sh", ["-c", LOOP], {
    env,
    cwd: "/",
    stdio: ["pipe", "pipe", "ignore"],
  });
  const dir = mkdtempSync(join(hookline.root, "agent-"));
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const pending: (() => void)[] = [];
  createInterface({ input: child.stdout! }).on("line", () => pending.shift()?.());
  child.stdin!.on("error", () => undefined);
  let calls = 0;

  return {
    pid: child.pid!,
    sessionId,
    async fire(event, fields = {}) {
      const payload = join(dir, `${++calls}.json`);
      const body = { session_id: sessionId, cwd: hookline.root, hook_event_name: event, ...fields };
      writeFileSync(payload, `${JSON.stringify(body)}\n`);
      for (const { matcher, hooks } of hookEntries(claude)[event] ?? []) {
        if (matcher !== undefined && !new RegExp(`^(${matcher})$`).test(String(fields["source"]))) continue;
        for (const [index, { command }] of hooks.entries()) {
          const script = join(dir, `${calls}-${index}.sh`);
          writeFileSync(script, command);
          const ran = new Promise<void>((resolve) => pending.push(resolve));
          child.stdin!.write(`${script} ${payload}\n`);
          await ran;
        }
      }
    },
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await ended;
    },
  };
}
