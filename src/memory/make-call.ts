import type { HooklineEvent } from "../event/event.ts";
import { callRowId } from "../event/ids.ts";
import { isSampleSession } from "../event/sample.ts";
import { compressCall } from "./compress/compress-call.ts";
import { promptOf, textOf } from "./fact-words.ts";
import type { TurnSaid, Work } from "./memory-work.ts";
import { type Basis, resolveItem } from "./resolve-item.ts";
import { callsBeside, callsOf, wordsAround } from "./turn-words.ts";

/** A turn may have thousands of messages: of these around a call the nearest are enough. */
const NEAR_MS = 10 * 60_000;
const MOST_MESSAGES = 1_000;

export function makeCall({ rows, items, gone, again, turns }: Work, factId: string): void {
  const event = rows.fact(factId);
  if (event?.toolUseId == null || isSampleSession(event.sessionId)) return;
  const { observationId, promptNumber } = rows.placeOf(factId);
  if (observationId === null) {
    gone.add(callRowId({ ...event, toolUseId: event.toolUseId }));
    return;
  }
  const said = event.promptId == null ? NOTHING_SAID : saidAround({ rows, turns }, event);
  const words = said.words.get(event.toolUseId) ?? { before: null, after: null };
  const content = compressCall({ event, ...words, prompt: said.prompt, projectPath: event.projectPath });
  const basis: Basis = {
    id: observationId,
    kind: "observation",
    sessionId: event.sessionId,
    project: event.projectPath ?? rows.sessionRow(event.sessionId)?.project ?? null,
    promptNumber,
    toolName: event.payload?.toolName ?? null,
    branch: textOf(event["gitBranch"]) ?? said.branch,
    success: event.payload?.success ?? null,
    createdAtIso: event.occurredAtIso,
    content,
    summary: null,
  };
  items.set(observationId, resolveItem(basis, rows.madeOf(observationId), rows.markOf(observationId)));
  // A summary that is there already is made of this too.
  if (event.promptId != null && said.isOver)
    again.push({ kind: "turn", key: `${event.sessionId}\n${event.promptId}` });
}

const NOTHING_SAID: TurnSaid = {
  words: new Map(),
  callsBeside: new Map(),
  prompt: null,
  branch: null,
  isOver: false,
};

function saidAround({ rows, turns }: Pick<Work, "rows" | "turns">, event: HooklineEvent): TurnSaid {
  const atMs = Date.parse(event.occurredAtIso);
  const slot = Math.floor(atMs / NEAR_MS);
  const key = `${event.sessionId}\n${event.promptId}\n${slot}`;
  const known = turns.get(key);
  if (known !== undefined) return known;
  const turn = { sessionId: event.sessionId, promptId: event.promptId! };
  const messages = rows.turnFacts({
    ...turn,
    types: ["assistant.message"],
    sinceIso: new Date((slot - 1) * NEAR_MS).toISOString(),
    untilIso: new Date((slot + 2) * NEAR_MS).toISOString(),
    limit: MOST_MESSAGES,
  });
  const others = rows.turnFacts({ ...turn, types: ["turn.start", "turn.end", "turn.failed"], limit: 20 });
  const said: TurnSaid = {
    words: wordsAround(messages),
    callsBeside: callsBeside(messages),
    prompt: promptOf(others),
    branch:
      messages.map((message) => textOf(message["gitBranch"])).findLast((branch) => branch !== null) ?? null,
    isOver: others.some(({ eventType, agentId }) => eventType !== "turn.start" && agentId == null),
  };
  turns.set(key, said);
  return said;
}

/** What was said around calls is part of what is remembered of them: also of those of the messages beside it. */
export function noteMessage({ rows, again, turns }: Work, factId: string): void {
  const message = rows.fact(factId);
  if (message?.promptId == null || isSampleSession(message.sessionId)) return;
  const { callsBeside } = saidAround({ rows, turns }, message);
  for (const toolUseId of callsBeside.get(factId) ?? callsOf(message)) {
    const call = rows.callFactId({ provider: message.provider, sessionId: message.sessionId, toolUseId });
    if (call !== undefined) again.push({ kind: "call", key: call });
  }
  if (message.agentId == null) again.push({ kind: "turn", key: `${message.sessionId}\n${message.promptId}` });
}
