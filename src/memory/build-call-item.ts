import type { HooklineEvent } from "../event/event.ts";
import { callRowId } from "../event/ids.ts";
import { isSampleSession } from "../event/sample.ts";
import type { ItemOverrides, MemoryRows, ObservationRef } from "../store/memory-rows.ts";
import { compressCallWithOutcome } from "./compress/compress-call.ts";
import { textOf } from "./fact-text.ts";
import type { PendingWrite } from "./pending-write.ts";
import { type BaseItem, resolveItem } from "./resolve-item.ts";
import { callIdsOf } from "./surrounding-text.ts";
import {
  EMPTY_TURN_CONTEXT,
  isTurnEvent,
  type ReadTurnContext,
  type TurnContext,
  type TurnEvent,
} from "./turn-context.ts";

type CallEvent = HooklineEvent & { readonly toolUseId: string };

function isCall(event: HooklineEvent): event is CallEvent {
  return event.toolUseId != null;
}

/** What the item of a call is built from. */
interface CallSources {
  readonly event: CallEvent;
  readonly promptNumber: ObservationRef["promptNumber"];
  /** Null: the call leaves no observation. */
  readonly observation: { readonly id: number; readonly overrides: ItemOverrides } | null;
  readonly turnContext: TurnContext;
  readonly project: string | null;
}

export async function readCallSources(
  rows: MemoryRows,
  readTurnContext: ReadTurnContext,
  factId: string,
): Promise<CallSources | undefined> {
  const event = await rows.fact(factId);
  if (event === undefined || !isCall(event) || isSampleSession(event.sessionId)) return undefined;
  const { observationId, promptNumber } = await rows.observationRefOf(factId);
  if (observationId === null)
    return { event, promptNumber, observation: null, turnContext: EMPTY_TURN_CONTEXT, project: null };
  return {
    event,
    promptNumber,
    observation: { id: observationId, overrides: await rows.overridesOf(observationId) },
    turnContext: isTurnEvent(event) ? await readTurnContext(event) : EMPTY_TURN_CONTEXT,
    project: event.projectPath ?? (await rows.sessionRow(event.sessionId))?.project ?? null,
  };
}

export function buildCallItem({ items, removed, requeued }: PendingWrite, read: CallSources): void {
  const { event, observation, turnContext, project, promptNumber } = read;
  if (observation === null || observation.overrides.isForgotten) {
    removed.add(callRowId(event));
    return;
  }
  const surroundings = turnContext.surroundingText.get(event.toolUseId) ?? { before: null, after: null };
  const { content, success } = compressCallWithOutcome({
    event,
    ...surroundings,
    prompt: turnContext.prompt,
    projectPath: event.projectPath,
  });
  const base: BaseItem = {
    id: observation.id,
    kind: "observation",
    sessionId: event.sessionId,
    project,
    promptNumber,
    toolName: event.payload?.toolName ?? null,
    branch: textOf(event["gitBranch"]) ?? turnContext.branch,
    success,
    createdAtIso: event.occurredAtIso,
    content,
    summary: null,
  };
  items.set(observation.id, resolveItem(base, observation.overrides));
  // An existing summary depends on this call too.
  if (event.promptId != null && turnContext.isOver)
    requeued.push({ kind: "turn", key: `${event.sessionId}\n${event.promptId}` });
}

interface AffectedCalls {
  readonly message: TurnEvent;
  /** The facts of the calls whose surrounding text the message may change. */
  readonly calls: readonly string[];
}

export async function readAffectedCalls(
  rows: MemoryRows,
  readTurnContext: ReadTurnContext,
  factId: string,
): Promise<AffectedCalls | undefined> {
  const message = await rows.fact(factId);
  if (message === undefined || !isTurnEvent(message) || isSampleSession(message.sessionId)) return undefined;
  const { provider, sessionId } = message;
  const { nearbyCalls } = await readTurnContext(message);
  const calls: string[] = [];
  for (const toolUseId of nearbyCalls.get(factId) ?? callIdsOf(message)) {
    const call = await rows.callFactId({ provider, sessionId, toolUseId });
    if (call !== undefined) calls.push(call);
  }
  return { message, calls };
}

/** The text around a call is part of its item, and a message also affects the calls of adjacent messages. */
export function requeueAffectedCalls({ requeued }: PendingWrite, { message, calls }: AffectedCalls): void {
  for (const key of calls) requeued.push({ kind: "call", key });
  if (message.agentId == null)
    requeued.push({ kind: "turn", key: `${message.sessionId}\n${message.promptId}` });
}
