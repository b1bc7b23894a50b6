import { basename, dirname, join } from "node:path";
import type { AgentProcess, AgentStatus } from "../liveness-source.ts";
import { asObject, type Json, nonEmpty, number } from "../read-json.ts";

/**
 * What Claude Code writes of each of its running processes, in `<config folder>/sessions/<pid>.json`.
 * The format is not documented, so whatever does not look like an entry is none. Half a text neither: the
 * file is written in place.
 */
export function parseRegistry(text: string): AgentProcess | null {
  const entry = parseObject(text);
  const pid = number(entry, "pid");
  const sessionId = nonEmpty(entry, "sessionId");
  const cwd = nonEmpty(entry, "cwd");
  if (pid === undefined || !Number.isInteger(pid) || pid <= 0) return null;
  if (sessionId === undefined || cwd === undefined) return null;
  const status = statusOf(entry["status"]);
  const words = (key: string): string | null => nonEmpty(entry, key) ?? null;
  const time = (key: string): number | null => number(entry, key) ?? null;
  return {
    pid,
    sessionId,
    cwd,
    startedAtMs: time("startedAt"),
    procStart: words("procStart"),
    pidDomain: words("pidDomain"),
    version: words("version"),
    kind: words("kind"),
    entrypoint: words("entrypoint"),
    name: words("name"),
    nameSource: words("nameSource"),
    tmux: words("tmux"),
    status,
    waitingFor: status === "waiting" ? words("waitingFor") : null,
    statusUpdatedAtMs: time("statusUpdatedAt"),
    updatedAtMs: time("updatedAt"),
  };
}

/** The socket on which an entry's process takes messages of the same user's other sessions; older versions have none. */
export function inboxSocket(text: string): string | null {
  return nonEmpty(parseObject(text), "messagingSocketPath") ?? null;
}

/** The pid in the name of an entry's file; null for every other file there, the secret keys above all. */
export function registryPid(name: string): number | null {
  const digits = /^([1-9]\d*)\.json$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** `<config folder>` of `<config folder>/projects/<project>/<session>.jsonl`. */
export function configDirOf(transcriptPath: string): string | null {
  const projects = dirname(dirname(transcriptPath));
  return basename(projects) === "projects" ? dirname(projects) : null;
}

/** Where a session that began in this folder writes; null when the folder's name is too long to be told. */
export function transcriptPathOf(configDir: string, cwd: string, sessionId: string): string | null {
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
