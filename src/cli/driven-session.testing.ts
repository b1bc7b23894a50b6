import type { DrivenSession } from "../control/control-contract.ts";

export function drivenSession(changes: Partial<DrivenSession> = {}): DrivenSession {
  return {
    sessionId: "s1",
    claudeSessionId: "s1",
    cwd: "/home/dev/acme-shop",
    projectPath: "/home/dev/acme-shop",
    state: "idle",
    mode: "default",
    model: null,
    epoch: "e1",
    seq: 0,
    startedAtIso: "2026-11-15T12:00:00.000Z",
    partialText: "",
    tools: [],
    pending: [],
    queuedMessages: 0,
    backgroundTasks: 0,
    why: null,
    usage: { inputTokens: 0, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
    totalCostUsd: 0,
    maxBudgetUsd: null,
    billing: null,
    pid: null,
    ...changes,
  };
}
