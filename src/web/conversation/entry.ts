import type { Envelope, SettledBy } from "../../control/envelope.ts";
import type { ToolKind } from "../../event/tool-kind.ts";

/** An entry of a conversation, from recorded events or from a driven session's envelopes. */
export type Entry =
  | (EntryBase & {
      readonly type: "prompt";
      /** Null for a private or forgotten one. */
      readonly text: string | null;
      readonly isForgotten?: true;
      readonly isMachine: boolean;
      readonly promptId: string | null;
      readonly images?: number;
    })
  | (EntryBase & {
      readonly type: "answer";
      readonly text: string;
      readonly model: string | null;
      readonly aborted?: boolean;
      readonly error?: string | null;
      /** The call of the subagent that wrote it. */
      readonly parent?: string | null;
    })
  | (EntryBase & {
      readonly type: "call";
      readonly call: Call;
      /** The entries of the subagent that this call started. */
      readonly inner: readonly Entry[];
    })
  | (EntryBase & {
      readonly type: "mark";
      readonly kind: MarkKind;
      readonly text: string;
      readonly detail: string | null;
    })
  | (EntryBase & {
      readonly type: "turnEnd";
      readonly promptId: string | null;
      readonly failed: string | null;
      readonly result?: EnvelopeOf<"result">;
    });

/** Driven sessions also report notices. */
export type ChatEntry = Entry | (EntryBase & { readonly type: "notice"; readonly envelope: NoticeEnvelope });

interface EntryBase {
  readonly key: string;
  readonly atMs: number;
  /** The envelope that started it, in a driven session. */
  readonly seq?: number;
}

export type MarkKind =
  | "started"
  | "ended"
  | "lost"
  | "compaction"
  | "model"
  | "skill"
  | "interrupted"
  | "released"
  | "settled";

export type EnvelopeOf<T extends Envelope["type"]> = Extract<Envelope, { readonly type: T }>;
export type NoticeEnvelope = EnvelopeOf<
  "init" | "state" | "retry" | "mode" | "model" | "rule" | "task" | "rewind" | "error"
>;

/** `unfinished`: its turn ended before it did. */
export type CallStatus = "running" | "ok" | "failed" | "denied" | "interrupted" | "unfinished";

/** A tool call from start to end, as far as either was reported. */
export interface Call {
  readonly key: string;
  readonly toolName: string;
  readonly kind: ToolKind;
  /** As recorded; null if it was not. */
  readonly subject: string | null;
  readonly input: unknown;
  readonly output: string | null;
  readonly error: string | null;
  readonly patch: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: CallStatus;
  readonly startMs: number;
  /** Null while it runs. */
  readonly endMs: number | null;
  readonly agentId: string | null;
  readonly promptId: string | null;
  /** Whether a person was asked first. */
  readonly asked: boolean;
  /** Reported only by driven sessions. */
  readonly driven?: DrivenCall;
}

export interface DrivenCall {
  /** The call of the subagent that made it. */
  readonly parent: string | null;
  readonly decision: Pick<EnvelopeOf<"decision">, "verdict" | "rule" | "reason"> | null;
  readonly request: { readonly requestId: string; readonly kind: "permission" | "question" | "plan" } | null;
  readonly settled: SettledRequest | null;
  /** A message was sent after its request was lost. */
  readonly isPast: boolean;
}

export interface SettledRequest {
  readonly outcome: EnvelopeOf<"permission.resolved">["outcome"];
  readonly by: SettledBy;
  readonly who: string | null;
  readonly rule: string | null;
}

export function isBad({ status }: Pick<Call, "status">): boolean {
  return status === "failed" || status === "denied";
}

/** Whether this call has a request to answer or to send again. */
export function isWaiting({ driven }: Call): boolean {
  if (driven == null || driven.request === null) return false;
  return driven.settled === null || (driven.settled.outcome === "lost" && !driven.isPast);
}
