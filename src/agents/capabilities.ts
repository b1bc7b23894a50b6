/** What can be done with an agent's sessions; the rest is not offered. Each needs a part of the adapter. */
export type Capability =
  /** Its hooks can be installed, checked and removed. */
  | "install"
  /** Our MCP server is registered with it. */
  | "mcp"
  /** Its calls are judged before they run. */
  | "guard"
  /** Its permission requests can be answered elsewhere. */
  | "approve"
  /** Memory is injected into its sessions. */
  | "inject"
  /** A running session can be sent a message. */
  | "message"
  /** We can start a session and talk to it. */
  | "drive"
  /** A session can be resumed in a terminal. */
  | "resume"
  /** Its transcripts are imported and followed. */
  | "transcripts"
  /** Its running processes are known without a hook. */
  | "liveness"
  /** The prices of its models are known. */
  | "usage"
  /** Our command draws its status line. */
  | "statusLine";

export type Capabilities = Readonly<Record<Capability, boolean>>;

/** For an agent that is only watched. */
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
