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
  occasion: ReactionTrigger,
  { env, timeoutMs, signal }: CommandRun,
): Promise<ProgramResult> {
  const cwd = folderOf(action.cwd, occasion, env["HOME"] ?? "/");
  if (cwd === null)
    return Promise.resolve({ type: "missing", why: "the folder it is to run in is not there" });
  return runProgram({
    file: "/bin/sh",
    args: ["-c", action.command],
    cwd,
    env: commandEnv(occasion, env),
    stdin: `${JSON.stringify(occasion.payload)}\n`,
    timeoutMs,
    signal,
  });
}

function folderOf(wanted: string | undefined, occasion: ReactionTrigger, home: string): string | null {
  const own = [occasion.cwd, occasion.projectPath].find((folder) => folder !== null && isFolder(folder));
  if (wanted === undefined) return own ?? null;
  const named = wanted === "~" || wanted.startsWith("~/") ? `${home}${wanted.slice(1)}` : wanted;
  const folder = isAbsolute(named) ? named : resolve(own ?? home, named);
  return isFolder(folder) ? folder : null;
}

function isFolder(path: string): boolean {
  try {
    return isAbsolute(path) && statSync(path).isDirectory();
  } catch {
    return false;
  }
}
