import { setImmediate } from "node:timers/promises";
import type { HooklineEvent } from "../../event/event.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { needsAnswer, type ReactionRule } from "../../policy/reaction-rules.ts";
import { realWorld } from "../real-world.ts";
import { createCallLedger, type LedgerOptions } from "./call-ledger.ts";
import { createDropCount, type DropName } from "./drop-count.ts";
import { fromEvent, fromSnapshot, type Occasion } from "./occasion.ts";
import { createOwnSessions } from "./own-sessions.ts";
import { createReactionRecord, type RecordOptions } from "./record-reaction.ts";
import { holds, isAbout } from "./rule-fits.ts";
import { type ActionDoor, runAction } from "./run-action.ts";
import { createWorkQueue } from "./work-queue.ts";

export interface ReactionOptions extends ActionDoor, LedgerOptions, RecordOptions {
  /** What holds in a project now. */
  readonly rules: (projectPath: string | null) => readonly ReactionRule[];
  /** Resolves when it is known what holds there; without it that is known at once. */
  readonly prepare?: (projectPath: string | null) => Promise<void>;
  /** Whether it was written down that this rule ran for this event. */
  readonly hasRun: (ruleId: string, eventId: string) => Promise<boolean>;
  /** What was recorded in the last minute, also before this process began. */
  readonly recent: () => Promise<readonly HooklineEvent[]>;
  /** Whether a session waits for a person now. */
  readonly isWaiting?: (sessionId: string) => boolean;
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
const AGAIN_MS = 250;

/**
 * What nobody waits for: commands, notifications, webhooks, speech. At least once for each rule and event: written
 * down after it ran, so that a process that is killed between the two leaves it to the next one.
 */
export function driveReactions(options: ReactionOptions): Reactions {
  const { nowMs } = options;
  const ledger = createCallLedger(options);
  const world = realWorld(options.env);
  const queue = createWorkQueue({ atOnce: AT_ONCE, waiting: WAITING });
  const count = createDropCount(options.notice, nowMs);
  const record = createReactionRecord(options);
  const isOwn = createOwnSessions(options.events);
  const ending = new AbortController();
  /** Taken up by this process, and when. */
  const taken = new Map<string, number>();

  const isLive = ({ occurredAtIso }: HooklineEvent): boolean =>
    Math.abs(nowMs() - Date.parse(occurredAtIso)) < LIVE_MS;

  const take = async (occasion: Occasion, event: HooklineEvent): Promise<void> => {
    for (const rule of options.rules(occasion.projectPath)) {
      if (needsAnswer(rule) || !isAbout(rule, occasion, world)) continue;
      if (rule.do.type === "command" && (await isOwn(occasion.sessionId))) continue;
      const key = `${rule.id}\n${occasion.id}`;
      if (taken.has(key) || (await options.hasRun(rule.id, occasion.id))) continue;
      if (ending.signal.aborted) return;
      prune();
      taken.set(key, nowMs());
      if (!count.mayRun(rule.id)) continue;
      const work = () => run(rule, occasion, event);
      if (!queue.add(laneOf(rule, occasion), work)) count.drop("queue_full");
    }
  };

  /** Who tells has other listeners, and goes on. */
  const takeOrSay = async (occasion: Occasion, event: HooklineEvent): Promise<void> => {
    try {
      if (!ending.signal.aborted) await take(occasion, event);
    } catch (error) {
      options.notice(`reacting to ${occasion.on} failed: ${(error as Error).name}`);
    }
  };

  /** One after the other: what was told first is taken first. */
  let prepared = Promise.resolve();
  const takeInTurn = (occasion: Occasion, event: HooklineEvent): void => {
    prepared = prepared
      .then(() => options.prepare?.(occasion.projectPath))
      .catch(() => undefined)
      .then(() => takeOrSay(occasion, event));
  };

  const run = async (rule: ReactionRule, occasion: Occasion, event: HooklineEvent): Promise<void> => {
    let failure: string | null;
    // Not while the database tells what it has taken.
    await setImmediate();
    try {
      // Its turn may have come late: somebody may have answered.
      if (occasion.on === "needs_person" && options.isWaiting?.(occasion.sessionId) === false) return;
      if (!(await holds(rule, occasion, ledger, world)) || ending.signal.aborted) return;
      failure = await runAction(rule, { occasion, event }, options, ending.signal);
    } catch (error) {
      failure = (error as Error).message;
    }
    if (failure !== null && ending.signal.aborted) return;
    await record(rule, occasion, failure);
  };

  const prune = (): void => {
    for (const [key, atMs] of taken) {
      if (nowMs() - atMs < 2 * LIVE_MS) return;
      taken.delete(key);
    }
  };

  /** What came while long work told of earlier times; looked at again when that is done. */
  let held: HooklineEvent[] = [];
  const told = (events: readonly HooklineEvent[]): void => {
    if (ending.signal.aborted) return;
    // What a transcript or another program tells has happened at any time, to anybody.
    const live = events.filter((event) => event.origin === "hook" && isLive(event));
    if (live.length === 0) return;
    if (options.isBacklog?.()) {
      if (held.length === 0) lookAgain();
      const room = live.slice(0, WAITING - held.length);
      if (room.length < live.length) count.drop("queue_full");
      held.push(...room);
      return;
    }
    for (const event of live) {
      const occasion = fromEvent(event);
      if (occasion !== null) takeInTurn(occasion, event);
    }
  };
  const lookAgain = (): void => {
    setTimeout(() => {
      if (!ending.signal.aborted && options.isBacklog?.()) return lookAgain();
      const events = held;
      held = [];
      told(events);
    }, AGAIN_MS).unref();
  };
  void setImmediate()
    .then(async () => told(await options.recent()))
    .catch(() => options.notice("what the last process left to react to could not be read"));

  return {
    told,
    needsPerson(snapshot) {
      const found = fromSnapshot(snapshot);
      if (found === null || ending.signal.aborted || !isLive(found.event)) return;
      const { projectPath, cwd, occurredAtIso } = found.event;
      if (options.mayRecord({ projectPath, cwd, occurredAtIso })) takeInTurn(found.occasion, found.event);
    },
    drops: count.drops,
    async idle() {
      await prepared;
      await queue.idle();
    },
    async close() {
      ending.abort();
      queue.clear();
      await queue.idle();
    },
  };
}

/** Commands in one project run one after the other: they may write the same files. */
function laneOf({ do: action }: ReactionRule, { projectPath, cwd }: Occasion): string | null {
  return action.type === "command" ? (projectPath ?? cwd ?? "") : null;
}
