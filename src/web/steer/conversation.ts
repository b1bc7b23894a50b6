import type { AttachGap, DrivenSession } from "../../control/control-contract.ts";
import type { Envelope } from "../../control/envelope.ts";
import { applyToItems, type ChatItem } from "./chat-items.ts";

/** A driven session as one page knows it. */
export interface Conversation {
  /** The last snapshot, updated by what came since. */
  readonly session: DrivenSession | null;
  readonly items: readonly ChatItem[];
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
  items: [],
  lastSeq: 0,
  snapshotSeq: 0,
  partial: "",
};

/** Every stored envelope counts once, however often and from wherever it is repeated. Pure. */
export function applyMessage(talk: Conversation, message: AttachMessage): Conversation {
  switch (message.type) {
    case "snapshot": {
      const { session } = message;
      const { partialText: partial, seq: snapshotSeq } = session;
      // Its process has ended: only what is visible here remains of the answer.
      const items = session.state === "closed" && partial === "" ? withCut(talk) : talk.items;
      return { ...talk, session, items, snapshotSeq, partial };
    }
    case "gap":
      // An unknown position means a different log, which is sent from its start.
      return message.gap.reason === "unknown_place" ? EMPTY_CONVERSATION : talk;
    case "envelope": {
      const { envelope } = message;
      if (envelope.type === "text.delta") return { ...talk, partial: talk.partial + envelope.text };
      if (envelope.seq <= talk.lastSeq) return talk;
      const isOld = envelope.seq <= talk.snapshotSeq || talk.session === null;
      const items = isWhole(envelope)
        ? withoutCut(talk.items)
        : !isOld && endsPartial(envelope) && envelope.type !== "retry"
          ? withCut(talk)
          : talk.items;
      const kept = { ...talk, lastSeq: envelope.seq, items: applyToItems(items, envelope) };
      if (isOld || talk.session === null) return kept;
      return {
        ...kept,
        session: applyToSession(talk.session, envelope),
        partial: endsPartial(envelope) ? "" : talk.partial,
      };
    }
  }
}

const CUT = "cut-";

/** Keeps the part of an unfinished answer that was shown, marked as aborted. */
function withCut({ items, partial, lastSeq: seq }: Conversation): readonly ChatItem[] {
  if (partial === "") return items;
  const head = { v: 1, epoch: "", sessionId: "", seq, ts: "" } as const;
  const rest = { messageId: null, parent: null, aborted: true, error: null };
  const envelope = { ...head, type: "text", text: partial, ...rest } as const;
  return [...items, { type: "text", key: `${CUT}${seq}`, seq, envelope }];
}

/** A complete text right after it is the same answer. */
function withoutCut(items: readonly ChatItem[]): readonly ChatItem[] {
  return items.at(-1)?.key.startsWith(CUT) === true ? items.slice(0, -1) : items;
}

function isWhole(envelope: Envelope): boolean {
  return envelope.type === "text" && envelope.parent === null;
}

function endsPartial(envelope: Envelope): boolean {
  if (envelope.type === "text") return isWhole(envelope);
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
