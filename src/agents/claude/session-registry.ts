import { basename, dirname, join } from "node:path";
import type { AgentProcess, AgentStatus } from "../liveness-source.ts";
import { asObject, type Json, nonEmpty, number } from "../read-json.ts";

/**
 * Parses what Claude Code writes about each running process, in `<config folder>/sessions/<pid>.json`. The
 * format is undocumented and the file is written in place, so anything unexpected or incomplete is ignored.
 */
export function parseRegistryEntry(text: string): AgentProcess | null {
  const entry = parseObject(text);
  const pid = number(entry, "pid");
  const sessionId = nonEmpty(entry, "sessionId");
  const cwd = nonEmpty(entry, "cwd");
  if (pid === undefined || !Number.isInteger(pid) || pid <= 0) return null;
  if (sessionId === undefined || cwd === undefined) return null;
  const status = statusOf(entry["status"]);
  const textOrNull = (key: string): string | null => nonEmpty(entry, key) ?? null;
  const timeOrNull = (key: string): number | null => number(entry, key) ?? null;
  return {
    pid,
    sessionId,
    cwd,
    startedAtMs: timeOrNull("startedAt"),
    procStart: textOrNull("procStart"),
    pidDomain: textOrNull("pidDomain"),
    version: textOrNull("version"),
    kind: textOrNull("kind"),
    entrypoint: textOrNull("entrypoint"),
    name: textOrNull("name"),
    nameSource: textOrNull("nameSource"),
    tmux: textOrNull("tmux"),
    status,
    waitingFor: status === "waiting" ? textOrNull("waitingFor") : null,
    statusUpdatedAtMs: timeOrNull("statusUpdatedAt"),
    updatedAtMs: timeOrNull("updatedAt"),
  };
}

/** The socket that accepts messages from the same user's other sessions; older versions have none. */
export function inboxSocket(text: string): string | null {
  return nonEmpty(parseObject(text), "messagingSocketPath") ?? null;
}

/** The pid in an entry's file name; null for every other file there, above all the secret keys. */
export function pidOfRegistryFile(name: string): number | null {
  const digits = /^([1-9]\d*)\.json$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** `<config folder>` of `<config folder>/projects/<project>/<session>.jsonl`. */
export function configDirOf(transcriptPath: string): string | null {
  const projects = dirname(dirname(transcriptPath));
  return basename(projects) === "projects" ? dirname(projects) : null;
}

/** Where a session started in this folder writes; null if the folder's name is too long to derive it. */
export function expectedTranscriptPath(configDir: string, cwd: string, sessionId: string): string | null {
  const project = cwd.replace(/[^a-zA-Z0-9]/g, "-");
  return project.length > 200 ? null : join(configDir, "projects", project, `${sessionId}.jsonl`);
}

function parseObject(text: string): Json {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function statusOf(value: unknown): AgentStatus | null {
  return value === "busy" || value === "idle" || value === "waiting" ? value : null;
}
