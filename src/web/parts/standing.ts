import type { SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import type { Words } from "../words/en.ts";
import type { IconName } from "./icon.tsx";
import { withoutMarkdown } from "./without-markdown.ts";

/** How a session is shown: a shape, a word and a colour, never one of them alone. */
export interface Standing {
  readonly key: keyof Words["state"];
  readonly tone: "ask" | "busy" | "done" | "bad" | "limit" | "quiet";
  readonly shape: IconName;
}

/** Of requests, and of a turn that failed. */
export const KIND_SHAPES = {
  waiting_permission: "diamond",
  waiting_question: "question",
  waiting_plan: "plan",
  failed: "bang",
  lost: "cross",
} as const satisfies Partial<Record<keyof Words["state"], IconName>>;

const SHAPES: Readonly<Record<keyof Words["state"], readonly [Standing["tone"], IconName]>> = {
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

export function standingOf({
  state,
  activityPhase,
  needsPerson,
  error,
}: Pick<SessionSnapshot, "state" | "activityPhase" | "needsPerson" | "error">): Standing {
  // What waits for a person waits on, however long nothing was heard of it. A session that ended with a failed turn
  // did not do what it was to do.
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

export function needsYou(session: SessionSnapshot): boolean {
  return session.needsPerson;
}

export function isRunning({ state, needsPerson }: SessionSnapshot): boolean {
  return (state === "active" || state === "idle") && !needsPerson;
}

export function titleOf({ title, lastUserMessage, sessionId }: SessionSnapshot): string {
  const words = withoutMarkdown(title ?? lastUserMessage ?? "");
  return visibleText(words.trim() === "" ? sessionId.slice(0, 8) : words);
}

/** Since when it is as it is shown: waiting, at work, at rest, or over. */
export function sinceOf({ endedAtIso, needsPerson, waiting, sinceIso }: SessionSnapshot): string {
  return endedAtIso ?? (needsPerson ? (waiting?.sinceIso ?? sinceIso) : sinceIso);
}

/** Who has waited longest comes first. */
export function byWait(a: SessionSnapshot, b: SessionSnapshot): number {
  return (a.waiting?.sinceIso ?? a.sinceIso) < (b.waiting?.sinceIso ?? b.sinceIso) ? -1 : 1;
}
