import type { AttachMessage } from "./follow-session.ts";

/**
 * The agent's text as it streams. Deltas arrive while it is written; the complete text at the end is
 * authoritative. `shown` is the part already on the terminal.
 */
export interface LiveText {
  readonly shown: string;
}

export interface LiveTextUpdate {
  readonly live: LiveText;
  /** Written unchanged. */
  readonly output: string;
}

export const NO_LIVE_TEXT: LiveText = { shown: "" };

/** `isLive`: the output is watched, so deltas are shown. Pure. */
export function applyToLiveText(live: LiveText, message: AttachMessage, isLive: boolean): LiveTextUpdate {
  if (message.type !== "envelope" || message.envelope.type === "text.delta") {
    const text = unshownText(live, message);
    return isLive ? { live: { shown: live.shown + text }, output: text } : { live, output: "" };
  }
  const { envelope } = message;
  if (envelope.type !== "text" || envelope.parent !== null) return { live, output: "" };
  const { text } = envelope;
  // After a broken connection less of it may be shown, or another text if one was lost.
  const rest = text.startsWith(live.shown) ? text.slice(live.shown.length) : `\n${text}`;
  const end = text.endsWith("\n") || text === "" ? "" : "\n";
  return { live: NO_LIVE_TEXT, output: rest + end };
}

/** The part of the current text in a message that is not shown yet. */
function unshownText({ shown }: LiveText, message: AttachMessage): string {
  if (message.type === "envelope") return message.envelope.type === "text.delta" ? message.envelope.text : "";
  if (message.type === "down") return "";
  const { partialText } = message.session;
  return partialText.startsWith(shown) ? partialText.slice(shown.length) : "";
}
