import type { AttachMessage } from "./follow-session.ts";

/**
 * The text of the agent as it is written. Deltas come while it is; the whole comes when it is done and is the truth.
 * `shown` is what a terminal has of the text under way.
 */
export interface LiveText {
  readonly shown: string;
}

export interface Spoken {
  readonly live: LiveText;
  /** To be written as it is. */
  readonly write: string;
}

export const SILENT: LiveText = { shown: "" };

/** `isLive`: somebody watches, so deltas are shown. Pure. */
export function speak(live: LiveText, message: AttachMessage, isLive: boolean): Spoken {
  if (message.type !== "envelope" || message.envelope.type === "text.delta") {
    const text = partOf(live, message);
    return isLive ? { live: { shown: live.shown + text }, write: text } : { live, write: "" };
  }
  const { envelope } = message;
  if (envelope.type !== "text" || envelope.parent !== null) return { live, write: "" };
  const { text } = envelope;
  // What was shown of it may be less, where the connection broke; or another text's, where one was lost.
  const rest = text.startsWith(live.shown) ? text.slice(live.shown.length) : `\n${text}`;
  const end = text.endsWith("\n") || text === "" ? "" : "\n";
  return { live: SILENT, write: rest + end };
}

/** What a message has of the text under way that was not shown yet. */
function partOf({ shown }: LiveText, message: AttachMessage): string {
  if (message.type === "envelope") return message.envelope.type === "text.delta" ? message.envelope.text : "";
  if (message.type === "down") return "";
  const { partialText } = message.session;
  return partialText.startsWith(shown) ? partialText.slice(shown.length) : "";
}
