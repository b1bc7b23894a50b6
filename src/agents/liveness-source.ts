import type { Env } from "../home.ts";

/** The list that an agent keeps of its own processes, one file for each. */
export interface LivenessSource {
  /** Where lists may lie: in the agent's own folder, and in those that the transcripts of watched sessions are of. */
  configDirs(env: Env, transcriptPaths: Iterable<string>): string[];
  /** The folder of the list. */
  folder(configDir: string): string;
  /** The pid in the name of a process's file; null for every other file there. */
  pidOf(fileName: string): number | null;
  /** Null for whatever does not look like an entry, half a text included. */
  parse(text: string): AgentProcess | null;
  /** Whether a person sits before it; null when it does not say. */
  isAttended(process: AgentProcess): boolean | null;
  /** The transcript of a session that only this list tells of; null when it cannot be told. */
  locateTranscript(configDir: string, process: AgentProcess): string | null;
  readonly inbox?: AgentInbox;
}

/** How a process takes messages of the same user's other sessions: by a socket, one line of JSON each. */
export interface AgentInbox {
  /** The socket, from the text of the process's entry; null where it has none. */
  socketOf(text: string): string | null;
  /** Should a turn have begun meanwhile, the message waits for its end. */
  lineOf(content: string): object;
  /** Whether a message would wait in the terminal for somebody who lets it in. */
  isGuardedIn(mode: string): boolean;
}

/** What an agent says of one of its running processes. */
export interface AgentProcess {
  readonly pid: number;
  /** Changes under one pid: `/clear` and `/resume` begin another session in the same process. */
  readonly sessionId: string;
  readonly cwd: string;
  /** When the entry was made, about a second after the process. */
  readonly startedAtMs: number | null;
  /** When the process began, as the system tells it: field 22 of `/proc/<pid>/stat`, or `ps -o lstart=` in UTC. */
  readonly procStart: string | null;
  /** The machine and the process namespace that `pid` is of. */
  readonly pidDomain: string | null;
  readonly version: string | null;
  /** "interactive" for `-p` too: what tells them apart is `entrypoint`, "cli" or "sdk-cli". */
  readonly kind: string | null;
  readonly entrypoint: string | null;
  readonly name: string | null;
  /** "derived" from the folder, or "user". */
  readonly nameSource: string | null;
  /** `session:@window.%pane`, for one in tmux. */
  readonly tmux: string | null;
  /** Null in its first moments, and for a word we do not know. */
  readonly status: AgentStatus | null;
  /** Of a waiting one: "permission prompt", "input needed", "dialog open", … */
  readonly waitingFor: string | null;
  readonly statusUpdatedAtMs: number | null;
  readonly updatedAtMs: number | null;
}

export type AgentStatus = "busy" | "idle" | "waiting";
