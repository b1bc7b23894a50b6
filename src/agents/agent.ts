import type { NewEvent } from "../event/event.ts";
import type { AnswerFormat } from "./answer-format.ts";
import type { AgentId, HookDelivery, HookEnv, ProjectOf } from "./hook-delivery.ts";
import type { Installer } from "./installer.ts";
import type { LivenessSource } from "./liveness-source.ts";
import type { PromptReader } from "./prompt-reader.ts";
import type { ToolTable } from "./tool-table.ts";
import type { TranscriptSource } from "./transcript-source.ts";
import type { UsageSource } from "./usage-source.ts";

/**
 * Everything a stage may know of an agent. Each agent is a folder with one exported adapter; only the composition
 * root imports it and passes on the parts that a stage needs.
 */
export interface AgentAdapter {
  readonly id: AgentId;
  /** What a person calls it. */
  readonly label: string;
  /** Whether this agent sent a hook payload. Agents run hooks that they find in each other's settings. */
  recognises(payload: unknown, env: HookEnv): Confidence;
  /** Total: any JSON gives at least one event, and nothing throws. */
  translateHook(delivery: HookDelivery, projectOf: ProjectOf): NewEvent[];
  readonly prompts?: PromptReader;
  readonly tools: ToolTable;
  readonly transcripts?: TranscriptSource;
  readonly liveness?: LivenessSource;
  readonly usage?: UsageSource;
  /** The words of a command that takes up a session again, in the folder it ran in. Its id is safe to type. */
  resume?(sessionId: string): readonly string[];
  /** Absent: it is only watched. */
  readonly answers?: AnswerFormat;
  readonly installer?: Installer;
}

/** `certain` beats `possible`; among equals the agent whose hooks were run wins, then the order of the table. */
export type Confidence = "certain" | "possible" | "none";
