import type { Reply } from "./driven-input.ts";

/** Tool requests whose agent waits for a reply. Only the first reply to each counts. */
export interface PendingReplies {
  add(requestId: string, settle: (reply: Reply) => void): void;
  reply(requestId: string, reply: Reply): void;
  replyToAll(reply: Reply): void;
}

export function createPendingReplies(): PendingReplies {
  const open = new Map<string, (reply: Reply) => void>();
  const reply = (requestId: string, said: Reply): void => {
    const settle = open.get(requestId);
    open.delete(requestId);
    settle?.(said);
  };
  return {
    add: (requestId, settle) => void open.set(requestId, settle),
    reply,
    replyToAll(said) {
      for (const requestId of [...open.keys()]) reply(requestId, said);
    },
  };
}
