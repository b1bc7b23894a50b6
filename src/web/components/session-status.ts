import type { SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import type { Strings } from "../i18n/en.ts";
import type { IconName } from "./icon.tsx";
import { withoutMarkdown } from "./without-markdown.ts";

/** How a session's status is shown: always as shape, text and colour together. */
export interface SessionStatus {
  readonly key: keyof Strings["state"];
  readonly tone: "ask" | "busy" | "done" | "bad" | "limit" | "quiet";
  readonly shape: IconName;
}

/** For requests, and for a failed turn. */
export const KIND_SHAPES = {
  waiting_permission: "diamond",
  waiting_question: "question",
  waiting_plan: "plan",
  failed: "bang",
  lost: "cross",
} as const satisfies Partial<Record<keyof Strings["state"], IconName>>;

const SHAPES: Readonly<Record<keyof Strings["state"], readonly [SessionStatus["tone"], IconName]>> = {
  waiting_permission: ["ask", KIND_SHAPES.waiting_permission],
  waiting_question: ["ask", KIND_SHAPES.waiting_question],
  waiting_plan: ["ask", KIND_SHAPES.waiting_plan],
  failed: ["bad", KIND_SHAPES.failed],
  busy: ["busy", "dot"],
  compacting: ["busy", "half"],
  rate_limited: ["limit", "hourglass"],
  parked: ["busy", "dashed"],
  interactable: ["quiet", "ring"],
  idle: ["quiet", "ring"],
  completed: ["done", "check"],
  lost: ["bad", KIND_SHAPES.lost],
};

export function sessionStatusOf({
  state,
  activityPhase,
  needsPerson,
  error,
}: Pick<SessionSnapshot, "state" | "activityPhase" | "needsPerson" | "error">): SessionStatus {
  // A session waiting for a person is never idle, however long it has been silent. A session that ended
  // with a failed turn did not complete its task.
  const key =
    state === "completed" || state === "lost"
      ? error !== null && state === "completed"
        ? "failed"
        : state
      : state === "idle" && !needsPerson
        ? "idle"
        : (activityPhase ?? "idle");
  const [tone, shape] = SHAPES[key];
  return { key, tone, shape };
}

export function needsAttention(session: SessionSnapshot): boolean {
  return session.needsPerson;
}

export function isRunning({ state, needsPerson }: SessionSnapshot): boolean {
  return (state === "active" || state === "idle") && !needsPerson;
}

export function titleOf({ title, lastUserMessage, sessionId }: SessionSnapshot): string {
  const plain = withoutMarkdown(title ?? lastUserMessage ?? "");
  return visibleText(plain.trim() === "" ? sessionId.slice(0, 8) : plain);
}

/** When the session entered its current status. */
export function sinceOf({ endedAtIso, needsPerson, waiting, sinceIso }: SessionSnapshot): string {
  return endedAtIso ?? (needsPerson ? (waiting?.sinceIso ?? sinceIso) : sinceIso);
}

/** Longest wait first. */
export function byLongestWait(a: SessionSnapshot, b: SessionSnapshot): number {
  return (a.waiting?.sinceIso ?? a.sinceIso) < (b.waiting?.sinceIso ?? b.sinceIso) ? -1 : 1;
}
