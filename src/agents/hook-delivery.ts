/** The `provider` of an agent's events, and the first word of its spool files: small letters only. */
export type AgentId = string;

/** Sessions of an agent that nobody knows are shown as such, never as another's. */
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
  /** Of the file, when somebody asks: only the id of a delivery needs it. */
  readonly contentHash: () => string;
  /** The agent's process, from the file's name. */
  readonly pid: number | null;
  /** Whose hooks wrote it, from the file's name. Not always who called: see `recognises`. */
  readonly hooksOf?: AgentId | null;
}

/** What a translator may ask about the world: the project (git common directory, else the folder) of a folder. */
export type ProjectOf = (cwd: string | null) => string | null;
