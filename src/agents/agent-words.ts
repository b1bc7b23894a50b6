import type { Capabilities } from "./capabilities.ts";
import type { AgentId } from "./hook-delivery.ts";
import type { ToolTable } from "./tool-table.ts";

/**
 * What of an agent is words alone: no file and no process is asked. Pages and pure stages have it, by the functions
 * beside this file, without being handed the agent.
 */
export interface AgentWords {
  readonly id: AgentId;
  /** What a person calls it. */
  readonly label: string;
  readonly tools: ToolTable;
  readonly capabilities: Capabilities;
  /** The words of a command that takes up a session again, in the folder it ran in. Its id is safe to type. */
  resume?(sessionId: string): readonly string[];
  /** What the names of its models all begin with; lists leave it out. */
  readonly modelPrefix?: string;
  /** A variable that it sets for the commands it runs. */
  readonly commandMark?: string;
  /** Whether a person sits before a session, by the environment of its start; null when that does not say. */
  isAttendedIn?(env: Readonly<Record<string, unknown>>): boolean | null;
}
