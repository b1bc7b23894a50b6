import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Hookline, openHookline } from "../support/hookline.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A daemon and terminal sessions with the permission hooks that `install --approve` writes. */
export interface RequestHome {
  readonly hookline: Hookline;
  /** Sends a prompt, which starts a session. */
  begin(session: string, prompt?: string): Promise<unknown>;
  /** Requests a permission as Claude Code does, and waits for an answer. */
  ask(session: string, tool: string, input: unknown, more?: Fields): Asking;
  /** Any other hook. */
  fire(session: string, event: string, more?: Fields): Promise<unknown>;
  close(): Promise<void>;
}

export interface Asking {
  /** The hook's output once it ended: empty when it is left to the terminal. */
  readonly answer: Promise<string>;
  /** Its output so far; null while it waits. */
  output(): string | null;
}

const cwd = "/home/dev/shop";

export async function openRequestHome(holdSeconds = 120): Promise<RequestHome> {
  const hookline = openHookline({ config: { approve: { on: true, holdSeconds } } });
  await hookline.start();
  const { code, stderr } = await hookline.run("install", "--approve");
  if (code !== 0) throw new Error(stderr);
  const settings = JSON.parse(readFileSync(join(hookline.root, ".claude/settings.json"), "utf8")) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const commands = settings.hooks["PermissionRequest"]!.flatMap(({ hooks }) => hooks);
  if (commands.length !== 1) throw new Error(`one hook records and asks, not ${commands.length}`);
  const base = (session: string) => ({ session_id: session, cwd, prompt_id: `${session}-1` });
  return {
    hookline,
    begin: (session, prompt = `Work on ${session}`) =>
      hookline.fire({ ...base(session), hook_event_name: "UserPromptSubmit", prompt }),
    ask(session, tool, input, more = {}) {
      const payload = {
        ...base(session),
        permission_mode: "default",
        hook_event_name: "PermissionRequest",
        tool_name: tool,
        tool_input: input,
        ...more,
      };
      const child = spawn("/bin/sh", ["-c", commands[0]!.command], { env: hookline.env, cwd: "/" });
      let output = "";
      let isOver = false;
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
      child.stdin.end(`${JSON.stringify(payload)}\n`);
      const answer = new Promise<string>((resolve) =>
        child.on("close", () => {
          isOver = true;
          resolve(output);
        }),
      );
      return { answer, output: () => (isOver ? output : null) };
    },
    fire: (session, event, more = {}) => hookline.fire({ ...base(session), hook_event_name: event, ...more }),
    close: () => hookline.close(),
  };
}
