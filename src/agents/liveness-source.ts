import type { Env } from "../home.ts";

/** The agent's own registry of its processes, one file each. */
export interface LivenessSource {
  /** Where registries may be: the agent's own folder, and those of watched sessions' transcripts. */
  configDirs(env: Env, transcriptPaths: Iterable<string>): string[];
  /** The folder of the registry. */
  folder(configDir: string): string;
  /** The pid in a registry file's name; null for every other file there. */
  pidOf(fileName: string): number | null;
  /** Null for anything that is not an entry, including a half-written one. */
  parse(text: string): AgentProcess | null;
  /** Whether a user attends it; null if the entry does not say. */
  isAttended(process: AgentProcess): boolean | null;
  /** The transcript of a session known only from this registry; null if it cannot be determined. */
  locateTranscript(configDir: string, process: AgentProcess): string | null;
  readonly inbox?: AgentInbox;
}

/** How a process accepts messages from the user's other sessions: over a socket, one JSON line each. */
export interface AgentInbox {
  /** The socket, from the text of the process's entry; null if it has none. */
  socketOf(text: string): string | null;
  /** If a turn has started meanwhile, the message waits until it ends. */
  toLine(content: string): object;
  /** Whether a message would wait in the terminal until the user accepts it. */
  requiresApproval(mode: string): boolean;
}

/** What an agent reports about one of its running processes. */
export interface AgentProcess {
  readonly pid: number;
  /** Changes under one pid: `/clear` and `/resume` start another session in the same process. */
  readonly sessionId: string;
  readonly cwd: string;
  /** When the entry was created, about a second after the process. */
  readonly startedAtMs: number | null;
  /** The start time as the system reports it: field 22 of `/proc/<pid>/stat`, or `ps -o lstart=` in UTC. */
  readonly procStart: string | null;
  /** The machine and process namespace that `pid` belongs to. */
  readonly pidDomain: string | null;
  readonly version: string | null;
  /** "interactive" for `-p` too: `entrypoint` tells them apart, "cli" or "sdk-cli". */
  readonly kind: string | null;
  readonly entrypoint: string | null;
  readonly name: string | null;
  /** "derived" from the folder, or "user". */
  readonly nameSource: string | null;
  /** `session:@window.%pane`, if it runs in tmux. */
  readonly tmux: string | null;
  /** Null in its first moments, and for an unknown status. */
  readonly status: AgentStatus | null;
  /** For a waiting process: "permission prompt", "input needed", "dialog open", … */
  readonly waitingFor: string | null;
  readonly statusUpdatedAtMs: number | null;
  readonly updatedAtMs: number | null;
}

export type AgentStatus = "busy" | "idle" | "waiting";
