import type { Card } from "../control/control-contract.ts";
import type { SessionSnapshot } from "../serve/contract.ts";

export const NOW = Date.parse("2026-11-15T12:00:00.000Z");

export function ago(seconds: number): string {
  return new Date(NOW - seconds * 1_000).toISOString();
}

/** An idle session in acme-shop, with a test's changes. */
export function snapshot(changes: Partial<SessionSnapshot> = {}): SessionSnapshot {
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
    requests: [],
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
    stoppedMs: 0,
    startedAtIso: ago(3_600),
    lastEventAtIso: ago(60),
    endedAtIso: null,
    endReason: null,
    transcriptPath: null,
    ...changes,
  };
}

type Recorded = SessionSnapshot["requests"][number];

/** A request as in a session's record. */
export function recordedRequest(
  kind: Recorded["kind"],
  text: string,
  changes: Partial<Recorded> = {},
): Recorded {
  return {
    kind,
    requestId: `ask-${text}`,
    toolName: { permission: "Bash", question: "AskUserQuestion", plan: "ExitPlanMode" }[kind],
    toolUseId: "toolu_1",
    text,
    description: null,
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
    agentType: null,
    sinceIso: ago(102),
    ...changes,
  };
}

export function waitingSnapshot(
  kind: "permission" | "question" | "plan",
  text: string,
  changes: Partial<SessionSnapshot> = {},
): SessionSnapshot {
  const sinceIso = changes.sinceIso ?? ago(102);
  return waitingSnapshotOf([recordedRequest(kind, text, { sinceIso })], { sinceIso, ...changes });
}

/** A session with several pending requests, oldest first. */
export function waitingSnapshotOf(
  requests: Recorded[],
  changes: Partial<SessionSnapshot> = {},
): SessionSnapshot {
  const [first] = requests;
  return snapshot({
    activityPhase: `waiting_${first!.kind}`,
    needsPerson: true,
    sinceIso: first!.sinceIso,
    why: `waits for ${first!.kind}: hook PermissionRequest`,
    requests,
    waiting: first!,
    alsoWaiting: requests.length - 1,
    ...changes,
  });
}

export function card(changes: Partial<Card> = {}): Card {
  const input = changes.input ?? { command: "rm -r dist" };
  return {
    id: "toolu_1",
    sessionId: "a",
    source: "driven",
    kind: "permission",
    toolName: "Bash",
    toolUseId: null,
    input,
    questions: [],
    plan: null,
    reason: null,
    rule: null,
    agentId: null,
    agentType: null,
    projectPath: null,
    cwd: null,
    sinceIso: ago(5),
    untilIso: null,
    status: "pending",
    whyTerminal: null,
    inputBytes: Buffer.byteLength(JSON.stringify(input)),
    settled: null,
    ...changes,
  };
}
