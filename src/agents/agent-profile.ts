import type { Capabilities } from "./capabilities.ts";
import type { AgentId } from "./hook-delivery.ts";
import type { ToolTable } from "./tool-table.ts";

/**
 * Static facts about an agent: no file or process is consulted. UI and pure stages read them through the
 * functions beside this file, without needing the adapter.
 */
export interface AgentProfile {
  readonly id: AgentId;
  /** The display name. */
  readonly label: string;
  readonly tools: ToolTable;
  readonly capabilities: Capabilities;
  /** The argv of a command that resumes a session in the folder it ran in. The session id is safe to type. */
  resumeCommand?(sessionId: string): readonly string[];
  /** The common prefix of its model names; lists omit it. */
  readonly modelPrefix?: string;
  /** An environment variable that the agent sets for the commands it runs. */
  readonly commandEnvVar?: string;
  /** Whether a user attends a session, judged by the environment at its start; null if that does not say. */
  isAttended?(env: Readonly<Record<string, unknown>>): boolean | null;
}
