import { request } from "node:http";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { print } from "./output.ts";
import { startUnlessRunning } from "./start-daemon.ts";

export const mcpCommand = defineCommand({
  meta: { name: "mcp", description: "Run the MCP server (memory and sessions) on stdio" },
  args: {},
  run: () => {
    const home = resolveHome();
    const post = withDaemonStart(
      (line) => postLine(home.sock, line),
      () => startUnlessRunning(home, process.env),
      START_TIMEOUT_MS,
    );
    return bridgeLines(process.stdin, post, print);
  },
});

/** The answer; empty for a message without one; null when the daemon is not listening. */
export type PostLine = (line: string) => Promise<string | null>;

const START_TIMEOUT_MS = 20_000;
const POLL_MS = 50;
const ANSWER_TIMEOUT_MS = 60_000;
const INTERNAL_ERROR_CODE = -32_603;

/** Forwards lines and answers as they come. Ends when the input has ended and all lines are answered. */
export async function bridgeLines(
  input: Readable,
  post: PostLine,
  output: (line: string) => void,
): Promise<void> {
  const pending = new Set<Promise<void>>();
  for await (const line of lines(input)) {
    const reply = answer(line, post).then((text) => {
      if (text !== "") output(text);
      pending.delete(reply);
    });
    pending.add(reply);
  }
  await Promise.all(pending);
}

/** One start for all waiting lines, and a retry for those a stopped daemon left: all tools are read-only. */
export function withDaemonStart(post: PostLine, start: () => Promise<void>, timeoutMs: number): PostLine {
  let starting: Promise<void> | null = null;
  return async (line) => {
    const until = Date.now() + timeoutMs;
    let isStarted = false;
    for (;;) {
      const text = await post(line).catch((error: NodeJS.ErrnoException) => {
        if (error instanceof AppError || isStarted) throw error;
        return null;
      });
      if (text !== null) return text;
      if (Date.now() > until) return null;
      if (!isStarted) {
        starting ??= start().finally(() => {
          starting = null;
        });
        await starting;
        isStarted = true;
      }
      await setTimeout(POLL_MS);
    }
  };
}

async function answer(line: string, post: PostLine): Promise<string> {
  try {
    const text = await post(line);
    return text ?? errorReply(line, "Hookline's daemon did not start; run `hookline doctor`.");
  } catch (error) {
    return errorReply(line, (error as Error).message);
  }
}

function errorReply(line: string, message: string): string {
  let id: unknown = null;
  try {
    id = (JSON.parse(line) as { id?: unknown } | null)?.id;
  } catch {
    // Not valid JSON, so the recipient of the answer is unknown.
  }
  // A notification is never answered.
  return id === undefined
    ? ""
    : JSON.stringify({ jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR_CODE, message } });
}

function postLine(sock: string, line: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const options = { socketPath: sock, path: "/mcp", method: "POST", headers, timeout: ANSWER_TIMEOUT_MS };
    const clientRequest = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8").trim();
        const { statusCode = 0 } = response;
        // The daemon is starting.
        if (statusCode === 503) resolve(null);
        else if (text === "" || text.includes('"jsonrpc"')) resolve(text);
        else reject(new AppError("daemon_failed", `the daemon answered ${statusCode} to /mcp`));
      });
    });
    clientRequest.on("timeout", () =>
      clientRequest.destroy(new AppError("daemon_silent", "the daemon does not answer")),
    );
    clientRequest.on("error", (error: NodeJS.ErrnoException) => {
      if (["ENOENT", "ECONNREFUSED", "ENOTSOCK"].includes(error.code ?? "")) resolve(null);
      else reject(error);
    });
    clientRequest.end(line);
  });
}

/** Only LF ends a line: U+2028 is legal inside JSON text. */
async function* lines(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    const parts = (rest + decoder.decode(chunk as Buffer, { stream: true })).split("\n");
    rest = parts.pop()!;
    for (const part of parts) if (part.trim() !== "") yield part;
  }
  if (rest.trim() !== "") yield rest;
}
