import type { HooklineEvent } from "../event/event.ts";
import { callRowId } from "../event/ids.ts";
import { isSampleSession } from "../event/sample.ts";
import type { MemoryRows, Place, ToldOfItem } from "../store/memory-rows.ts";
import { rememberCall } from "./compress/compress-call.ts";
import { textOf } from "./fact-words.ts";
import type { Work } from "./memory-work.ts";
import { type Basis, resolveItem } from "./resolve-item.ts";
import { isOfTurn, NOTHING_SAID, type SaidAround, type TurnEvent, type TurnSaid } from "./turn-said.ts";
import { callsOf } from "./turn-words.ts";

type CallEvent = HooklineEvent & { readonly toolUseId: string };

function isCall(event: HooklineEvent): event is CallEvent {
  return event.toolUseId != null;
}

/** What an item is made of that stands for a call. */
interface CallRead {
  readonly event: CallEvent;
  readonly promptNumber: Place["promptNumber"];
  /** Null: it leaves none. */
  readonly observation: { readonly id: number; readonly told: ToldOfItem } | null;
  readonly said: TurnSaid;
  readonly project: string | null;
}

export async function readCall(
  rows: MemoryRows,
  saidAround: SaidAround,
  factId: string,
): Promise<CallRead | undefined> {
  const event = await rows.fact(factId);
  if (event === undefined || !isCall(event) || isSampleSession(event.sessionId)) return undefined;
  const { observationId, promptNumber } = await rows.placeOf(factId);
  if (observationId === null)
    return { event, promptNumber, observation: null, said: NOTHING_SAID, project: null };
  return {
    event,
    promptNumber,
    observation: { id: observationId, told: await rows.toldOf(observationId) },
    said: isOfTurn(event) ? await saidAround(event) : NOTHING_SAID,
    project: event.projectPath ?? (await rows.sessionRow(event.sessionId))?.project ?? null,
  };
}

export function makeCall({ items, gone, again }: Work, read: CallRead): void {
  const { event, observation, said, project, promptNumber } = read;
  if (observation === null) {
    gone.add(callRowId(event));
    return;
  }
  const words = said.words.get(event.toolUseId) ?? { before: null, after: null };
  const { content, success } = rememberCall({
    event,
    ...words,
    prompt: said.prompt,
    projectPath: event.projectPath,
  });
  const basis: Basis = {
    id: observation.id,
    kind: "observation",
    sessionId: event.sessionId,
    project,
    promptNumber,
    toolName: event.payload?.toolName ?? null,
    branch: textOf(event["gitBranch"]) ?? said.branch,
    success,
    createdAtIso: event.occurredAtIso,
    content,
    summary: null,
  };
  items.set(observation.id, resolveItem(basis, observation.told));
  // A summary that is there already is made of this too.
  if (event.promptId != null && said.isOver)
    again.push({ kind: "turn", key: `${event.sessionId}\n${event.promptId}` });
}

interface MessageRead {
  readonly message: TurnEvent;
  /** The facts of the calls whose words it may change. */
  readonly calls: readonly string[];
}

export async function readMessage(
  rows: MemoryRows,
  saidAround: SaidAround,
  factId: string,
): Promise<MessageRead | undefined> {
  const message = await rows.fact(factId);
  if (message === undefined || !isOfTurn(message) || isSampleSession(message.sessionId)) return undefined;
  const { provider, sessionId } = message;
  const { callsBeside } = await saidAround(message);
  const calls: string[] = [];
  for (const toolUseId of callsBeside.get(factId) ?? callsOf(message)) {
    const call = await rows.callFactId({ provider, sessionId, toolUseId });
    if (call !== undefined) calls.push(call);
  }
  return { message, calls };
}

/** What was said around calls is part of what is remembered of them: also of those of the messages beside it. */
export function noteMessage({ again }: Work, { message, calls }: MessageRead): void {
  for (const key of calls) again.push({ kind: "call", key });
  if (message.agentId == null) again.push({ kind: "turn", key: `${message.sessionId}\n${message.promptId}` });
}
