/** The `provider` of an agent's events and the prefix of its spool files: lowercase letters only. */
export type AgentId = string;

/** Sessions of an unknown agent are shown as such, never as another agent's. */
export const UNKNOWN_AGENT: AgentId = "unknown";

/** The allow-listed environment that a session's first record carries. */
export type HookEnv = Readonly<Record<string, string>>;

/** One hook call as the spool delivers it. `payload` is any JSON at all. */
export interface HookDelivery {
  readonly payload: unknown;
  readonly env: HookEnv;
  readonly name: string;
  readonly timeNs: string;
  readonly occurredAtIso: string;
  /** Lazy: only the id of a delivery needs it. */
  readonly contentHash: () => string;
  /** The agent's process, from the file's name. */
  readonly pid: number | null;
  /** Whose hooks wrote it, from the file's name. Not always the caller: see `recognises`. */
  readonly hookOwner?: AgentId | null;
}

/** A translator's only lookup: the project of a folder (git common directory, else the folder itself). */
export type ProjectOf = (cwd: string | null) => string | null;
