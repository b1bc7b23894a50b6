import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { contentOf, forgetContent } from "../privacy/forgotten-event.ts";
import { containsForgotten } from "../privacy/forgotten-text.ts";
import { withoutContent } from "../privacy/private-event.ts";
import { forgetSeen } from "../privacy/redact.ts";
import { endOfSlash, toTurnEnd } from "./end-of-slash.ts";
import { createHiddenTurns, type HiddenTurns } from "./hidden-turns.ts";
import { createPrivateTurns } from "./private-turns.ts";
import { createPromptMemories } from "./prompt-memories.ts";
import { isEndOfTurn, isSlash, type Tombstones } from "./recall.ts";
import { createRecalling, type RecallOptions } from "./recall-during.ts";
import type { MayRecord } from "./recording-rules.ts";
import { redactEvent } from "./redact-event.ts";
import { createBatchTrimmer } from "./trim-batches.ts";

export interface Acceptor {
  readonly mayRecord: MayRecord;
  /**
   * Asks once for all that earlier runs know of these events, then runs `work`, which may accept them and begin to
   * write them: nothing comes between the answer and `work`, so that nothing is accepted that was forgotten meanwhile.
   */
  prepare<T>(events: readonly NewEvent[], work: () => T): Promise<Awaited<T>>;
  /** Takes note of private prompts before anything else of what came together is accepted. Within `prepare`. */
  learn(events: readonly NewEvent[]): void;
  /** Makes of translated events what may stand in the log, in the same order. Within `prepare`. */
  accept(events: readonly NewEvent[]): HooklineEvent[];
  /** When what came together has passed: raw text that was remembered for its sake is let go. */
  rest(): void;
}

export interface AcceptOptions extends RecallOptions {
  readonly mayRecord: MayRecord;
  /** What all who accept events in one run know to be private; their own each where it is left out. */
  readonly hidden?: HiddenTurns;
  /** Hears of what may not be recorded; nothing of it may be kept. */
  readonly onUnrecorded?: (event: NewEvent) => void;
}

export function createAcceptor(options: AcceptOptions): Acceptor {
  const hidden = options.hidden ?? createHiddenTurns();
  const recalling = createRecalling(options);
  const memories = createPromptMemories(hidden, recalling);
  const turns = createPrivateTurns({ hidden, memories, recalling, reportedCall: options.reportedCall });
  const trimBatch = createBatchTrimmer();
  /** Sessions in which a private prompt waits for its turn, whose id nobody will announce. */
  const waiting = new Set<string>();

  const acceptPrompt = (event: NewEvent): HooklineEvent[] => {
    const isPrivate = turns.isHiding(event);
    const promptId = event.promptId ?? undefined;
    if (promptId !== undefined) {
      const known = memories.get(promptId);
      const others = known.told.filter((id) => id !== event.id);
      // Not for the same prompt read again after a crash or a full disk.
      if (isPrivate && others.length > 0) waiting.add(event.sessionId);
      memories.set(promptId, {
        ...known,
        told: [...others, event.id],
        isPrivate: known.isPrivate || isPrivate,
      });
    }
    return [isPrivate ? withoutContent(event) : redactEvent(event)];
  };

  /** An event within a turn, other than its prompt. */
  const acceptOfTurn = (event: NewEvent, promptId: string): HooklineEvent[] => {
    let known = memories.get(promptId);
    if (known.told.length === 0 && waiting.has(event.sessionId)) known = { ...known, isPrivate: true };
    if (known.isPrivate) {
      turns.hideCall(event);
      memories.set(promptId, known);
      return [withoutContent(event)];
    }
    const slash = isSlash(event, promptId) ? redactEvent(event) : known.slash;
    const isEnd = isEndOfTurn(event);
    const end = isEnd ? toTurnEnd(event) : known.end;
    if (slash !== known.slash || end !== known.end || !memories.has(promptId))
      memories.set(promptId, { ...known, slash, end });
    const isOver = end !== undefined && slash !== undefined && (isEnd || slash !== known.slash);
    return [redactEvent(event), ...(isOver ? [endOfSlash(end, slash)] : [])];
  };

  const acceptOne = (whole: NewEvent): HooklineEvent[] => {
    if (!options.mayRecord(whole)) {
      options.onUnrecorded?.(whole);
      return [];
    }
    const event = trimBatch(whole);
    if (event.eventType === "turn.start") return acceptPrompt(event);
    const promptId = event.promptId ?? undefined;
    return promptId === undefined ? [redactEvent(event)] : acceptOfTurn(event, promptId);
  };

  return {
    mayRecord: options.mayRecord,
    prepare: (events, work) => recalling.during(events, memories.ofEvents(events), work),
    learn: turns.learn,
    accept(events) {
      turns.learn(events);
      const accepted = events.flatMap(acceptOne);
      const gone = recalling.now().tombstones;
      return gone === undefined ? accepted : accepted.flatMap((event) => withoutForgotten(event, gone));
    },
    rest: forgetSeen,
  };
}

/** As it would be had it been told before it was forgotten: what is kept of it is looked at, not what was told. */
function withoutForgotten(event: HooklineEvent, gone: Tombstones): HooklineEvent[] {
  if (gone.hasFact(event.id)) return [];
  const until = gone.session(event.sessionId);
  if (until !== undefined && event.occurredAtIso <= until) return [];
  const guards = gone.guards().filter(({ at }) => event.occurredAtIso <= at);
  if (guards.length === 0 || !containsForgotten(guards, contentOf(event))) return [event];
  const bare = forgetContent(event);
  return containsForgotten(guards, contentOf(bare)) ? [] : [bare];
}
