import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Card } from "../../src/control/control-contract.ts";
import { type Hookline, openHookline } from "./hookline.ts";
import { PATIENCE_MS } from "./patience.ts";

type Payload = Readonly<Record<string, unknown>>;

/** A hook that waits for an answer while its terminal shows the dialog. */
export interface HeldHook {
  readonly id: string;
  /** What it prints for the agent, available once it ends. */
  readonly output: Promise<string>;
  /** Ends the whole process group, as when the terminal's own dialog is answered. */
  kill(): void;
}

export interface ToolRequest {
  readonly session: string;
  readonly tool?: string;
  readonly input: Payload;
  /** Defaults to the session's first turn. */
  readonly promptId?: string;
  readonly agent?: { readonly id: string; readonly type: string };
}

/** A scratch home with the hooks of `install --approve`, run as Claude Code runs them. */
export interface HookedHome {
  readonly hookline: Hookline;
  /** Runs every command that the settings have for the event. */
  fire(payload: Payload): Promise<void>;
  startTurn(session: string, turn?: { readonly prompt: string; readonly promptId: string }): Promise<void>;
  /** Returns once the daemon has a card for it. */
  requestPermission(request: ToolRequest): Promise<HeldHook>;
  /** Reports that the call ran, after the terminal or another client allowed it. */
  finishCall(request: ToolRequest): Promise<void>;
  cards(): Promise<readonly Card[]>;
}

export async function openHookedHome(approve: Payload = {}): Promise<HookedHome> {
  const hookline = openHookline({ config: { approve: { holdSeconds: 60, ...approve } } });
  const installed = await hookline.run("install", "--approve");
  if (installed.code !== 0) throw new Error(`install: ${installed.stderr}`);
  const settings = JSON.parse(readFileSync(join(hookline.root, ".claude/settings.json"), "utf8")) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  await hookline.start();
  const env = { ...hookline.env, CLAUDE_CODE_SESSION_ATTENDED: "1" };
  const pids = new Set<number>();
  let calls = 0;

  const run = (payload: Payload) =>
    (settings.hooks[String(payload["hook_event_name"])] ?? [])
      .flatMap(({ hooks }) => hooks)
      .map(({ command }) => {
        const child = spawn("/bin/sh", ["-c", command], { env, cwd: hookline.root, detached: true });
        pids.add(child.pid!);
        let output = "";
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
        child.stdin.on("error", () => undefined).end(`${JSON.stringify(payload)}\n`);
        const ended = new Promise<string>((resolve) =>
          child.on("close", () => {
            pids.delete(child.pid!);
            resolve(output);
          }),
        );
        return {
          output: ended,
          kill: () => void (pids.has(child.pid!) && process.kill(-child.pid!, "SIGTERM")),
        };
      });
  const fire = async (payload: Payload): Promise<void> => {
    await Promise.all(run(payload).map(({ output }) => output));
  };
  const cards = async () =>
    (await hookline.ask<{ cards: Card[] }>("GET", "/api/control/cards")).cards as readonly Card[];
  const toPayload = (
    event: string,
    { session, tool = "Bash", input, agent, promptId }: ToolRequest,
  ): Payload => ({
    hook_event_name: event,
    session_id: session,
    cwd: hookline.root,
    transcript_path: "/none",
    prompt_id: promptId ?? `${session}-1`,
    tool_name: tool,
    tool_input: input,
    ...(agent !== undefined && { agent_id: agent.id, agent_type: agent.type }),
  });

  return {
    hookline: {
      ...hookline,
      async close() {
        for (const pid of pids) process.kill(-pid, "SIGKILL");
        await hookline.close();
      },
    },
    fire,
    cards,
    startTurn: (session, { prompt, promptId } = { prompt: "go", promptId: `${session}-1` }) =>
      fire({
        hook_event_name: "UserPromptSubmit",
        session_id: session,
        cwd: hookline.root,
        transcript_path: "/none",
        prompt_id: promptId,
        prompt,
      }),
    async requestPermission(request) {
      const known = new Set((await cards()).map(({ id }) => id));
      const hooks = run(toPayload("PermissionRequest", request));
      for (const end = Date.now() + PATIENCE_MS; ; await setTimeout(20)) {
        const card = (await cards()).find(({ id }) => !known.has(id));
        if (card !== undefined)
          return {
            id: card.id,
            output: Promise.all(hooks.map(({ output }) => output)).then((all) => all.join("")),
            kill() {
              for (const hook of hooks) hook.kill();
            },
          };
        if (Date.now() > end) throw new Error(`no card of ${JSON.stringify(request)}`);
      }
    },
    finishCall: (request) =>
      fire({ ...toPayload("PostToolUse", request), tool_response: "", tool_use_id: `toolu_${++calls}` }),
  };
}
