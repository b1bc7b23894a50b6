import type { HooklineEvent } from "../../event/event.ts";
import type { ItemContent } from "../memory-item.ts";
import { type CallContext, compressCall } from "./compress-call.ts";

/** A call in the project /home/dev/acme-shop, as given by a test. */
export function compressed(payload: unknown, words: Partial<CallContext> = {}): ItemContent {
  return compressCall({
    event: callEvent(payload),
    before: null,
    after: null,
    prompt: null,
    projectPath: PROJECT,
    ...words,
  });
}

export function command(
  line: string,
  told: CommandResult = {},
  words: Partial<CallContext> = {},
): ItemContent {
  const { output = "", exitCode = 0, description } = told;
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
    words,
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
