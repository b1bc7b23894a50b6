import { closeSync, constants, openSync, writeSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { ranMs } from "../../shown/ran.ts";
import type { Occasion } from "./occasion.ts";

/** What is known of a session at its end, for a line of figures. */
export interface SessionSummary {
  readonly snapshot: SessionSnapshot;
  /** The words of its last summary: what was asked, what was done. */
  readonly summary: { readonly request: string | null; readonly completed: string | null } | null;
}

export interface MetricsDoor {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly metricsFile: string;
  /** When what was told of it so far is counted; null for a session that nobody knows. */
  readonly sessionSummary: (sessionId: string) => Promise<SessionSummary | null>;
}

/** Adds one line to a file, `metrics.jsonl` unless another is named. Null when it did, else why not. */
export async function writeSessionMetrics(
  occasion: Occasion,
  options: Readonly<Record<string, string>>,
  door: MetricsDoor,
): Promise<string | null> {
  const named = options["file"]?.replace(/^~(?=\/)/, door.env["HOME"] ?? "~") ?? door.metricsFile;
  if (!isAbsolute(named)) return "the file for metrics is not an absolute path";
  const found = await door.sessionSummary(occasion.sessionId);
  if (found === null) return "nothing is known of the session";
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const file = openSync(named, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, `${JSON.stringify(toFigures(occasion, found))}\n`);
  } finally {
    closeSync(file);
  }
  return null;
}

function toFigures(occasion: Occasion, { snapshot, summary }: SessionSummary): object {
  const { startedAtIso, tokens, cost } = snapshot;
  const endedAtIso = snapshot.endedAtIso ?? snapshot.lastEventAtIso;
  return {
    // Who finds a line twice knows it by this.
    eventId: occasion.id,
    sessionId: occasion.sessionId,
    project: occasion.projectPath,
    title: snapshot.title,
    model: snapshot.model,
    branch: snapshot.gitBranch,
    startedAtIso,
    endedAtIso,
    endReason: occasion.source ?? snapshot.endReason,
    durationMs: ranMs(snapshot, Date.parse(endedAtIso)),
    humanWaitMs: snapshot.humanWaitMs,
    turns: snapshot.turnCount,
    tools: snapshot.toolCount,
    failedTools: snapshot.failedToolCount,
    tokens,
    costUsd: cost.micros === null ? null : cost.micros / 1_000_000,
    costSource: cost.source,
    request: summary?.request ?? null,
    completed: summary?.completed ?? null,
  };
}
