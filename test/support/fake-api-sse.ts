// The wire format of the fake API: one turn of a script as an Anthropic message, complete or as server-sent events.

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly id?: string;
}

interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

/** One answer of the model. Blocks come in the order thinking, text, tools. */
export interface Turn {
  readonly text?: string;
  readonly tools?: readonly ToolCall[];
  readonly thinking?: string;
  readonly error?: {
    readonly status: number;
    readonly type: string;
    readonly message: string;
    /** Seconds, as in the `retry-after` header. */
    readonly retryAfter?: number;
  };
  readonly delayMs?: number;
  /** Streams its text word by word, with this delay between words. */
  readonly wordMs?: number;
  readonly usage?: Usage;
}

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

export interface Message {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly Block[];
  readonly stop_reason: "end_turn" | "tool_use";
  readonly stop_sequence: null;
  readonly usage: Required<Usage>;
}

/** `uniqueId` returns a new id on each call; a turn with neither text nor tools answers "ok". */
export function toMessage(turn: Turn, model: string, uniqueId: (prefix: string) => string): Message {
  const tools = turn.tools ?? [];
  const text = turn.text ?? (tools.length === 0 ? "ok" : "");
  const content: Block[] = [];
  if (turn.thinking) content.push({ type: "thinking", thinking: turn.thinking, signature: "c2lnbmF0dXJl" });
  if (text) content.push({ type: "text", text });
  for (const { id, name, input } of tools) {
    content.push({ type: "tool_use", id: id ?? uniqueId("toolu_"), name, input });
  }
  return {
    id: uniqueId("msg_"),
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: tools.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      output_tokens: 20,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      ...turn.usage,
    },
  };
}

/** The event stream of a message, as text. */
export function toSse(message: Message): string {
  return toEvents(message, false).join("");
}

/** The events of a message one by one; with `inWords`, its text word by word. */
export function toEvents(message: Message, inWords: boolean): string[] {
  const { content, stop_reason, stop_sequence, usage, ...head } = message;
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null };
  return [
    event("message_start", { message: { ...start, usage: { ...usage, output_tokens: 1 } } }),
    ...content.flatMap((block, index) => [
      event("content_block_start", { index, content_block: emptyBlock(block) }),
      ...deltas(block, inWords).map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]),
    event("message_delta", { delta: { stop_reason, stop_sequence }, usage }),
    event("message_stop", {}),
  ];
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function emptyBlock(block: Block): Block {
  switch (block.type) {
    case "text":
      return { ...block, text: "" };
    case "thinking":
      return { ...block, thinking: "", signature: "" };
    case "tool_use":
      return { ...block, input: {} };
    default:
      return block satisfies never;
  }
}

function deltas(block: Block, inWords: boolean): object[] {
  switch (block.type) {
    case "text":
      return (inWords ? block.text.split(/(?<= )/) : [block.text]).map((text) => ({
        type: "text_delta",
        text,
      }));
    case "thinking":
      return [
        { type: "thinking_delta", thinking: block.thinking },
        { type: "signature_delta", signature: block.signature },
      ];
    case "tool_use":
      return [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
    default:
      return block satisfies never;
  }
}
