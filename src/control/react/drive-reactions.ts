import { setImmediate } from "node:timers/promises";
import type { HooklineEvent } from "../../event/event.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { needsAnswer, type ReactionRule } from "../../policy/reaction-rules.ts";
import { createDropCount, type DropName } from "./drop-count.ts";
import { createHeldBacklog } from "./hold-backlog.ts";
import { fromEvent, fromSnapshot, type Occasion } from "./occasion.ts";
import { createRuleRunner, type RunRulesOptions } from "./run-rules.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface ReactionOptions extends RunRulesOptions {
  /** Resolves when it is known what holds there; without it that is known at once. */
  readonly prepare?: (projectPath: string | null) => Promise<void>;
  /** What was recorded in the last minute, also before this process began. */
  readonly recent: () => Promise<readonly HooklineEvent[]>;
  /** While long work makes much be told: an import, a rebuild. */
  readonly isBacklog?: () => boolean;
}

export interface Reactions {
  /** What the database has just taken. */
  told(events: readonly HooklineEvent[]): void;
  /** A session that began to wait for a person. */
  needsPerson(snapshot: SessionSnapshot): void;
  /** How many were not run, by why. */
  drops(): Readonly<Record<DropName, number>>;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
  /** Ends what runs; it runs again when we are back within a minute. */
  close(): Promise<void>;
}

/** Of what is older nobody needs to hear. */
const LIVE_MS = 60_000;
const AT_ONCE = 4;
const WAITING = 200;

/**
 * What nobody waits for: commands, notifications, webhooks, speech. At least once for each rule and event: written
 * down after it ran, so that a process that is killed between the two leaves it to the next one.
 */
export function driveReactions(options: ReactionOptions): Reactions {
  const { nowMs, notice } = options;
  const queue = createWorkQueue({ atOnce: AT_ONCE, waiting: WAITING });
  const count = createDropCount(notice, nowMs);
  const ending = new AbortController();
  const { signal } = ending;
  const isBacklog = (): boolean => options.isBacklog?.() === true;
  const take = inTurn(options, signal, createRuleRunner(options, { queue, count, signal }));

  const told = (events: readonly HooklineEvent[]): void => {
    if (signal.aborted) return;
    // What a transcript or another program tells has happened at any time, to anybody.
    const live = events.filter((event) => event.origin === "hook" && isLive(event, nowMs()));
    if (live.length === 0) return;
    for (const event of live) {
      const occasion = fromEvent(event);
      if (occasion === null) continue;
      if (isBacklog()) hold.add(occasion, event);
      else take.add(occasion, event);
    }
  };
  /** Only what some rule is for takes up room. */
  const hold = inTurn(options, signal, async (occasion, event) => {
    const isFor = (rule: ReactionRule): boolean => rule.on === occasion.on && !needsAnswer(rule);
    if (options.rules(occasion.projectPath).some(isFor)) backlog.hold([event]);
  });
  const onFull = (): void => count.drop("queue_full");
  const backlog = createHeldBacklog({ isBacklog, max: WAITING, onOver: told, onFull, signal });
  void setImmediate()
    .then(async () => told(await options.recent()))
    .catch(() => notice("what the last process left to react to could not be read"));

  return {
    told,
    needsPerson(snapshot) {
      const found = fromSnapshot(snapshot);
      if (found === null || signal.aborted || !isLive(found.event, nowMs())) return;
      const { projectPath, cwd, occurredAtIso } = found.event;
      if (options.mayRecord({ projectPath, cwd, occurredAtIso })) take.add(found.occasion, found.event);
    },
    drops: count.drops,
    async idle() {
      await take.done();
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
  return Math.abs(nowMs - Date.parse(occurredAtIso)) < LIVE_MS;
}

type Take = (occasion: Occasion, event: HooklineEvent) => Promise<void>;

/** One after the other: what was told first is taken first. */
function inTurn({ prepare, notice }: ReactionOptions, signal: AbortSignal, take: Take) {
  let last = Promise.resolve();
  /** Who tells has other listeners, and goes on. */
  const takeOrSay = async (occasion: Occasion, event: HooklineEvent): Promise<void> => {
    try {
      if (!signal.aborted) await take(occasion, event);
    } catch (error) {
      notice(`reacting to ${occasion.on} failed: ${(error as Error).name}`);
    }
  };
  return {
    add(occasion: Occasion, event: HooklineEvent): void {
      last = last
        .then(() => prepare?.(occasion.projectPath))
        .catch(() => undefined)
        .then(() => takeOrSay(occasion, event));
    },
    done: () => last,
  };
}
