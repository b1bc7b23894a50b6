import type { PromptReader } from "../agents/prompt-reader.ts";
import type { NewEvent } from "../event/event.ts";
import { callKey } from "../event/ids.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";
import { addHidden, type HiddenTurns } from "./hidden-turns.ts";
import type { KnownPrompts } from "./known-prompts.ts";
import type { RecallScope } from "./recall-scope.ts";

/** Which turns are private: by their own prompt, or because they report on a call of a private turn. */
export interface PrivateTurns {
  /** Whether this start of a turn makes the turn private. */
  makesTurnPrivate(event: NewEvent): boolean;
  hideCall(event: NewEvent): void;
  /** Notes the private prompts in a batch of events. */
  notePrivatePrompts(events: readonly NewEvent[]): void;
}

export interface PrivateTurnsOptions {
  readonly hidden: HiddenTurns;
  readonly knownPrompts: KnownPrompts;
  readonly recallScope: RecallScope;
  readonly reportedCall: PromptReader["reportedCall"] | undefined;
}

export function createPrivateTurns(options: PrivateTurnsOptions): PrivateTurns {
  const { hidden, knownPrompts, recallScope, reportedCall } = options;

  const makesTurnPrivate = (event: NewEvent): boolean => {
    const prompt = String(event["prompt"] ?? "");
    if (isWhollyPrivate(prompt)) return true;
    const toolUseId = event["machine"] === true ? reportedCall?.(prompt) : undefined;
    if (toolUseId === undefined) return false;
    const key = callKey({ provider: event.provider, sessionId: event.sessionId, toolUseId });
    return hidden.calls.has(key) || recallScope.current().hiddenCalls.has(key);
  };

  const hideCall = ({ provider, sessionId, toolUseId }: NewEvent): void => {
    if (toolUseId != null) addHidden(hidden.calls, callKey({ provider, sessionId, toolUseId }));
  };

  const noteTurns = (turns: readonly (readonly [string, NewEvent])[]): void => {
    for (const [promptId, event] of turns) {
      const known = knownPrompts.get(promptId);
      if (known.eventIds.length > 0 || !makesTurnPrivate(event)) continue;
      knownPrompts.set(promptId, { ...known, eventIds: [event.id], isPrivate: true });
    }
  };

  return {
    makesTurnPrivate: makesTurnPrivate,
    hideCall,
    /** Events of one instant may be in any order: a private prompt hides its turn from any position. */
    notePrivatePrompts(events) {
      if (!events.some(({ eventType }) => eventType === "turn.start")) return;
      const first = firstPrompts(events);
      const [userPrompts, machinePrompts] = [false, true].map((isReport) =>
        first.filter(([, event]) => (event["machine"] === true) === isReport),
      );
      noteTurns(userPrompts!);
      if (machinePrompts!.length === 0) return;
      for (const event of events)
        if (event.toolUseId != null && event.promptId != null && knownPrompts.get(event.promptId).isPrivate)
          hideCall(event);
      noteTurns(machinePrompts!);
    },
  };
}

/** The earliest start of each turn. */
function firstPrompts(events: readonly NewEvent[]): [string, NewEvent][] {
  const first = new Map<string, NewEvent>();
  for (const event of events) {
    if (event.eventType !== "turn.start" || event.promptId == null) continue;
    const known = first.get(event.promptId);
    if (known === undefined || event.occurredAtIso < known.occurredAtIso) first.set(event.promptId, event);
  }
  return [...first];
}
