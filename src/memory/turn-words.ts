import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";

/** What the assistant said around its calls, by the call's id. */
export interface Words {
  readonly before: string | null;
  readonly after: string | null;
}

/** The texts of a turn's messages, each with the calls it makes. Messages in order of time. */
export function wordsAround(messages: readonly HooklineEvent[]): ReadonlyMap<string, Words> {
  const told = messages.map(readMessage);
  const words = new Map<string, Words>();
  for (const [index, message] of told.entries()) {
    const earlier = told[index - 1];
    // One that only says something belongs to the calls that follow it.
    const lead = message.lead ?? (earlier?.calls.length === 0 ? earlier.text : null);
    const next = told[index + 1];
    for (const call of message.calls)
      words.set(call.id, { before: call.before ?? lead, after: next === undefined ? null : next.lead });
  }
  return words;
}

/** All that the assistant said, in order. */
export function wordsOf(messages: readonly HooklineEvent[]): string[] {
  return messages.map((message) => readMessage(message).text).filter((text) => text !== null);
}

/** Of each message, the calls whose words it may change: its own, and those of the messages next to it. */
export function callsBeside(messages: readonly HooklineEvent[]): ReadonlyMap<string, readonly string[]> {
  const calls = messages.map(callsOf);
  return new Map(
    messages.map(({ id }, at) => [id, [calls[at - 1], calls[at], calls[at + 1]].flatMap((own) => own ?? [])]),
  );
}

export function callsOf(message: HooklineEvent): string[] {
  return readMessage(message).calls.map(({ id }) => id);
}

interface Message {
  readonly text: string | null;
  /** What is said before the first call. */
  readonly lead: string | null;
  readonly calls: readonly { readonly id: string; readonly before: string | null }[];
}

function readMessage(event: HooklineEvent): Message {
  const blocks = isPlainObject(event["blocks"]) ? Object.entries(event["blocks"]) : [];
  const calls: { id: string; before: string | null }[] = [];
  const texts: string[] = [];
  let lead: string | null = null;
  let since: string[] = [];
  for (const [, block] of blocks.sort(([a], [b]) => Number(a) - Number(b))) {
    if (!isPlainObject(block)) continue;
    if (block["type"] === "text" && typeof block["text"] === "string" && block["text"].trim() !== "") {
      texts.push(block["text"]);
      since.push(block["text"]);
    } else if (block["type"] === "tool_use" && typeof block["toolUseId"] === "string") {
      const before: string | null = since.length > 0 ? since.join("\n") : (calls.at(-1)?.before ?? null);
      calls.push({ id: block["toolUseId"], before });
      if (calls.length === 1) lead = joined(since);
      since = [];
    }
  }
  if (calls.length === 0) lead = joined(texts);
  return { text: joined(texts), lead, calls };
}

function joined(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.join("\n");
}
