import { closeSync, constants, openSync, writeSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { runDurationMs } from "../../shown/run-duration.ts";
import type { ReactionTrigger } from "./reaction-trigger.ts";

/** What is known about a session at its end, for a line of metrics. */
export interface SessionSummary {
  readonly snapshot: SessionSnapshot;
  /** From its latest summary: what was requested and what was completed. */
  readonly summary: { readonly request: string | null; readonly completed: string | null } | null;
}

export interface MetricsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly metricsFile: string;
  /** Resolves once all events so far are counted; null for an unknown session. */
  readonly sessionSummary: (sessionId: string) => Promise<SessionSummary | null>;
}

/** Appends one line to a file, by default `metrics.jsonl`. Returns null on success, else why not. */
export async function writeSessionMetrics(
  trigger: ReactionTrigger,
  options: Readonly<Record<string, string>>,
  deps: MetricsOptions,
): Promise<string | null> {
  const path = options["file"]?.replace(/^~(?=\/)/, deps.env["HOME"] ?? "~") ?? deps.metricsFile;
  if (!isAbsolute(path)) return "the file for metrics is not an absolute path";
  const sessionSummary = await deps.sessionSummary(trigger.sessionId);
  if (sessionSummary === null) return "nothing is known of the session";
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, `${JSON.stringify(toMetrics(trigger, sessionSummary))}\n`);
  } finally {
    closeSync(file);
  }
  return null;
}

function toMetrics(trigger: ReactionTrigger, { snapshot, summary }: SessionSummary): object {
  const { startedAtIso, tokens, cost } = snapshot;
  const endedAtIso = snapshot.endedAtIso ?? snapshot.lastEventAtIso;
  return {
    // Identifies duplicate lines.
    eventId: trigger.id,
    sessionId: trigger.sessionId,
    project: trigger.projectPath,
    title: snapshot.title,
    model: snapshot.model,
    branch: snapshot.gitBranch,
    startedAtIso,
    endedAtIso,
    endReason: trigger.source ?? snapshot.endReason,
    durationMs: runDurationMs(snapshot, Date.parse(endedAtIso)),
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
