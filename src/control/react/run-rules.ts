import { setImmediate } from "node:timers/promises";
import type { HooklineEvent } from "../../event/event.ts";
import { needsAnswer, type ReactionRule } from "../../policy/reaction-rules.ts";
import { realWorld } from "../real-world.ts";
import { createCallLedger, type LedgerOptions } from "./call-ledger.ts";
import type { DropCount } from "./drop-count.ts";
import { conditionsHold, matchesTrigger } from "./match-rule.ts";
import { createReactionSessionCheck } from "./reaction-sessions.ts";
import type { ReactionTrigger } from "./reaction-trigger.ts";
import { createReactionRecorder, type RecordOptions } from "./record-reaction.ts";
import { type ActionOptions, runAction } from "./run-action.ts";
import type { WorkQueue } from "./work-queue.ts";

export interface RunRulesOptions extends ActionOptions, LedgerOptions, RecordOptions {
  /** The rules in force in a project. */
  readonly rules: (projectPath: string | null) => readonly ReactionRule[];
  /** Whether a run of this rule for this event is recorded. */
  readonly hasRun: (ruleId: string, eventId: string) => Promise<boolean>;
  /** Whether a session waits for a person now. */
  readonly isWaiting?: (sessionId: string) => boolean;
}

export interface RunRulesParts {
  readonly queue: WorkQueue;
  readonly count: DropCount;
  /** Aborted when nothing may run anymore. */
  readonly signal: AbortSignal;
}

/** Twice as long as an event counts as live. */
const HANDLED_RETENTION_MS = 120_000;

/** Runs the rules that match a trigger, each once. Resolves when they are queued. */
export function createRuleRunner(options: RunRulesOptions, { queue, count, signal }: RunRulesParts) {
  const ledger = createCallLedger(options);
  const world = realWorld(options.env);
  const record = createReactionRecorder(options);
  const isReactionSession = createReactionSessionCheck(options.events);
  const handled = createRecentKeys(HANDLED_RETENTION_MS, options.nowMs);

  const run = async (rule: ReactionRule, trigger: ReactionTrigger, event: HooklineEvent): Promise<void> => {
    let failure: string | null;
    // Not while the database is notifying its listeners.
    await setImmediate();
    try {
      // It may run late, when the request is already answered.
      if (trigger.on === "needs_person" && options.isWaiting?.(trigger.sessionId) === false) return;
      if (!(await conditionsHold(rule, trigger, ledger, world)) || signal.aborted) return;
      failure = await runAction(rule, { trigger, event }, options, signal);
    } catch (error) {
      failure = (error as Error).message;
    }
    if (failure !== null && signal.aborted) return;
    await record(rule, trigger, failure);
  };

  return async (trigger: ReactionTrigger, event: HooklineEvent): Promise<void> => {
    for (const rule of options.rules(trigger.projectPath)) {
      if (needsAnswer(rule) || !matchesTrigger(rule, trigger, world)) continue;
      if (rule.do.type === "command" && (await isReactionSession(trigger.sessionId))) continue;
      const key = `${rule.id}\n${trigger.id}`;
      if (handled.has(key) || (await options.hasRun(rule.id, trigger.id))) continue;
      if (signal.aborted) return;
      handled.add(key);
      if (!count.mayRun(rule.id)) continue;
      const work = () => run(rule, trigger, event);
      if (!queue.add(laneOf(rule, trigger), work)) count.drop("queue_full");
    }
  };
}

/** Commands of one project run sequentially: they may write the same files. */
function laneOf({ do: action }: ReactionRule, { projectPath, cwd }: ReactionTrigger): string | null {
  return action.type === "command" ? (projectPath ?? cwd ?? "") : null;
}

function createRecentKeys(retentionMs: number, nowMs: () => number) {
  const keys = new Map<string, number>();
  const prune = (): void => {
    for (const [key, atMs] of keys) {
      if (nowMs() - atMs < retentionMs) return;
      keys.delete(key);
    }
  };
  return {
    has: (key: string): boolean => keys.has(key),
    add(key: string): void {
      prune();
      keys.set(key, nowMs());
    },
  };
}
