import { join } from "node:path";
import { claude } from "../../src/agents/claude/claude.ts";
import { defaultAskHooks } from "../../src/hook/ask-command.ts";
import { hookEntries } from "../../src/hook/commands.ts";
import { runCommand } from "../hook/run-command.ts";
import type { Scratch } from "../support/claude.ts";

export const KINDS = ["startup", "resume", "compact", "prompt", "file"] as const;

interface Asked {
  readonly prompt: string;
  /** Within the project. */
  readonly file: string;
}

let number = 0;

/** The kinds of context that the hooks of a session print. A file is injected once per session, so each check uses another. */
export async function givenBy(scratch: Scratch, asked: Asked, sessionId?: string): Promise<string[]> {
  const found: string[] = [];
  for (const kind of KINDS) {
    const id = sessionId ?? `5c0ffee5-0000-4000-8000-1${String(++number).padStart(11, "0")}`;
    if ((await printed(scratch, asked, kind, id)).includes("<hookline-context>")) found.push(kind);
  }
  return found;
}

async function printed(
  { home, project }: Scratch,
  { prompt, file }: Asked,
  kind: (typeof KINDS)[number],
  sessionId: string,
): Promise<string> {
  const event = kind === "prompt" ? "UserPromptSubmit" : kind === "file" ? "PreToolUse" : "SessionStart";
  const input = { file_path: join(project, file) };
  const payload = {
    hook_event_name: event,
    session_id: sessionId,
    cwd: project,
    transcript_path: "/nowhere",
    ...(event === "SessionStart" && { source: kind }),
    ...(kind === "prompt" && { prompt, prompt_id: `p${++number}` }),
    ...(kind === "file" && { tool_name: "Read", tool_input: input, tool_use_id: `t${++number}` }),
  };
  const env = {
    HOME: home,
    PATH: "/usr/bin:/bin",
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_CODE_SESSION_ID: sessionId,
    HOOKLINE_AUTOSTART: "0",
  };
  const matched = kind === "file" ? "Read" : kind;
  let output = "";
  for (const { matcher, hooks } of hookEntries(claude, { ...defaultAskHooks, file: true })[event] ?? []) {
    if (matcher !== undefined && !new RegExp(`^(${matcher})$`).test(matched)) continue;
    for (const { command } of hooks)
      output += (await runCommand(command, { env, input: `${JSON.stringify(payload)}\n` })).stdout;
  }
  return output;
}
