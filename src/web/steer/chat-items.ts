import { DRIVEN_QUESTION_TOOL, requestKindOf } from "../../agents/tool-call.ts";
import type { Envelope, SettledBy } from "../../control/envelope.ts";
import { type RequestRef, requestIdOf } from "../../control/request-id.ts";

/** The items of a chat, in order. A call stays where it first appeared, and later reports update it. */

export interface ChatCall {
  readonly type: "call";
  readonly key: string;
  readonly seq: number;
  readonly tool: string;
  readonly input: unknown;
  /** The subagent's call that makes it. */
  readonly parent: string | null;
  /** `cut`: its turn ended before it did. */
  readonly state: "running" | "ok" | "failed" | "cut";
  readonly output: string;
  readonly startedIso: string;
  readonly endedIso: string | null;
  readonly decision: {
    readonly verdict: "allow" | "deny" | "ask";
    readonly rule: string;
    readonly reason: string;
  } | null;
  readonly asked: AskedRequest | null;
  readonly settled: SettledRequest | null;
  /** A message followed after it was lost. */
  readonly isPast: boolean;
}

export interface AskedRequest {
  readonly requestId: string;
  readonly kind: "permission" | "question" | "plan";
  readonly questions: readonly unknown[];
  readonly reason: string | null;
  readonly rule: string | null;
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly sinceIso: string;
}

export interface SettledRequest {
  readonly outcome: "allow" | "allowAll" | "deny" | "answered" | "withdrawn" | "lost";
  readonly by: SettledBy;
  readonly who: string | null;
  readonly rule: string | null;
  readonly answers: Readonly<Record<string, string>> | null;
  readonly atIso: string;
}

type EnvelopeOf<T extends Envelope["type"]> = Extract<Envelope, { readonly type: T }>;
type NoticeEnvelope = EnvelopeOf<
  "init" | "state" | "retry" | "mode" | "model" | "rule" | "task" | "rewind" | "error"
>;

export type ChatItem =
  | ChatCall
  | {
      readonly type: "user";
      readonly key: string;
      readonly seq: number;
      readonly envelope: EnvelopeOf<"user">;
    }
  | {
      readonly type: "text";
      readonly key: string;
      readonly seq: number;
      readonly envelope: EnvelopeOf<"text">;
    }
  | {
      readonly type: "result";
      readonly key: string;
      readonly seq: number;
      readonly envelope: EnvelopeOf<"result">;
    }
  | {
      readonly type: "notice";
      readonly key: string;
      readonly seq: number;
      readonly envelope: NoticeEnvelope;
    };

/** The items after a stored envelope. Pure: unchanged items stay the same objects. */
export function applyToItems(items: readonly ChatItem[], envelope: Envelope): readonly ChatItem[] {
  const { seq, ts } = envelope;
  const key = String(seq);
  switch (envelope.type) {
    case "user":
      return [...items.map(toPast), { type: "user", key, seq, envelope }];
    case "text":
      return envelope.text === "" && envelope.error === null
        ? items
        : [...items, { type: "text", key, seq, envelope }];
    case "result":
      return [...items, { type: "result", key, seq, envelope }];
    case "tool.start": {
      const { tool, input, parent } = envelope;
      return withCall(items, envelope, { tool, input, parent, startedIso: ts });
    }
    case "tool.end": {
      const { ok, output } = envelope;
      return withCall(items, envelope, { state: ok ? "ok" : "failed", output, endedIso: ts });
    }
    case "decision": {
      const { tool, verdict, rule, reason } = envelope;
      return withCall(items, envelope, { tool, decision: { verdict, rule, reason } });
    }
    case "permission.request": {
      const { tool, input, reason, rule, agentId, agentType } = envelope;
      const kind = requestKindOf({ toolName: tool }) === "plan" ? "plan" : "permission";
      const requestId = requestIdOf(envelope);
      const asked = {
        requestId,
        kind,
        questions: [],
        reason,
        rule,
        agentId,
        agentType,
        sinceIso: ts,
      } as const;
      return withCall(items, envelope, { tool, input, asked, settled: null });
    }
    case "question.request": {
      const { questions, agentId, agentType = null } = envelope;
      const none = { reason: null, rule: null };
      const requestId = requestIdOf(envelope);
      const asked = {
        requestId,
        kind: "question",
        questions,
        agentId,
        agentType,
        ...none,
        sinceIso: ts,
      } as const;
      const calls = withCall(items, envelope, { tool: DRIVEN_QUESTION_TOOL, asked, settled: null });
      // Its call may not have been reported: the questions are its input.
      return calls.map((item) =>
        item.type === "call" && item.asked === asked && isEmpty(item.input)
          ? { ...item, input: { questions } }
          : item,
      );
    }
    case "permission.resolved":
    case "question.resolved": {
      const { outcome, by, who, rule } = envelope;
      const answers = envelope.type === "question.resolved" ? envelope.answers : null;
      return withCall(items, envelope, { settled: { outcome, by, who, rule, answers, atIso: ts } });
    }
    case "state":
      return withState(items, envelope);
    case "retry": {
      // Of several retries only the last matters.
      const last = items.at(-1);
      const isAgain = last?.type === "notice" && last.envelope.type === "retry";
      return [...(isAgain ? items.slice(0, -1) : items), { type: "notice", key, seq, envelope }];
    }
    case "mode":
      // The mode at the start of a run is in the page's header.
      return items.length === 0 || isClosing(items.at(-1))
        ? items
        : [...items, { type: "notice", key, seq, envelope }];
    case "task":
      // A task that its call waits for is shown by that call.
      return envelope.background !== false && (envelope.what === "started" || envelope.what === "ended")
        ? [...items, { type: "notice", key, seq, envelope }]
        : items;
    case "init":
    case "model":
    case "rule":
    case "rewind":
    case "error":
      return [...items, { type: "notice", key, seq, envelope }];
    default:
      // Types from a newer daemon are unknown here.
      return items;
  }
}

function isEmpty(input: unknown): boolean {
  return typeof input === "object" && input !== null && Object.keys(input).length === 0;
}

function withState(items: readonly ChatItem[], envelope: EnvelopeOf<"state">): readonly ChatItem[] {
  const { seq, state } = envelope;
  const told: readonly ChatItem[] =
    state === "queued" || state === "closed"
      ? [...items, { type: "notice", key: String(seq), seq, envelope }]
      : items;
  if (state !== "idle" && state !== "closed") return told;
  const isCut = (item: ChatItem): item is ChatCall =>
    item.type === "call" && item.state === "running" && (state === "closed" || item.parent === null);
  return told.some(isCut) ? told.map((item) => (isCut(item) ? { ...item, state: "cut" } : item)) : told;
}

function isClosing(item: ChatItem | undefined): boolean {
  return item?.type === "notice" && item.envelope.type === "state" && item.envelope.state === "closed";
}

function toPast(item: ChatItem): ChatItem {
  return item.type === "call" && item.settled?.outcome === "lost" ? { ...item, isPast: true } : item;
}

function withCall(
  items: readonly ChatItem[],
  envelope: Envelope & RequestRef,
  change: Partial<Omit<ChatCall, "type" | "key" | "seq">>,
): readonly ChatItem[] {
  const { toolUseId, seq, ts } = envelope;
  const at = findCallIndex(items, envelope, change.asked != null);
  if (at !== -1) return items.with(at, { ...(items[at] as ChatCall), ...change });
  const isReused = items.some(({ key }) => key === toolUseId);
  const call: ChatCall = {
    type: "call",
    key: isReused ? requestIdOf(envelope) : toolUseId,
    seq,
    tool: "",
    input: {},
    parent: null,
    state: "running",
    output: "",
    startedIso: ts,
    endedIso: null,
    decision: null,
    asked: null,
    settled: null,
    isPast: false,
  };
  return [...items, { ...call, ...change }];
}

/** A request with its own id gets its own item if its call already has another request. */
function findCallIndex(items: readonly ChatItem[], names: RequestRef, isRequest: boolean): number {
  const { toolUseId, requestId } = names;
  if (requestId === undefined)
    return items.findLastIndex((item) => item.type === "call" && item.key === toolUseId);
  const own = items.findLastIndex((item) => item.type === "call" && item.asked?.requestId === requestId);
  if (own !== -1 || !isRequest) return own;
  return items.findLastIndex((item) => item.type === "call" && item.key === toolUseId && item.asked === null);
}
