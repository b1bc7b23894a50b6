import { canonicalJson, isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { nonEmptyString } from "./event-fields.ts";
import { eventTimeOf } from "./newest.ts";
import { finalizeWaits } from "./read-waits.ts";
import type { CallEnd, CallView, ElicitationAnswer, SessionView, WaitView } from "./session-view.ts";
import { callLine } from "./tool-text.ts";

/** Adds a request that a session makes to a person. */
export function addWait(
  view: SessionView,
  event: HooklineEvent,
  kind: WaitView["kind"],
  input: unknown,
): void {
  if (view.waits.has(event.id)) return;
  // A session being rebuilt from its facts is not read until the end, so finalize here.
  finalizeWaits(view);
  const toolName = nonEmptyString(event["toolName"]);
  const toolKind = kind === "permission" ? nonEmptyString(event["toolKind"]) : kind;
  const wait: WaitView = {
    ...eventTimeOf(view, event),
    id: event.id,
    kind,
    server: mcpServerOf(event),
    toolName,
    toolKind,
    agentId: event.agentId ?? null,
    promptId: event.promptId ?? null,
    pid: typeof event["pid"] === "number" ? event["pid"] : null,
    input,
    inputKey: inputKey(kind, input),
    text: callLine({ toolName, toolKind, subject: nonEmptyString(event["subject"]), input }),
    origin: event.origin,
    drivenId: null,
    call: null,
    ends: new Map(),
    closedAt: null,
  };
  view.waits.set(event.id, wait);
  for (const call of [...view.openCalls.values(), ...view.recentCalls]) linkCall(wait, call);
  for (const end of view.recentEnds) endWait(wait, end);
  for (const answer of view.recentAnswers) answerElicitation(wait, answer);
}

/** A request does not name its call: links the newest earlier call with the same tool and input, else the first later. */
export function linkCall(wait: WaitView, call: CallView): void {
  if (wait.drivenId !== null || wait.closedAt !== null || !matchesCall(wait, call)) return;
  const { toolUseId, at } = call;
  if (wait.call === null || isBetterMatch(wait, at, wait.call.at)) wait.call = { toolUseId, at };
}

function isBetterMatch(wait: WaitView, at: string, known: string): boolean {
  if (at <= wait.at) return known > wait.at || at > known;
  return known > wait.at && at < known;
}

/** Stores a call's end even before the call is linked, if it may belong to this request. */
export function endWait(wait: WaitView, call: CallEnd): void {
  if (wait.closedAt !== null || wait.toolName !== call.toolName || wait.agentId !== call.agentId) return;
  const { toolUseId, at, ranAt, startedAt } = call;
  const known = wait.ends.get(toolUseId);
  const isSame = known?.isSame === true || matchesCall(wait, call);
  const isFirst = known === undefined || ranAt < known.ranAt;
  const end = isFirst ? { at, ranAt } : known;
  wait.ends.set(toolUseId, { ...end, startedAt: startedAt ?? known?.startedAt ?? null, isSame });
}

export function answerElicitation(wait: WaitView, { id, server, at }: ElicitationAnswer): void {
  if (wait.closedAt !== null || wait.server !== server) return;
  wait.ends.set(id, { at, ranAt: at, startedAt: null, isSame: true });
}

/** The MCP server of an elicitation or its answer; null for requests of the agent itself. */
export function mcpServerOf({ eventType, ...event }: HooklineEvent): string | null {
  if (eventType !== "agent.event" || !isPlainObject(event["data"])) return null;
  return nonEmptyString(event["data"]["mcp_server_name"]) ?? "";
}

/** Whether a request could be for this call. */
export function matchesCall(wait: WaitView, call: Pick<CallView, "toolName" | "agentId" | "input">): boolean {
  if (wait.toolName === null || wait.toolName !== call.toolName || wait.agentId !== call.agentId)
    return false;
  return wait.inputKey === inputKey(wait.kind, call.input);
}

/** The answer becomes part of a question's input, and a plan may be edited. */
function inputKey(kind: WaitView["kind"], input: unknown): string {
  if (kind === "plan") return "";
  if (kind === "question") return isPlainObject(input) ? canonicalJson(input["questions"]) : "";
  return canonicalJson(input);
}
