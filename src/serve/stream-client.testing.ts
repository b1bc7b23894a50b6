import type { SessionSnapshot } from "../monitor/session-snapshot.ts";
import { StreamCards, StreamGap, StreamPatch, StreamReset } from "./contract.ts";

export interface Message {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** Parses server-sent events as a browser does; `rest` is an incomplete message. */
export function parseMessages(text: string): { messages: Message[]; rest: string } {
  const blocks = text.split("\n\n");
  const rest = blocks.pop() ?? "";
  const messages = blocks.flatMap((block) => {
    const fields = new Map(
      block.split("\n").map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
      }),
    );
    const data = fields.get("data");
    if (data === undefined) return [];
    return [
      { event: fields.get("event") ?? "message", id: fields.get("id"), data: JSON.parse(data) as unknown },
    ];
  });
  return { messages, rest };
}

export type Sessions = Map<string, SessionSnapshot>;

/** Applies a message as a client does. */
export function applyMessage(sessions: Sessions, { event, data }: Message): void {
  switch (event) {
    case "reset":
      sessions.clear();
      for (const session of StreamReset.parse(data).sessions) sessions.set(session.sessionId, session);
      return;
    case "patch": {
      const { sessionId, set } = StreamPatch.parse(data);
      const known = sessions.get(sessionId);
      if (known === undefined && set.startedAtIso === undefined)
        throw new Error(`${sessionId} got a partial patch before its full state`);
      sessions.set(sessionId, { ...known, ...set } as SessionSnapshot);
      return;
    }
    case "cards":
      StreamCards.parse(data);
      return;
    case "gap":
      StreamGap.parse(data);
      return;
    default:
      throw new Error(`unknown message: ${event}`);
  }
}
