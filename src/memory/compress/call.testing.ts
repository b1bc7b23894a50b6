import type { HooklineEvent } from "../../event/event.ts";
import type { ItemContent } from "../memory-item.ts";
import { type CallContext, compressCall } from "./compress-call.ts";

/** Compresses a call in the project /home/dev/acme-shop. */
export function compressed(payload: unknown, context: Partial<CallContext> = {}): ItemContent {
  return compressCall({
    event: callEvent(payload),
    before: null,
    after: null,
    prompt: null,
    projectPath: PROJECT,
    ...context,
  });
}

export function command(
  line: string,
  result: CommandResult = {},
  context: Partial<CallContext> = {},
): ItemContent {
  const { output = "", exitCode = 0, description } = result;
  const shown = exitCode === 0 ? output : `Exit code ${exitCode}\n${output}`;
  return compressed(
    {
      toolName: "Bash",
      toolInput: { command: line, description },
      toolOutput: shown,
      success: exitCode === 0,
      ...(exitCode !== 0 && { errorMessage: shown }),
      metadata: { command: line, exitCode },
    },
    context,
  );
}

interface CommandResult {
  readonly output?: string;
  readonly exitCode?: number;
  readonly description?: string;
}

export const PROJECT = "/home/dev/acme-shop";

export function callEvent(payload: unknown): HooklineEvent {
  return {
    v: 1,
    id: "1",
    eventType: "tool_observation",
    occurredAtIso: "2026-11-15T08:00:00.000Z",
    sessionId: "s",
    provider: "claude",
    projectPath: PROJECT,
    cwd: PROJECT,
    toolUseId: "toolu_1",
    origin: "hook",
    payload: payload as NonNullable<HooklineEvent["payload"]>,
  };
}
