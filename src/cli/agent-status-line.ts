import { basename } from "node:path";
import type { StatusLineInput } from "../agents/status-line-source.ts";
import { type Limits, limitsText } from "../monitor/limits.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { microsText } from "../shown/cost-text.ts";
import { oneLine } from "../shown/plain-text.ts";
import { needsYouText } from "./status-line.ts";

/** `Opus 5.5 · ctx 42% · $0.12 · feat/pay | 2 others need you | 5h 35% · 7d 12%`. */
export function agentStatusLine(
  input: StatusLineInput | null,
  sessions: readonly SessionSnapshot[],
  limits: Limits,
): string {
  const ownSession = sessions.find(({ sessionId }) => sessionId === input?.sessionId);
  const others = sessions.filter((session) => session !== ownSession && session.needsPerson);
  const folder = input?.folder ?? null;
  const percent = input?.contextPercent ?? null;
  const cost = input?.costUsd ?? 0;
  const ownParts = [
    input?.model,
    percent === null ? null : `ctx ${Math.round(percent)}%`,
    cost < 0.005 ? null : microsText(cost * 1_000_000),
    input?.branch ?? ownSession?.gitBranch ?? (folder === null ? null : basename(folder)),
  ];
  const parts = [
    ownParts.filter(Boolean).join(" · "),
    others.length === 0 ? null : needsYouText(others, "other"),
    limitsText(limits),
  ];
  return oneLine(parts.filter(Boolean).join(" | "));
}
