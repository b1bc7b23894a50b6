import { DRIVEN_QUESTION_TOOL, kindOfCall, requestKindOf } from "../../agents/tool-call.ts";
import type { Envelope } from "../../control/envelope.ts";
import { type RequestRef, requestIdOf } from "../../control/request-id.ts";
import type {
  Call,
  ChatEntry,
  DrivenCall,
  Entry,
  EnvelopeOf,
  NoticeEnvelope,
} from "../conversation/entry.ts";

type CallEntry = Extract<ChatEntry, { readonly type: "call" }>;

/**
 * The entries of a chat after a stored envelope, in order. A call stays where it first appeared, and later
 * reports update it. Pure: unchanged entries stay the same objects.
 */
export function applyToEntries(entries: readonly ChatEntry[], envelope: Envelope): readonly ChatEntry[] {
  const base = { key: String(envelope.seq), seq: envelope.seq, atMs: Date.parse(envelope.ts) };
  const notice = (noticeEnvelope: NoticeEnvelope): readonly ChatEntry[] => [
    ...entries,
    { type: "notice", ...base, envelope: noticeEnvelope },
  ];
  switch (envelope.type) {
    case "user": {
      const { text, images } = envelope;
      const prompt = { text, images, isMachine: false, promptId: null };
      return [...entries.map(toPast), { type: "prompt", ...base, ...prompt }];
    }
    case "text": {
      const { text, aborted, error, parent } = envelope;
      if (text === "" && error === null) return entries;
      return [...entries, { type: "answer", ...base, text, model: null, aborted, error, parent }];
    }
    case "result":
      return [...entries, { type: "turnEnd", ...base, promptId: null, failed: null, result: envelope }];
    case "tool.start": {
      const { tool, input, parent } = envelope;
      return withCall(entries, envelope, { toolName: tool, input, startMs: base.atMs }, { parent });
    }
    case "tool.end": {
      const { ok, output } = envelope;
      return withCall(entries, envelope, { status: ok ? "ok" : "failed", output, endMs: base.atMs });
    }
    case "decision": {
      const { tool, verdict, rule, reason } = envelope;
      return withCall(entries, envelope, { toolName: tool }, { decision: { verdict, rule, reason } });
    }
    case "permission.request": {
      const { tool, input } = envelope;
      const kind = requestKindOf({ toolName: tool }) === "plan" ? "plan" : "permission";
      const request = { requestId: requestIdOf(envelope), kind } as const;
      return withCall(entries, envelope, { toolName: tool, input, asked: true }, { request, settled: null });
    }
    case "question.request": {
      const { questions } = envelope;
      const request = { requestId: requestIdOf(envelope), kind: "question" } as const;
      const call = { toolName: DRIVEN_QUESTION_TOOL, asked: true };
      // Its call may not have been reported: the questions are its input.
      return withCall(entries, envelope, call, { request, settled: null }).map((entry) =>
        entry.type === "call" && entry.call.driven?.request === request && isEmpty(entry.call.input)
          ? { ...entry, call: { ...entry.call, input: { questions } } }
          : entry,
      );
    }
    case "permission.resolved":
    case "question.resolved": {
      const { outcome, by, who, rule } = envelope;
      const answers = envelope.type === "question.resolved" ? envelope.answers : null;
      const settled = withCall(entries, envelope, {}, { settled: { outcome, by, who, rule } });
      const index = answers === null ? -1 : findCallIndex(settled, envelope, false);
      if (index === -1) return settled;
      const entry = settled[index] as CallEntry;
      return settled.with(index, {
        ...entry,
        call: { ...entry.call, input: { ...(entry.call.input as object), answers } },
      });
    }
    case "state":
      return withState(entries, envelope.state, notice(envelope));
    case "retry": {
      // Consecutive retries show only the last.
      const last = entries.at(-1);
      const isRepeated = last?.type === "notice" && last.envelope.type === "retry";
      return [...(isRepeated ? entries.slice(0, -1) : entries), { type: "notice", ...base, envelope }];
    }
    case "mode":
      // The mode at the start of a run is in the page's header.
      return entries.length === 0 || isClosing(entries.at(-1)) ? entries : notice(envelope);
    case "task":
      // A task that its call waits for is shown by that call.
      return envelope.background !== false && (envelope.what === "started" || envelope.what === "ended")
        ? notice(envelope)
        : entries;
    case "init":
    case "model":
    case "rule":
    case "rewind":
    case "error":
      return notice(envelope);
    default:
      // Types from a newer daemon are unknown here.
      return entries;
  }
}

/** Subagents' entries go under the call that started them. */
export function nestEntries(entries: readonly ChatEntry[]): readonly ChatEntry[] {
  const calls = new Set(entries.filter(({ type }) => type === "call").map(({ key }) => key));
  const children = Map.groupBy(entries, (entry) => {
    const parent =
      entry.type === "call" ? entry.call.driven?.parent : entry.type === "answer" ? entry.parent : null;
    return parent != null && calls.has(parent) ? parent : null;
  });
  if (children.size <= 1) return entries;
  const nest = (entry: ChatEntry): ChatEntry => {
    const inner = entry.type === "call" ? children.get(entry.key) : undefined;
    return inner === undefined ? entry : { ...(entry as CallEntry), inner: inner.map(nest) as Entry[] };
  };
  return (children.get(null) ?? []).map(nest);
}

function isEmpty(input: unknown): boolean {
  return typeof input === "object" && input !== null && Object.keys(input).length === 0;
}

function withState(
  entries: readonly ChatEntry[],
  state: EnvelopeOf<"state">["state"],
  withNotice: readonly ChatEntry[],
): readonly ChatEntry[] {
  const next = state === "queued" || state === "closed" ? withNotice : entries;
  if (state !== "idle" && state !== "closed") return next;
  const isInterrupted = (entry: ChatEntry): entry is CallEntry =>
    entry.type === "call" &&
    entry.call.status === "running" &&
    (state === "closed" || entry.call.driven?.parent == null);
  if (!next.some(isInterrupted)) return next;
  return next.map((entry) =>
    isInterrupted(entry) ? { ...entry, call: { ...entry.call, status: "unfinished" } } : entry,
  );
}

function isClosing(entry: ChatEntry | undefined): boolean {
  return entry?.type === "notice" && entry.envelope.type === "state" && entry.envelope.state === "closed";
}

function toPast(entry: ChatEntry): ChatEntry {
  if (entry.type !== "call" || entry.call.driven?.settled?.outcome !== "lost") return entry;
  return { ...entry, call: { ...entry.call, driven: { ...entry.call.driven, isPast: true } } };
}

function withCall(
  entries: readonly ChatEntry[],
  envelope: Envelope & RequestRef,
  change: Partial<Call>,
  drivenChange: Partial<DrivenCall> = {},
): readonly ChatEntry[] {
  const { toolUseId, seq, ts } = envelope;
  const index = findCallIndex(entries, envelope, drivenChange.request != null);
  const atMs = Date.parse(ts);
  const isReused = index === -1 && entries.some(({ key }) => key === toolUseId);
  const key = isReused ? requestIdOf(envelope) : toolUseId;
  const entry =
    index === -1
      ? ({ type: "call", key, seq, atMs, call: newCall(key, atMs), inner: [] } as const)
      : (entries[index] as CallEntry);
  const driven = { ...entry.call.driven!, ...drivenChange };
  const isDenied = driven.decision?.verdict === "deny" || driven.settled?.outcome === "deny";
  const call = { ...entry.call, ...change, driven };
  const next: CallEntry = {
    ...entry,
    call: {
      ...call,
      kind: kindOfCall({ toolName: call.toolName }),
      status: isDenied ? "denied" : call.status,
    },
  };
  return index === -1 ? [...entries, next] : entries.with(index, next);
}

function newCall(key: string, startMs: number): Call {
  return {
    ...{ key, toolName: "", kind: "other", subject: null, input: {}, output: null, error: null, patch: null },
    ...{ metadata: {}, status: "running", startMs, endMs: null, agentId: null, promptId: null, asked: false },
    driven: { parent: null, decision: null, request: null, settled: null, isPast: false },
  };
}

/** A request with its own id gets its own entry if its call already has another request. */
function findCallIndex(entries: readonly ChatEntry[], ref: RequestRef, isRequest: boolean): number {
  const { toolUseId, requestId } = ref;
  const findLast = (matches: (call: Call) => boolean): number =>
    entries.findLastIndex((entry) => entry.type === "call" && matches(entry.call));
  if (requestId === undefined) return findLast(({ key }) => key === toolUseId);
  const ownIndex = findLast(({ driven }) => driven?.request?.requestId === requestId);
  if (ownIndex !== -1 || !isRequest) return ownIndex;
  return findLast(({ key, driven }) => key === toolUseId && driven?.request == null);
}
