// A scripted Anthropic API on loopback: enough for a real Claude Code to run a session.

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Turn, toEvents, toMessage, toSse } from "./fake-api-sse.ts";

export type { ToolCall, Turn } from "./fake-api-sse.ts";

export interface FakeRequest {
  /** Milliseconds since the epoch at which the request had fully arrived. */
  readonly time: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: MessagesBody;
  /** Size of the body as received. */
  readonly bytes: number;
  readonly sessionId: string | undefined;
  /** The requesting subagent; undefined for the main conversation (and for its compaction). */
  readonly agentId: string | undefined;
  /** The text of the last user message, without the CLI's `<system-reminder>` blocks. */
  readonly lastUserText: string;
  readonly systemText: string;
  readonly toolNames: readonly string[];
  /** A request of the CLI for itself (title, quota probe): it consumes no turn of the script. */
  readonly isSide: boolean;
}

interface MessagesBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly system?: string | readonly ContentBlock[];
  readonly messages?: readonly {
    readonly role: string;
    readonly content: string | readonly ContentBlock[];
  }[];
  readonly tools?: readonly { readonly name: string }[];
}

interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly [key: string]: unknown;
}

/**
 * An array is consumed in order, once per session (a resumed session continues where it was) and, for `agent`,
 * once per subagent; after its end the model answers "ok". A bare array is `main`. The function form sees
 * every request that is not a side request, and may be slow.
 */
export type Script =
  | readonly Turn[]
  | { readonly main: readonly Turn[]; readonly agent: readonly Turn[] }
  | ((request: FakeRequest) => Turn | Promise<Turn>);

export interface FakeApi {
  readonly url: string;
  /** All requests to /v1/messages, side requests included. */
  readonly requests: readonly FakeRequest[];
  close(): Promise<void>;
}

export interface FakeApiOptions {
  /** Answers requests without tools instead of "A short title". */
  readonly side?: (request: FakeRequest) => Turn;
}

export async function openFakeApi(script: Script, options: FakeApiOptions = {}): Promise<FakeApi> {
  const requests: FakeRequest[] = [];
  const sideTurn = options.side ?? (() => ({ text: "A short title" }));
  const nextTurn =
    typeof script === "function"
      ? script
      : createTurnSequence("main" in script ? script : { main: script, agent: [] });

  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      // An error in a test's script must be visible; the CLI would retry a 500 for minutes.
      sendError(res, { status: 400, type: "invalid_request_error", message: `fake API: ${String(error)}` });
    });
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const text = await readAll(req);
    const path = (req.url ?? "/").split("?")[0] ?? "/";
    if (path === "/v1/messages/count_tokens") return sendJson(res, 200, { input_tokens: 100 });
    if (req.method !== "POST" || path !== "/v1/messages") return sendJson(res, 200, {});

    const request = toRequest(req, path, text);
    requests.push(request);
    const turn: Turn = request.isSide ? sideTurn(request) : await nextTurn(request);
    if (turn.delayMs) await sleep(turn.delayMs);
    if (turn.error) return sendError(res, turn.error);

    const message = toMessage(turn, request.body.model ?? "claude-test", uniqueId);
    if (!request.body.stream) return sendJson(res, 200, message);
    res.writeHead(200, { "content-type": "text/event-stream", "request-id": uniqueId("req_") });
    if (turn.wordMs === undefined) return void res.end(toSse(message));
    for (const event of toEvents(message, true)) {
      if (res.destroyed) return;
      res.write(event);
      await sleep(turn.wordMs);
    }
    res.end();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createTurnSequence(
  script: Record<"main" | "agent", readonly Turn[]>,
): (request: FakeRequest) => Turn {
  const used = new Map<string, number>();
  return ({ sessionId, agentId }) => {
    const conversation = `${sessionId}/${agentId}`;
    const index = used.get(conversation) ?? 0;
    used.set(conversation, index + 1);
    return script[agentId ? "agent" : "main"][index] ?? { text: "ok" };
  };
}

function toRequest(req: IncomingMessage, path: string, text: string): FakeRequest {
  const body = JSON.parse(text) as MessagesBody;
  const toolNames = (body.tools ?? []).map((tool) => tool.name);
  const lastUser = (body.messages ?? []).findLast((message) => message.role === "user");
  return {
    time: Date.now(),
    path,
    headers: req.headers,
    body,
    bytes: Buffer.byteLength(text),
    sessionId: header(req, "x-claude-code-session-id"),
    agentId: header(req, "x-claude-code-agent-id"),
    lastUserText: textOf(lastUser?.content)
      .replace(/<system-reminder>.*?<\/system-reminder>\s*/gs, "")
      .trim(),
    systemText: textOf(body.system),
    toolNames,
    isSide: toolNames.length === 0 || (body.max_tokens ?? Number.POSITIVE_INFINITY) < 100,
  };
}

function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === "string" ? value : undefined;
}

/** The text of blocks, tool results included, joined by newlines. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as readonly ContentBlock[])
    .map((block) => block.text ?? (block.type === "tool_result" ? textOf(block.content) : ""))
    .join("\n");
}

async function readAll(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendError(res: ServerResponse, error: NonNullable<Turn["error"]>): void {
  const { status, type, message, retryAfter } = error;
  if (retryAfter !== undefined) res.setHeader("retry-after", String(retryAfter));
  sendJson(res, status, { type: "error", error: { type, message } });
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { "content-type": "application/json", "request-id": uniqueId("req_") });
  res.end(JSON.stringify(body));
}

function uniqueId(prefix: string): string {
  return `${prefix}01${randomUUID().replaceAll("-", "").slice(0, 22)}`;
}
