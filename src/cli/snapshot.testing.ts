import type { SessionSnapshot } from "../serve/contract.ts";

export const NOW = Date.parse("2026-11-15T12:00:00.000Z");

export function ago(seconds: number): string {
  return new Date(NOW - seconds * 1_000).toISOString();
}

/** A session at rest in acme-shop; a test says what is different in its own. */
export function snapshot(own: Partial<SessionSnapshot> = {}): SessionSnapshot {
  return {
    sessionId: "1a2b3c4d-0000-4000-8000-000000000001",
    provider: "claude",
    projectPath: "/home/dev/acme-shop",
    cwd: "/home/dev/acme-shop",
    title: null,
    state: "active",
    activityPhase: "interactable",
    needsPerson: false,
    attended: true,
    driven: false,
    sinceIso: ago(60),
    why: "the turn ended",
    evidence: [],
    waiting: null,
    alsoWaiting: 0,
    action: null,
    currentSkill: null,
    lastUserMessage: "update the readme",
    lastAssistantMessage: "Done.",
    error: null,
    rateLimit: null,
    model: "claude-opus-5-5",
    permissionMode: "default",
    gitBranch: "main",
    contextTokens: 164_000,
    contextWindow: 200_000,
    tokens: { input: 1_000, output: 2_000, cacheRead: 1_200_000, cacheWrite: 30_000 },
    cost: { micros: 1_904_000, source: "reported", unpricedModels: [] },
    turnCount: 12,
    toolCount: 30,
    failedToolCount: 1,
    subagents: [],
    backgroundTasks: [],
    terminal: null,
    pid: null,
    process: null,
    humanWaitMs: 0,
    startedAtIso: ago(3_600),
    lastEventAtIso: ago(60),
    endedAtIso: null,
    endReason: null,
    transcriptPath: null,
    ...own,
  };
}

export function asking(
  kind: "permission" | "question" | "plan",
  text: string,
  own: Partial<SessionSnapshot> = {},
): SessionSnapshot {
  const sinceIso = own.sinceIso ?? ago(102);
  return snapshot({
    activityPhase: `waiting_${kind}`,
    needsPerson: true,
    sinceIso,
    why: `waits for ${kind}: hook PermissionRequest`,
    waiting: {
      kind,
      requestId: `ask-${text}`,
      toolName: { permission: "Bash", question: "AskUserQuestion", plan: "ExitPlanMode" }[kind],
      toolUseId: "toolu_1",
      text,
      questions:
        kind === "question"
          ? [
              {
                question: text,
                header: "Store",
                multiSelect: false,
                options: [
                  { label: "Postgres", description: "the usual one" },
                  { label: "SQLite", description: null },
                ],
              },
            ]
          : [],
      agentId: null,
      sinceIso,
    },
    ...own,
  });
}
