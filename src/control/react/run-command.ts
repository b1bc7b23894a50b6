import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { ReactionAction } from "../../policy/reaction-rules.ts";
import { commandEnv } from "./fill-template.ts";
import type { ReactionTrigger } from "./reaction-trigger.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";

export interface CommandRun {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type CommandAction = Extract<ReactionAction, { type: "command" }>;

/** Runs `sh -c` in the session's folder, with the trigger in its environment and on its stdin. */
export function runCommand(
  action: CommandAction,
  trigger: ReactionTrigger,
  { env, timeoutMs, signal }: CommandRun,
): Promise<ProgramResult> {
  const cwd = folderOf(action.cwd, trigger, env["HOME"] ?? "/");
  if (cwd === null)
    return Promise.resolve({ type: "missing", why: "the folder it is to run in is not there" });
  return runProgram({
    file: "/bin/sh",
    args: ["-c", action.command],
    cwd,
    env: commandEnv(trigger, env),
    stdin: `${JSON.stringify(trigger.payload)}\n`,
    timeoutMs,
    signal,
  });
}

function folderOf(configured: string | undefined, trigger: ReactionTrigger, home: string): string | null {
  const sessionFolder = [trigger.cwd, trigger.projectPath].find(
    (folder) => folder !== null && isFolder(folder),
  );
  if (configured === undefined) return sessionFolder ?? null;
  const expanded =
    configured === "~" || configured.startsWith("~/") ? `${home}${configured.slice(1)}` : configured;
  const folder = isAbsolute(expanded) ? expanded : resolve(sessionFolder ?? home, expanded);
  return isFolder(folder) ? folder : null;
}

function isFolder(path: string): boolean {
  try {
    return isAbsolute(path) && statSync(path).isDirectory();
  } catch {
    return false;
  }
}
