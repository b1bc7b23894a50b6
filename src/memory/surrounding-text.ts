import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";

/** The agent's text around a call. */
export interface SurroundingText {
  readonly before: string | null;
  readonly after: string | null;
}

/** The text around each call of a turn, by call id. Messages are in order of time. */
export function textAroundCalls(messages: readonly HooklineEvent[]): ReadonlyMap<string, SurroundingText> {
  const parsed = messages.map(readMessage);
  const textByCall = new Map<string, SurroundingText>();
  for (const [index, message] of parsed.entries()) {
    const earlier = parsed[index - 1];
    // A message without calls belongs to the calls that follow it.
    const lead = message.lead ?? (earlier?.calls.length === 0 ? earlier.text : null);
    const next = parsed[index + 1];
    for (const call of message.calls)
      textByCall.set(call.id, { before: call.before ?? lead, after: next === undefined ? null : next.lead });
  }
  return textByCall;
}

/** The texts of all messages, in order. */
export function messageTexts(messages: readonly HooklineEvent[]): string[] {
  return messages.map((message) => readMessage(message).text).filter((text) => text !== null);
}

/** By message, the calls whose surrounding text it may change: its own and those of adjacent messages. */
export function callsNearMessages(
  messages: readonly HooklineEvent[],
): ReadonlyMap<string, readonly string[]> {
  const calls = messages.map(callIdsOf);
  return new Map(
    messages.map(({ id }, at) => [id, [calls[at - 1], calls[at], calls[at + 1]].flatMap((own) => own ?? [])]),
  );
}

export function callIdsOf(message: HooklineEvent): string[] {
  return readMessage(message).calls.map(({ id }) => id);
}

interface Message {
  readonly text: string | null;
  /** The text before the first call. */
  readonly lead: string | null;
  readonly calls: readonly { readonly id: string; readonly before: string | null }[];
}

function readMessage(event: HooklineEvent): Message {
  const blocks = isPlainObject(event["blocks"]) ? Object.entries(event["blocks"]) : [];
  const calls: { id: string; before: string | null }[] = [];
  const texts: string[] = [];
  let lead: string | null = null;
  let textSinceCall: string[] = [];
  for (const [, block] of blocks.sort(([a], [b]) => Number(a) - Number(b))) {
    if (!isPlainObject(block)) continue;
    if (block["type"] === "text" && typeof block["text"] === "string" && block["text"].trim() !== "") {
      texts.push(block["text"]);
      textSinceCall.push(block["text"]);
    } else if (block["type"] === "tool_use" && typeof block["toolUseId"] === "string") {
      const before: string | null =
        textSinceCall.length > 0 ? textSinceCall.join("\n") : (calls.at(-1)?.before ?? null);
      calls.push({ id: block["toolUseId"], before });
      if (calls.length === 1) lead = joinTexts(textSinceCall);
      textSinceCall = [];
    }
  }
  if (calls.length === 0) lead = joinTexts(texts);
  return { text: joinTexts(texts), lead, calls };
}

function joinTexts(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.join("\n");
}
