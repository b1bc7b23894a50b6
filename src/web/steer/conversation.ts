import type { AttachGap, DrivenSession } from "../../control/control-contract.ts";
import type { Envelope } from "../../control/envelope.ts";
import type { ChatEntry } from "../conversation/entry.ts";
import { applyToEntries } from "./chat-entries.ts";

/** A driven session as shown on the page. */
export interface Conversation {
  /** The last snapshot, updated by what came since. */
  readonly session: DrivenSession | null;
  readonly entries: readonly ChatEntry[];
  /** The seq of the last stored envelope: the position to resume after. */
  readonly lastSeq: number;
  /** The position of the last snapshot, which includes everything up to it. */
  readonly snapshotSeq: number;
  /** The answer that is being written. */
  readonly partial: string;
}

export type AttachMessage =
  | { readonly type: "snapshot"; readonly session: DrivenSession }
  | { readonly type: "envelope"; readonly envelope: Envelope }
  | { readonly type: "gap"; readonly gap: AttachGap };

export const EMPTY_CONVERSATION: Conversation = {
  session: null,
  entries: [],
  lastSeq: 0,
  snapshotSeq: 0,
  partial: "",
};

/** Applies each stored envelope once, however often it is repeated. Pure. */
export function applyMessage(conversation: Conversation, message: AttachMessage): Conversation {
  switch (message.type) {
    case "snapshot": {
      const { session } = message;
      const { partialText: partial, seq: snapshotSeq } = session;
      // Its process has ended, so the partial answer shown here is all that remains.
      const entries =
        session.state === "closed" && partial === "" ? withAborted(conversation) : conversation.entries;
      return { ...conversation, session, entries, snapshotSeq, partial };
    }
    case "gap":
      // An unknown position means a different log, which is sent from its start.
      return message.gap.reason === "unknown_place" ? EMPTY_CONVERSATION : conversation;
    case "envelope": {
      const { envelope } = message;
      if (envelope.type === "text.delta")
        return { ...conversation, partial: conversation.partial + envelope.text };
      if (envelope.seq <= conversation.lastSeq) return conversation;
      const isInSnapshot = envelope.seq <= conversation.snapshotSeq || conversation.session === null;
      const entries = isCompleteAnswer(envelope)
        ? withoutAborted(conversation.entries)
        : !isInSnapshot && endsPartial(envelope) && envelope.type !== "retry"
          ? withAborted(conversation)
          : conversation.entries;
      const next = { ...conversation, lastSeq: envelope.seq, entries: applyToEntries(entries, envelope) };
      if (isInSnapshot || conversation.session === null) return next;
      return {
        ...next,
        session: applyToSession(conversation.session, envelope),
        partial: endsPartial(envelope) ? "" : conversation.partial,
      };
    }
  }
}

const ABORTED_PREFIX = "cut-";

/** Keeps the part of an unfinished answer that was shown, marked as aborted. */
function withAborted({ entries, partial, lastSeq: seq }: Conversation): readonly ChatEntry[] {
  if (partial === "") return entries;
  const answer = { type: "answer", text: partial, model: null, aborted: true } as const;
  return [...entries, { ...answer, key: `${ABORTED_PREFIX}${seq}`, seq, atMs: entries.at(-1)?.atMs ?? 0 }];
}

/** Drops an aborted answer that is followed by its complete text. */
function withoutAborted(entries: readonly ChatEntry[]): readonly ChatEntry[] {
  return entries.at(-1)?.key.startsWith(ABORTED_PREFIX) === true ? entries.slice(0, -1) : entries;
}

function isCompleteAnswer(envelope: Envelope): boolean {
  return envelope.type === "text" && envelope.parent === null;
}

function endsPartial(envelope: Envelope): boolean {
  if (envelope.type === "text") return isCompleteAnswer(envelope);
  if (envelope.type === "state") return envelope.state === "idle" || envelope.state === "closed";
  return envelope.type === "result" || envelope.type === "retry";
}

function applyToSession(session: DrivenSession, envelope: Envelope): DrivenSession {
  switch (envelope.type) {
    case "state":
      return { ...session, state: envelope.state };
    case "mode":
      return { ...session, mode: envelope.mode };
    case "model":
      return { ...session, model: envelope.model };
    case "init":
      return {
        ...session,
        model: envelope.model ?? session.model,
        claudeSessionId: envelope.claudeSessionId,
      };
    case "result":
      return { ...session, totalCostUsd: envelope.totalCostUsd };
    default:
      return session;
  }
}
