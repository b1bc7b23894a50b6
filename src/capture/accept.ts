import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { contentOf, forgetContent } from "../privacy/forgotten-event.ts";
import { containsForgotten } from "../privacy/forgotten-text.ts";
import { withoutContent } from "../privacy/private-event.ts";
import { clearRedactionCache } from "../privacy/redact.ts";
import { createHiddenTurns, type HiddenTurns } from "./hidden-turns.ts";
import { createKnownPrompts } from "./known-prompts.ts";
import { createPrivateTurns } from "./private-turns.ts";
import { isEndOfTurn, isSlashCommandStart, type Tombstones } from "./recall.ts";
import { createRecallScope, type RecallOptions } from "./recall-scope.ts";
import type { MayRecord } from "./recording-rules.ts";
import { redactEvent } from "./redact-event.ts";
import { slashCommandEnd, toTurnEnd } from "./slash-command-end.ts";
import { createBatchTrimmer } from "./trim-batches.ts";

export interface Acceptor {
  readonly mayRecord: MayRecord;
  /**
   * Queries once what earlier runs know of these events, then runs `work`, which may accept and start writing
   * them. Nothing runs in between, so that nothing forgotten in the meantime is accepted.
   */
  prepare<T>(events: readonly NewEvent[], work: () => T): Promise<Awaited<T>>;
  /** Notes private prompts before anything else in the same batch is accepted. Only within `prepare`. */
  notePrivatePrompts(events: readonly NewEvent[]): void;
  /** Turns translated events into loggable ones, in the same order. Only within `prepare`. */
  accept(events: readonly NewEvent[]): HooklineEvent[];
  /** Drops the raw text cached for a batch. Call it when the batch is done. */
  clearCache(): void;
}

export interface AcceptOptions extends RecallOptions {
  readonly mayRecord: MayRecord;
  /** The private turns shared by all acceptors of one run; by default each has its own. */
  readonly hidden?: HiddenTurns;
  /** Called for events that may not be recorded; must not store any of them. */
  readonly onUnrecorded?: (event: NewEvent) => void;
}

export function createAcceptor(options: AcceptOptions): Acceptor {
  const hidden = options.hidden ?? createHiddenTurns();
  const recallScope = createRecallScope(options);
  const knownPrompts = createKnownPrompts(hidden, recallScope);
  const turns = createPrivateTurns({
    hidden,
    knownPrompts: knownPrompts,
    recallScope: recallScope,
    reportedCall: options.reportedCall,
  });
  const trimBatch = createBatchTrimmer();
  /** Sessions with a private prompt waiting for its turn, whose id is never announced. */
  const awaitingTurn = new Set<string>();

  const acceptPrompt = (event: NewEvent): HooklineEvent[] => {
    const isPrivate = turns.makesTurnPrivate(event);
    const promptId = event.promptId ?? undefined;
    if (promptId !== undefined) {
      const known = knownPrompts.get(promptId);
      const others = known.eventIds.filter((id) => id !== event.id);
      // Not when the same prompt is read again after a crash or a full disk.
      if (isPrivate && others.length > 0) awaitingTurn.add(event.sessionId);
      knownPrompts.set(promptId, {
        ...known,
        eventIds: [...others, event.id],
        isPrivate: known.isPrivate || isPrivate,
      });
    }
    return [isPrivate ? withoutContent(event) : redactEvent(event)];
  };

  /** Accepts an event within a turn, other than its prompt. */
  const acceptOfTurn = (event: NewEvent, promptId: string): HooklineEvent[] => {
    let known = knownPrompts.get(promptId);
    if (known.eventIds.length === 0 && awaitingTurn.has(event.sessionId))
      known = { ...known, isPrivate: true };
    if (known.isPrivate) {
      turns.hideCall(event);
      knownPrompts.set(promptId, known);
      return [withoutContent(event)];
    }
    const slash = isSlashCommandStart(event, promptId) ? redactEvent(event) : known.slashCommand;
    const isEnd = isEndOfTurn(event);
    const end = isEnd ? toTurnEnd(event) : known.turnEnd;
    if (slash !== known.slashCommand || end !== known.turnEnd || !knownPrompts.has(promptId))
      knownPrompts.set(promptId, { ...known, slashCommand: slash, turnEnd: end });
    const completesSkill =
      end !== undefined && slash !== undefined && (isEnd || slash !== known.slashCommand);
    return [redactEvent(event), ...(completesSkill ? [slashCommandEnd(end, slash)] : [])];
  };

  const acceptOne = (received: NewEvent): HooklineEvent[] => {
    if (!options.mayRecord(received)) {
      options.onUnrecorded?.(received);
      return [];
    }
    const event = trimBatch(received);
    if (event.eventType === "turn.start") return acceptPrompt(event);
    const promptId = event.promptId ?? undefined;
    return promptId === undefined ? [redactEvent(event)] : acceptOfTurn(event, promptId);
  };

  return {
    mayRecord: options.mayRecord,
    prepare: (events, work) => recallScope.run(events, knownPrompts.forEvents(events), work),
    notePrivatePrompts: turns.notePrivatePrompts,
    accept(events) {
      turns.notePrivatePrompts(events);
      const accepted = events.flatMap(acceptOne);
      const tombstones = recallScope.current().tombstones;
      return tombstones === undefined
        ? accepted
        : accepted.flatMap((event) => withoutForgotten(event, tombstones));
    },
    clearCache: clearRedactionCache,
  };
}

/** Treats the event as if it had arrived before the forgetting: checks what would have been stored. */
function withoutForgotten(event: HooklineEvent, tombstones: Tombstones): HooklineEvent[] {
  if (tombstones.hasFact(event.id)) return [];
  const forgottenAtIso = tombstones.session(event.sessionId);
  if (forgottenAtIso !== undefined && event.occurredAtIso <= forgottenAtIso) return [];
  const guards = tombstones.guards().filter(({ at }) => event.occurredAtIso <= at);
  if (guards.length === 0 || !containsForgotten(guards, contentOf(event))) return [event];
  const bare = forgetContent(event);
  return containsForgotten(guards, contentOf(bare)) ? [] : [bare];
}
