import { setImmediate } from "node:timers/promises";
import type { HooklineEvent } from "../../event/event.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { needsAnswer, type ReactionRule } from "../../policy/reaction-rules.ts";
import { createDropCount, type DropReason } from "./drop-count.ts";
import { createHeldBacklog } from "./held-backlog.ts";
import { fromEvent, fromSnapshot, type ReactionTrigger } from "./reaction-trigger.ts";
import { createRuleRunner, type RunRulesOptions } from "./run-rules.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface ReactionOptions extends RunRulesOptions {
  /** Resolves when the rules in force there are known; if missing, they are known immediately. */
  readonly prepare?: (projectPath: string | null) => Promise<void>;
  /** Events of the last minute, also from before this process started. */
  readonly recent: () => Promise<readonly HooklineEvent[]>;
  /** True while long work such as an import or a rebuild emits many events. */
  readonly isBacklog?: () => boolean;
}

export interface Reactions {
  /** Events that the database has just applied. */
  onEvents(events: readonly HooklineEvent[]): void;
  /** A session started to wait for a person. */
  needsPerson(snapshot: SessionSnapshot): void;
  /** How many were dropped, by reason. */
  drops(): Readonly<Record<DropReason, number>>;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
  /** Kills what is running; it runs again if we restart within a minute. */
  close(): Promise<void>;
}

/** Older events trigger nothing. */
const LIVE_WINDOW_MS = 60_000;
const MAX_CONCURRENT = 4;
const MAX_WAITING = 200;

/**
 * Fire-and-forget reactions: commands, notifications, webhooks, speech. At least once per rule and event:
 * recorded after it ran, so that a process killed in between leaves it to the next one.
 */
export function driveReactions(options: ReactionOptions): Reactions {
  const { nowMs, notice } = options;
  const queue = createWorkQueue({ concurrent: MAX_CONCURRENT, waiting: MAX_WAITING });
  const count = createDropCount(notice, nowMs);
  const ending = new AbortController();
  const { signal } = ending;
  const isBacklog = (): boolean => options.isBacklog?.() === true;
  const liveQueue = createSequentialHandler(
    options,
    signal,
    createRuleRunner(options, { queue, count, signal }),
  );

  const onEvents = (events: readonly HooklineEvent[]): void => {
    if (signal.aborted) return;
    // Events from transcripts and other programs may have happened at any time.
    const liveEvents = events.filter((event) => event.origin === "hook" && isLive(event, nowMs()));
    if (liveEvents.length === 0) return;
    for (const event of liveEvents) {
      const trigger = fromEvent(event);
      if (trigger === null) continue;
      if (isBacklog()) heldQueue.add(trigger, event);
      else liveQueue.add(trigger, event);
    }
  };
  /** Only events that some rule matches take up space. */
  const heldQueue = createSequentialHandler(options, signal, async (trigger, event) => {
    const matchesEvent = (rule: ReactionRule): boolean => rule.on === trigger.on && !needsAnswer(rule);
    if (options.rules(trigger.projectPath).some(matchesEvent)) backlog.hold([event]);
  });
  const onFull = (): void => count.drop("queue_full");
  const backlog = createHeldBacklog({ isBacklog, max: MAX_WAITING, onRelease: onEvents, onFull, signal });
  void setImmediate()
    .then(async () => onEvents(await options.recent()))
    .catch(() => notice("could not read the recent events that the last process may have left"));

  return {
    onEvents: onEvents,
    needsPerson(snapshot) {
      const found = fromSnapshot(snapshot);
      if (found === null || signal.aborted || !isLive(found.event, nowMs())) return;
      const { projectPath, cwd, occurredAtIso } = found.event;
      if (options.mayRecord({ projectPath, cwd, occurredAtIso })) liveQueue.add(found.trigger, found.event);
    },
    drops: count.drops,
    async idle() {
      await heldQueue.done();
      await backlog.released();
      await liveQueue.done();
      await queue.idle();
    },
    async close() {
      ending.abort();
      queue.clear();
      await queue.idle();
    },
  };
}

function isLive({ occurredAtIso }: HooklineEvent, nowMs: number): boolean {
  return Math.abs(nowMs - Date.parse(occurredAtIso)) < LIVE_WINDOW_MS;
}

type HandleTrigger = (trigger: ReactionTrigger, event: HooklineEvent) => Promise<void>;

/** Handles events sequentially, in the order in which they were emitted. */
function createSequentialHandler(
  { prepare, notice }: ReactionOptions,
  signal: AbortSignal,
  handle: HandleTrigger,
) {
  let last = Promise.resolve();
  /** The emitter has other listeners, so errors must not reach it. */
  const handleOrReport = async (trigger: ReactionTrigger, event: HooklineEvent): Promise<void> => {
    try {
      if (!signal.aborted) await handle(trigger, event);
    } catch (error) {
      notice(`reacting to ${trigger.on} failed: ${(error as Error).name}`);
    }
  };
  return {
    add(trigger: ReactionTrigger, event: HooklineEvent): void {
      last = last
        .then(() => prepare?.(trigger.projectPath))
        .catch(() => undefined)
        .then(() => handleOrReport(trigger, event));
    },
    done: () => last,
  };
}
