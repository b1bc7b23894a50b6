import type { PromptReader } from "../agents/prompt-reader.ts";
import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { callKey } from "../event/ids.ts";
import { contentOf, forgetContent } from "../privacy/forgotten-event.ts";
import { containsForgotten } from "../privacy/forgotten-text.ts";
import { withoutContent } from "../privacy/private-event.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";
import { forgetSeen } from "../privacy/redact.ts";
import {
  endOfSlashId,
  isEndOfTurn,
  isSlash,
  NOTHING_RECALLED,
  OF_TURN,
  type PromptMemory,
  type Recalled,
  type RecallQuery,
  recallQuery,
  type Tombstones,
  type TurnEnd,
} from "./recall.ts";
import type { MayRecord } from "./recording-rules.ts";
import { redactEvent } from "./redact-event.ts";

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

export interface AcceptOptions {
  readonly mayRecord: MayRecord;
  /** What earlier runs knew of what comes together. Left out where there were none: then nothing is to be prepared. */
  readonly recall?: (asked: RecallQuery) => Promise<Recalled>;
  /** Grows when something is forgotten: what was recalled before is asked for again. */
  readonly timesForgotten?: () => number;
  /** What all who accept events in one run know to be private; their own each where it is left out. */
  readonly hidden?: HiddenTurns;
  /** The id of the call whose end a prompt that a machine wrote reports. */
  readonly reportedCall?: PromptReader["reportedCall"];
  /** Hears of what may not be recorded; nothing of it may be kept. */
  readonly onUnrecorded?: (event: NewEvent) => void;
}

/** What is private is so for every writer, whether or not the database has been told yet. */
export interface HiddenTurns {
  readonly promptIds: Set<string>;
  /** Calls of private turns: what they leave running is reported later, under a prompt of its own. */
  readonly calls: Set<string>;
}

export function createHiddenTurns(): HiddenTurns {
  return { promptIds: new Set(), calls: new Set() };
}

const NOTHING: PromptMemory = { told: [], isPrivate: false, slash: undefined };
const MOST = 10_000;

export function createAcceptor(options: AcceptOptions): Acceptor {
  const prompts = new Map<string, PromptMemory>();
  /** While work that was prepared runs, with the prompts that were asked about. */
  let recalled: (Recalled & { readonly promptIds: ReadonlySet<string> }) | null = null;
  /** Sessions in which a private prompt waits for its turn, whose id nobody will announce. */
  const waiting = new Set<string>();

  const hidden = options.hidden ?? createHiddenTurns();
  const hideCall = ({ provider, sessionId, toolUseId }: NewEvent): void => {
    if (toolUseId != null) addTo(hidden.calls, callKey({ provider, sessionId, toolUseId }));
  };

  const hidesTurn = (event: NewEvent): boolean => {
    const prompt = String(event["prompt"] ?? "");
    if (isWhollyPrivate(prompt)) return true;
    const toolUseId = event["machine"] === true ? options.reportedCall?.(prompt) : undefined;
    if (toolUseId === undefined) return false;
    const call = { provider: event.provider, sessionId: event.sessionId, toolUseId };
    return hidden.calls.has(callKey(call)) || recalledNow().hiddenCalls.has(callKey(call));
  };

  /** What nobody asked about must not pass for what is not private. */
  const recalledNow = (promptId?: string): Recalled => {
    if (options.recall === undefined) return NOTHING_RECALLED;
    if (recalled === null || (promptId !== undefined && !recalled.promptIds.has(promptId)))
      throw new Error("an event is accepted that was not prepared");
    return recalled;
  };

  const memory = (promptId: string): PromptMemory => {
    const known =
      prompts.get(promptId) ?? remember(promptId, recalledNow(promptId).prompts.get(promptId) ?? NOTHING);
    return known.isPrivate || !hidden.promptIds.has(promptId) ? known : { ...known, isPrivate: true };
  };

  const remember = (promptId: string, known: PromptMemory): PromptMemory => {
    if (prompts.size >= MOST) prompts.clear();
    prompts.set(promptId, known);
    if (known.isPrivate) addTo(hidden.promptIds, promptId);
    return known;
  };

  const acceptPrompt = (event: NewEvent): HooklineEvent[] => {
    const isPrivate = hidesTurn(event);
    const promptId = event.promptId ?? undefined;
    if (promptId !== undefined) {
      const known = memory(promptId);
      const others = known.told.filter((id) => id !== event.id);
      // Not for the same prompt read again after a crash or a full disk.
      if (isPrivate && others.length > 0) waiting.add(event.sessionId);
      remember(promptId, { ...known, told: [...others, event.id], isPrivate: known.isPrivate || isPrivate });
    }
    return [isPrivate ? withoutContent(event) : redactEvent(event)];
  };

  /** Calls that their own hook has told: of what a batch says of them only the text the model saw is new. */
  const told = new Set<string>();
  const withoutKnown = (event: NewEvent): NewEvent => {
    if (event.eventType !== "tool_observation" || event.toolUseId == null || event.payload === undefined)
      return event;
    const key = callKey({ ...event, toolUseId: event.toolUseId });
    if (event.origin === "hook") {
      if (told.size >= MOST) told.clear();
      told.add(key);
      return event;
    }
    if (event.origin !== "batch" || !told.delete(key)) return event;
    const { toolName, toolOutput, success } = event.payload;
    return { ...event, payload: { toolName, toolInput: undefined, toolOutput, success } };
  };

  const acceptOne = (whole: NewEvent): HooklineEvent[] => {
    if (!options.mayRecord(whole)) {
      options.onUnrecorded?.(whole);
      return [];
    }
    const event = withoutKnown(whole);
    if (event.eventType === "turn.start") return acceptPrompt(event);
    const promptId = event.promptId ?? undefined;
    if (promptId === undefined) return [redactEvent(event)];
    let known = memory(promptId);
    if (known.told.length === 0 && waiting.has(event.sessionId)) known = { ...known, isPrivate: true };
    if (known.isPrivate) {
      hideCall(event);
      remember(promptId, known);
      return [withoutContent(event)];
    }
    const slash = isSlash(event, promptId) ? redactEvent(event) : known.slash;
    const isEnd = isEndOfTurn(event);
    const end = isEnd ? toTurnEnd(event) : known.end;
    if (slash !== known.slash || end !== known.end || !prompts.has(promptId))
      remember(promptId, { ...known, slash, end });
    const isOver = end !== undefined && slash !== undefined && (isEnd || slash !== known.slash);
    return [redactEvent(event), ...(isOver ? [endOfSlash(end, slash)] : [])];
  };

  /** What came in one instant may lie in any order: a private prompt hides its turn wherever it stands in it. */
  const learn = (events: readonly NewEvent[]): void => {
    if (!events.some(({ eventType }) => eventType === "turn.start")) return;
    const first = new Map<string, NewEvent>();
    for (const event of events) {
      if (event.eventType !== "turn.start" || event.promptId == null) continue;
      const known = first.get(event.promptId);
      if (known === undefined || event.occurredAtIso < known.occurredAtIso) first.set(event.promptId, event);
    }
    const [asked, reports] = [false, true].map((isReport) =>
      [...first].filter(([, event]) => (event["machine"] === true) === isReport),
    );
    learnPrivate(asked!);
    if (reports!.length === 0) return;
    for (const event of events)
      if (event.toolUseId != null && event.promptId != null && memory(event.promptId).isPrivate)
        hideCall(event);
    learnPrivate(reports!);
  };

  const learnPrivate = (turns: readonly (readonly [string, NewEvent])[]): void => {
    for (const [promptId, event] of turns) {
      const known = memory(promptId);
      if (known.told.length > 0 || !hidesTurn(event)) continue;
      remember(promptId, { ...known, told: [event.id], isPrivate: true });
    }
  };

  return {
    mayRecord: options.mayRecord,
    async prepare<T>(events: readonly NewEvent[], work: () => T): Promise<Awaited<T>> {
      const { recall, timesForgotten = () => 0 } = options;
      // What is known by now may be dropped while the store is asked.
      const known = new Map<string, PromptMemory>();
      for (const { promptId } of events) {
        const before = promptId == null ? undefined : prompts.get(promptId);
        if (before !== undefined) known.set(promptId!, before);
      }
      const isKnown = (promptId: string): boolean => known.has(promptId);
      for (;;) {
        const asOf = timesForgotten();
        const query = recallQuery(events, { isKnown, reportedCall: options.reportedCall });
        const found = recall === undefined ? NOTHING_RECALLED : await recall(query);
        if (timesForgotten() !== asOf) continue;
        recalled = {
          ...found,
          prompts: new Map([...known, ...found.prompts]),
          promptIds: new Set([...known.keys(), ...query.promptIds]),
        };
        let result: T;
        try {
          result = work();
        } finally {
          recalled = null;
        }
        return await result;
      }
    },
    learn,
    accept(events) {
      learn(events);
      const accepted = events.flatMap(acceptOne);
      const gone = recalledNow().tombstones;
      return gone === undefined ? accepted : accepted.flatMap((event) => withoutForgotten(event, gone));
    },
    rest: forgetSeen,
  };
}

/** The oldest go first. */
function addTo(set: Set<string>, value: string): void {
  set.delete(value);
  set.add(value);
  for (const oldest of set) {
    if (set.size <= MOST) break;
    set.delete(oldest);
  }
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

function toTurnEnd(event: NewEvent): TurnEnd {
  return Object.fromEntries(OF_TURN.map((key) => [key, event[key]])) as TurnEnd;
}

/** A skill that a person called by a slash command is done when its turn is. */
function endOfSlash(end: TurnEnd, slash: HooklineEvent): HooklineEvent {
  const { v, sessionId, provider, projectPath, cwd, promptId, transcriptPath, origin, occurredAtIso } = end;
  const { skillName, triggerCommand, targetDocPath } = slash;
  return {
    v,
    id: endOfSlashId(promptId!),
    eventType: "skill.lifecycle",
    phase: "completed",
    occurredAtIso,
    sessionId,
    provider,
    projectPath,
    cwd,
    promptId,
    transcriptPath,
    origin,
    skillName,
    triggerCommand,
    turnSeq: null,
    targetDocPath: targetDocPath ?? null,
  };
}
