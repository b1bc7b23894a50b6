import { Hono } from "hono";
import { z } from "zod";
import type { HookAnswer } from "./contract.ts";
import { readBody } from "./read-request.ts";

export interface HookPorts {
  /** The same way as a hook's spool file, without the file. An agent nobody knows: not stored, and why. */
  hook(agent: string, event: string, payload: HookPayload): Promise<HookAnswer>;
  /** For what has no id of its own. */
  newId(): string;
}

export type HookPayload = Readonly<Record<string, unknown>>;

const Body = z.looseObject({});

/** Hooks of agents that call over HTTP. */
export function hookRoute(ports: HookPorts): Hono {
  return new Hono().post("/hook/:agent/:event", async (c) => {
    const body = await readBody(c, Body);
    if (!body.ok) return body.response;
    const payload = toHookPayload(c.req.param("event"), body.data, ports.newId);
    const event = String(payload["hook_event_name"]);
    return c.json((await ports.hook(c.req.param("agent"), event, payload)) satisfies HookAnswer);
  });
}

/**
 * In the words of Claude Code's own hooks. Others say `tool_output`, `tool_error`, `started_at` and `ended_at`,
 * and give a call no id; what they say more is kept.
 */
export function toHookPayload(event: string, body: HookPayload, newId: () => string): HookPayload {
  const { tool_output: output, tool_error: error, started_at: started, ended_at: ended, ...rest } = body;
  const name = toEventName(event);
  if (name !== "PostToolUse") return { ...body, hook_event_name: name };
  const durationMs = Date.parse(String(ended)) - Date.parse(String(started));
  const isFailed = typeof error === "string" && error !== "";
  return {
    ...rest,
    hook_event_name: isFailed ? "PostToolUseFailure" : name,
    tool_use_id: rest["tool_use_id"] ?? newId(),
    ...(output !== undefined && rest["tool_response"] === undefined && { tool_response: output }),
    ...(isFailed && { error }),
    ...(durationMs >= 0 && rest["duration_ms"] === undefined && { duration_ms: durationMs }),
  };
}

/** `post-tool-use` and `PostToolUse` are one. */
function toEventName(event: string): string {
  return event.replace(/(?:^|[-_])([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
