// A tiny MCP server on stdio, for captures: one tool that answers with text, text and an image, or an error.

import { createInterface } from "node:readline";

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly kind?: string } };
}

// A red pixel.
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const inputSchema = { type: "object", properties: { kind: { type: "string" } }, required: ["kind"] };

function answer({ method, params }: Request): object {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params?.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "anvils", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: [{ name: "weigh", description: "Weighs an anvil", inputSchema }] };
    case "tools/call":
      return weigh(params?.arguments?.kind ?? "");
    default:
      return {};
  }
}

function weigh(kind: string): object {
  const text = { type: "text", text: `a ${kind} anvil weighs 100 kg` };
  if (kind === "broken") return { content: [{ type: "text", text: "no such anvil" }], isError: true };
  if (kind === "structured") return { content: [text], structuredContent: { kg: 100 } };
  if (kind === "pictured") return { content: [text, { type: "image", data: pixel, mimeType: "image/png" }] };
  return { content: [text] };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, result: answer(request) })}\n`);
});
