import { createParser } from "eventsource-parser";

/** One server-sent event. */
export interface SseMessage {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Accepts text in any chunks and returns the complete messages. */
export function createSseReader(): (text: string) => SseMessage[] {
  let messages: SseMessage[] = [];
  const parser = createParser({
    onEvent: ({ id = null, event = "message", data }) => messages.push({ id, event, data }),
  });
  return (text) => {
    messages = [];
    parser.feed(text);
    return messages;
  };
}
