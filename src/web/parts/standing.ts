import type { SessionSnapshot } from "../../serve/contract.ts";
import type { Words } from "../words/en.ts";
import { visible } from "./code-text.tsx";

/** How a session is shown: a shape, a word and a colour, never one of them alone. */
export interface Standing {
  readonly key: keyof Words["state"];
  readonly tone: "ask" | "busy" | "done" | "bad" | "limit" | "quiet";
  readonly shape: string;
}

const SHAPES: Readonly<Record<keyof Words["state"], readonly [Standing["tone"], string]>> = {
  waiting_permission: ["ask", "◆"],
  waiting_question: ["ask", "?"],
  waiting_plan: ["ask", "▤"],
  failed: ["bad", "!"],
  busy: ["busy", "●"],
  compacting: ["busy", "◐"],
  rate_limited: ["limit", "⧗"],
  parked: ["busy", "◌"],
  interactable: ["quiet", "○"],
  idle: ["quiet", "○"],
  completed: ["done", "✓"],
  lost: ["bad", "✕"],
};

export function standingOf({ state, activityPhase, needsPerson }: SessionSnapshot): Standing {
  const isOver = state === "completed" || state === "lost";
  // What waits for a person waits on, however long nothing was heard of it.
  const key = isOver ? state : state === "idle" && !needsPerson ? "idle" : (activityPhase ?? "idle");
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
  return visible(title ?? lastUserMessage ?? sessionId.slice(0, 8));
}
