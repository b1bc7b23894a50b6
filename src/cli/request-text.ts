import type { SessionSnapshot } from "../serve/contract.ts";
import { MAX_SHOWN_BYTES, type ShownPart, shownLength } from "../shown/show-request.ts";
import { visibleInList, visibleLine } from "../shown/visible-text.ts";
import { planJump } from "./jump.ts";
import { noteLines, type RequestLineOptions, requestLines } from "./request-lines.ts";
import { shortId } from "./session-activity.ts";
import { isAnswerable, isTooLarge, type RecordedRequest, type WaitingRequest } from "./waiting-requests.ts";

type RequestSummary = Pick<
  RecordedRequest,
  "kind" | "toolName" | "text" | "description" | "agentId" | "agentType"
>;

/** One request on one list line, with nothing hidden: its tool, subject, purpose, and who asks. */
export function requestLine(request: RequestSummary, count = 1): string {
  const { kind, toolName, text, description } = request;
  const what = kind === "permission" ? (toolName ?? "?") : kind === "plan" ? "Plan" : "Question";
  const about = text === "" ? what : `${what}: ${text}`;
  return visibleInList(
    [about, ...requestDetails({ ...request, description }), repeatText(count)].filter(Boolean).join(" · "),
  );
}

/** The details a list adds to a request's text. */
export function requestDetails({ text, description, agentId, agentType }: RequestSummary): string[] {
  const what = description === null || description === text ? [] : [description];
  return agentId === null ? what : [...what, `${agentType ?? "subagent"} ${agentId}`];
}

export function repeatText(count: number): string {
  return count > 1 ? `×${count}` : "";
}

const LENGTH_SHOWN_ABOVE = { characters: 1_000, lines: 20 };

/** All parts in full, then notes about what is not shown and how long it is. */
export function fullRequestLines(request: WaitingRequest, options: RequestLineOptions): string[] {
  const notes = [
    isTooLarge(request) ? `Not shown: ${tooLargeText(request)}` : null,
    request.card === null ? "As recorded: secrets are masked and long text is shortened." : null,
    request.card?.status === "lost" ? "As recorded before the session was lost." : null,
    lengthText(request.parts),
    reasonText(request),
  ];
  return [
    ...requestLines(request.parts, options),
    ...notes.flatMap((note) => (note === null ? [] : noteLines(note, options))),
  ];
}

/** Null for short requests. */
function lengthText(parts: readonly ShownPart[]): string | null {
  const { characters, lines } = shownLength(parts);
  if (characters <= LENGTH_SHOWN_ABOVE.characters && lines <= LENGTH_SHOWN_ABOVE.lines) return null;
  return `${characters.toLocaleString("en-US")} characters, ${lines.toLocaleString("en-US")} lines.`;
}

/** Why a request cannot be answered here; null if it can. */
export function terminalOnlyReason(request: WaitingRequest): string | null {
  if (isAnswerable(request) || request.card?.status === "lost") return null;
  if (request.card === null) return "it cannot be answered from here.";
  return request.card.whyTerminal === "too_large"
    ? tooLargeText(request)
    : "the time to answer it here has passed, or no client was watching.";
}

/** How to get to the terminal that asks. Null if unknown. */
export function jumpHint(session: SessionSnapshot | null): string | null {
  if (session === null) return null;
  const plan = planJump(session, { platform: process.platform, env: process.env, tty: null });
  return plan.type === "none" ? null : `hookline session ${shortId(session.sessionId)} --jump`;
}

function tooLargeText({ card }: WaitingRequest): string {
  const size = Math.ceil((card?.inputBytes ?? 0) / 1024).toLocaleString("en-US");
  return `its input is ${size} KB, and at most ${MAX_SHOWN_BYTES / 1024} KB can be shown here.`;
}

/** Why the policy asks a person; a plan always needs one. */
function reasonText({ card, kind }: WaitingRequest): string | null {
  if (card === null || kind === "plan" || (card.reason ?? "") === "") return null;
  return `Asked because: ${visibleLine(card.reason!)}`;
}
