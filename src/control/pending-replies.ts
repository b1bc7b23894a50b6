import type { Reply } from "./driven-input.ts";

/** Tool requests whose agent waits for a reply. Only the first reply to each counts. */
export interface PendingReplies {
  add(requestId: string, settle: (reply: Reply) => void): void;
  reply(requestId: string, reply: Reply): void;
  replyToAll(reply: Reply): void;
}

export function createPendingReplies(): PendingReplies {
  const pending = new Map<string, (reply: Reply) => void>();
  const reply = (requestId: string, response: Reply): void => {
    const settle = pending.get(requestId);
    pending.delete(requestId);
    settle?.(response);
  };
  return {
    add: (requestId, settle) => void pending.set(requestId, settle),
    reply,
    replyToAll(response) {
      for (const requestId of [...pending.keys()]) reply(requestId, response);
    },
  };
}
