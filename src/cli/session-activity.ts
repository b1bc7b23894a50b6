import { basename } from "node:path";
import { shortModelName } from "../agents/model-name.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { localTime } from "../shown/duration.ts";
import { oneLine } from "../shown/plain-text.ts";
import { visibleInList } from "../shown/visible-text.ts";

/** What a session asks for or does, verbatim, on one line. Safe to print: no part of a request is hidden. */
export function activityText(session: SessionSnapshot, now: number): string {
  const request = requestSummary(session);
  return request === null ? oneLine(activitySummary(session, now)) : visibleInList(request);
}

function requestSummary({ waiting, alsoWaiting }: SessionSnapshot): string | null {
  if (waiting === null) return null;
  // First, so that a narrow column does not cut it off.
  const countText = alsoWaiting > 0 ? `(${alsoWaiting + 1}) ` : "";
  if (waiting.kind === "question") {
    const [first, ...others] = waiting.questions;
    const options = first === undefined ? "" : ` (${first.options.length})`;
    const rest = others.length > 0 ? ` +${others.length}` : "";
    return `${countText}"${first?.question ?? waiting.text}"${options}${rest}`;
  }
  const subject = waiting.kind === "plan" ? "Plan" : (waiting.toolName ?? "?");
  return `${countText}${subject}: ${waiting.text}`;
}

function activitySummary(session: SessionSnapshot, now: number): string {
  const skill = session.currentSkill === null ? "" : ` /${session.currentSkill}`;
  const topic = session.title ?? session.lastUserMessage ?? "";
  if (session.state === "lost") return session.why;
  if (session.state === "completed") return topic;
  switch (session.activityPhase) {
    case "rate_limited": {
      const until = session.rateLimit?.untilIso ?? null;
      return until === null ? "until an unknown time" : `until ${localTime(until, now)}`;
    }
    case "failed":
      return [session.error?.kind, session.error?.message].filter(Boolean).join(": ");
    case "parked":
      return session.backgroundTasks.map((task) => task.description ?? task.type ?? task.id).join(", ");
    case "compacting":
      return `compacting${skill}`;
    case "busy": {
      const helpers = session.subagents.filter((agent) => agent.isRunning).length;
      return `${actionText(session) ?? "thinking"}${skill}${helpers > 0 ? ` +${helpers} agents` : ""}`;
    }
    default:
      return topic;
  }
}

function actionText({ action }: SessionSnapshot): string | null {
  if (action === null) return null;
  return [action.toolName, action.text].filter(Boolean).join(": ");
}

/** `project ▸ branch`, as far as they are known. */
export function projectLabel(session: SessionSnapshot): string {
  const folder = session.projectPath ?? session.cwd;
  const project = folder === null ? "?" : basename(folder) || folder;
  return oneLine(session.gitBranch === null ? project : `${project} ▸ ${session.gitBranch}`);
}

export function modelText(model: string): string {
  return oneLine(shortModelName(model));
}

export function contextPercent({ contextTokens, contextWindow }: SessionSnapshot): number | null {
  if (contextTokens === null || contextWindow === null || contextWindow <= 0) return null;
  return Math.round((contextTokens / contextWindow) * 100);
}

/** The id prefix that people type. */
export function shortId(sessionId: string): string {
  return oneLine(sessionId).slice(0, 8);
}
