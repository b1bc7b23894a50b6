// Many agents in one process: writes spool files as their hooks would, one event per second and session. A
// real `sh` for each of a thousand events a second would measure the machine instead.

import { spawn } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchHome } from "./bench-home.ts";
import { payloadOf } from "./payloads.ts";

export interface GeneratedLoad {
  /** File counts by hook name. */
  readonly written: Readonly<Record<string, number>>;
  /** Worst delay of the writer itself. */
  readonly lateMs: number;
}

interface Load {
  readonly spool: string;
  readonly root: string;
  /** Prefix of its session ids. */
  readonly name: string;
  readonly sessions: number;
  readonly seconds: number;
  /** A process that stays alive as long as the sessions do. */
  readonly pid: number;
}

export function generateLoad(
  place: BenchHome,
  name: string,
  sessions: number,
  seconds: number,
): Promise<GeneratedLoad> {
  const load: Load = { spool: place.home.spool, root: place.root, name, sessions, seconds, pid: process.pid };
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(load)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(output) as GeneratedLoad);
      else reject(new Error(`the generator ended with ${code}`));
    });
  });
}

/** The id of each call carries the time it was written, so its age is known wherever it shows up. */
export function writtenAtMs(toolUseId: string): number | undefined {
  const micros = /^toolu_live.*_([0-9a-z]+)$/.exec(toolUseId)?.[1];
  return micros === undefined ? undefined : Number.parseInt(micros, 36) / 1_000;
}

/** The system clock, finer than `Date.now` and the same in every process. */
export function clockMs(): number {
  return performance.timeOrigin + performance.now();
}

/** A turn: a prompt, five calls of which one needs permission, its end. */
const TURN = [
  "UserPromptSubmit",
  ...Array.from({ length: 2 }, () => ["PreToolUse.Bash", "PostToolUse.Bash"]).flat(),
  ...["PreToolUse.Write", "PermissionRequest.Write", "PostToolUse.Write"],
  ...Array.from({ length: 2 }, () => ["PreToolUse.Read", "PostToolUse.Read"]).flat(),
  "Stop",
];
/** Where calls start: each session's first turn resumes at one of them, so that sessions are out of phase. */
const CALLS = TURN.flatMap((hook, index) => (hook.startsWith("PreToolUse") ? [index] : []));
const TICK_MS = 5;

async function run({ spool, root, name, sessions, seconds, pid }: Load): Promise<GeneratedLoad> {
  const [makers, written]: [Map<string, PayloadBuilder>, Record<string, number>] = [new Map(), {}];
  for (const hook of new Set(["SessionStart.startup", ...TURN]))
    makers.set(hook, payloadBuilderOf(hook, root));
  const calls = Array.from({ length: sessions }, () => "");
  const write = (event: number): void => {
    const [session, step] = [event % sessions, Math.floor(event / sessions)];
    const at = step < 2 ? 0 : step - 2 + CALLS[session % CALLS.length]!;
    const hook = step === 0 ? "SessionStart.startup" : TURN[at % TURN.length]!;
    const turn = Math.floor(at / TURN.length);
    const eventName = hook.split(".")[0]!;
    if (eventName === "PreToolUse")
      calls[session] = `toolu_live${name}${session}_${Math.round(clockMs() * 1_000).toString(36)}`;
    const env =
      step === 0 ? `env\tCLAUDE_PID=${pid}\tCLAUDE_CODE_ENTRYPOINT=cli\tTMUX_PANE=%${session}\n` : "";
    const id = `${name}-${session}`;
    const content = env + makers.get(hook)!(id, `${id}-${turn}`, calls[session]!);
    const fd = openSync(join(spool, `${pid}-${100_000 + event}-0`), "wx", 0o600);
    writeSync(fd, content);
    closeSync(fd);
    written[eventName] = (written[eventName] ?? 0) + 1;
  };

  const startedAt = performance.now();
  let lateMs = 0;
  for (let event = 0; event < sessions * seconds; ) {
    const dueMs = (event / sessions) * 1_000;
    const nowMs = performance.now() - startedAt;
    if (dueMs > nowMs) await sleep(TICK_MS);
    else {
      write(event++);
      lateMs = Math.max(lateMs, nowMs - dueMs);
    }
  }
  return { written, lateMs };
}

type PayloadBuilder = (sessionId: string, promptId: string, toolUseId: string) => string;

/** A payload is built once from the fixture, then only its ids change. */
function payloadBuilderOf(hook: string, root: string): PayloadBuilder {
  const [session, prompt, call] = ["@session@", "@prompt@", "@call@"];
  const transcript_path = join(root, ".claude", "projects", "-home-dev-acme-shop", `${session}.jsonl`);
  const ids = { session_id: session, prompt_id: prompt, tool_use_id: call, transcript_path };
  const parts = payloadOf(hook, ids, 1_500, 3).split(/(@session@|@prompt@|@call@)/);
  return (sessionId, promptId, toolUseId) =>
    parts
      .map((part) =>
        part === session ? sessionId : part === prompt ? promptId : part === call ? toolUseId : part,
      )
      .join("");
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!) as Load)));
