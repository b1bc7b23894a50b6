import type { NewEvent } from "../event/event.ts";
import type { AgentProfile } from "./agent-profile.ts";
import type { AnswerFormat } from "./answer-format.ts";
import type { Driving } from "./driving.ts";
import type { HookDelivery, HookEnv, ProjectOf } from "./hook-delivery.ts";
import type { Installer } from "./installer.ts";
import type { LivenessSource } from "./liveness-source.ts";
import type { PromptReader } from "./prompt-reader.ts";
import type { Json } from "./read-json.ts";
import type { StatusLineSource } from "./status-line-source.ts";
import type { TranscriptSource } from "./transcript-source.ts";
import type { UsageSource } from "./usage-source.ts";

/**
 * Everything a stage may know about an agent. Each agent is a folder with one exported adapter; only the
 * composition root imports it and passes on the parts that a stage needs.
 */
export interface AgentAdapter extends AgentProfile {
  /** Whether this agent sent a hook payload. Agents also run hooks found in each other's settings. */
  recognises(payload: unknown, env: HookEnv): Confidence;
  /** Total: any JSON yields at least one event, and nothing throws. */
  translateHook(delivery: HookDelivery, projectOf: ProjectOf): NewEvent[];
  /** Converts a hook body that any program posted over HTTP under an event name. Absent: used as is. */
  readHttpHook?(event: string, body: Json, newId: () => string): Json;
  readonly prompts?: PromptReader;
  readonly transcripts?: TranscriptSource;
  readonly liveness?: LivenessSource;
  readonly usage?: UsageSource;
  /** Absent: the agent is only watched. */
  readonly answers?: AnswerFormat;
  readonly installer?: Installer;
  readonly statusLine?: StatusLineSource;
  /** Absent: its sessions cannot be driven. */
  readonly driving?: Driving;
}

/** `certain` beats `possible`; among equals the agent whose hooks were run wins, then the order of the table. */
export type Confidence = "certain" | "possible" | "none";
