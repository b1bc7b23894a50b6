/** What can be done with the sessions of an agent; what cannot is not offered. Each needs a part of the adapter. */
export type Capability =
  /** Its hooks are written, checked and taken out again. */
  | "install"
  /** Our MCP server is registered with it. */
  | "mcp"
  /** Its calls are judged before they run. */
  | "guard"
  /** Its requests for leave are answered elsewhere. */
  | "approve"
  /** Its sessions are told what is remembered. */
  | "inject"
  /** A session that runs is sent a message. */
  | "message"
  /** A session is started by us, and spoken with. */
  | "drive"
  /** A session is taken up again in a terminal. */
  | "resume"
  /** Its transcripts are imported and followed. */
  | "transcripts"
  /** Whether its processes live is known without a hook. */
  | "liveness"
  /** What its models cost is known. */
  | "usage"
  /** A command of ours draws its status line. */
  | "statusLine";

export type Capabilities = Readonly<Record<Capability, boolean>>;

/** Of an agent that is only watched. */
export const WATCHED_ONLY: Capabilities = {
  install: false,
  mcp: false,
  guard: false,
  approve: false,
  inject: false,
  message: false,
  drive: false,
  resume: false,
  transcripts: false,
  liveness: false,
  usage: false,
  statusLine: false,
};
