import type { HookAsk, HookReply } from "../../agents/answer-format.ts";
import { needsAnswer, type ReactionRule } from "../../policy/reaction-rules.ts";
import { createKeyedQueue } from "../../serial-queue.ts";
import { realWorld } from "../real-world.ts";
import { appendSessionEnv } from "./append-session-env.ts";
import { createCallLedger, type LedgerOptions } from "./call-ledger.ts";
import { fillTemplate } from "./fill-template.ts";
import { conditionsHold, matchesTrigger } from "./match-rule.ts";
import { mergeAnswers, type RuleAnswer } from "./merge-answers.ts";
import { fromAsk, type ReactionTrigger } from "./reaction-trigger.ts";
import { createReactionRecorder, type RecordOptions } from "./record-reaction.ts";
import { type CommandAction, runCommand } from "./run-command.ts";
import { failureText } from "./run-program.ts";
import { createStopChains, type StopChains } from "./stop-chains.ts";

export interface ReactionAnswerOptions extends LedgerOptions, RecordOptions {
  readonly rules: (projectPath: string | null) => readonly ReactionRule[];
  readonly projectOf: (cwd: string | null) => string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a prompt was machine-written: rules don't apply to those. */
  readonly isMachinePrompt: (prompt: string) => boolean;
}

export interface AskDetails {
  /** The file whose lines become the session's environment, at SessionStart. */
  readonly envFile?: string | null;
  /** Whether a reaction's command started the session. */
  readonly isReactionSession?: boolean;
  /** Aborted when the hook is gone. */
  readonly signal?: AbortSignal;
}

export interface ReactionAnswers {
  /** The reply to a waiting hook; null: none. */
  answer(ask: HookAsk | null, how: AskDetails): Promise<HookReply | null>;
  /** Kills running commands. */
  close(): void;
}

/** The result of a rule: its answer and its failure. Null: it did not apply. */
type Outcome = { readonly answer: RuleAnswer | null; readonly failure: string | null } | null;

/** Rules that a session waits for: run one by one in order, their answers merged into one. */
export function createReactionAnswers(options: ReactionAnswerOptions): ReactionAnswers {
  const ledger = createCallLedger(options);
  const world = realWorld(options.env);
  const chains = createStopChains();
  const record = createReactionRecorder(options);
  const runSequentially = createKeyedQueue();
  const ending = new AbortController();

  const runRule = async (
    rule: ReactionRule,
    trigger: ReactionTrigger,
    envFile: string | null,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    if (!matchesTrigger(rule, trigger, world) || !(await conditionsHold(rule, trigger, ledger, world)))
      return null;
    const { do: action } = rule;
    switch (action.type) {
      case "context":
        return { answer: { type: "context", text: fillTemplate(action.text, trigger) }, failure: null };
      case "deny":
        return { answer: { type: "deny", text: fillTemplate(action.reason, trigger) }, failure: null };
      case "block":
        return block(rule, trigger, action.most, () => fillTemplate(action.reason, trigger), chains);
      case "env": {
        const set = Object.fromEntries(
          Object.entries(action.set).map(([name, value]) => [name, fillTemplate(value, trigger)]),
        );
        const why = envFile === null ? "the hook named no environment file" : appendSessionEnv(envFile, set);
        return { answer: null, failure: why };
      }
      case "command": {
        const lane = laneOf(trigger);
        const run = () => answerByCommand(action, rule, trigger, { ...options, signal, chains });
        return lane === null ? run() : runSequentially(lane, run);
      }
      default:
        return null;
    }
  };

  return {
    async answer(hookAsk, { envFile = null, isReactionSession = false, signal }) {
      const trigger = fromAsk(hookAsk, options, options.nowMs());
      if (trigger === null || isOwnAgent(trigger)) return null;
      const { projectPath, cwd } = trigger;
      const occurredAtIso = new Date(options.nowMs()).toISOString();
      if (!options.mayRecord({ projectPath, cwd, occurredAtIso })) return null;
      if (isStop(trigger)) chains.onStop(trigger);
      const stopSignal = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
      const ruleAnswers: RuleAnswer[] = [];
      for (const rule of options.rules(projectPath)) {
        if (!needsAnswer(rule) || (isReactionSession && rule.do.type === "command")) continue;
        const outcome = await runRule(rule, trigger, envFile, stopSignal).catch(
          (error: unknown): Outcome => ({ answer: null, failure: (error as Error).message }),
        );
        // The hook no longer waits for the answer.
        if (stopSignal.aborted) return null;
        if (outcome === null) continue;
        if (outcome.answer !== null) ruleAnswers.push(outcome.answer);
        void record(rule, trigger, outcome.failure);
      }
      return mergeAnswers(ruleAnswers);
    },
    close: () => ending.abort(),
  };
}

/** Commands after edits in one project may write the same files; those at the end of a turn may be slow. */
function laneOf(trigger: ReactionTrigger): string | null {
  return isStop(trigger) ? null : (trigger.projectPath ?? trigger.cwd);
}

function isStop({ on }: ReactionTrigger): boolean {
  return on === "Stop" || on === "SubagentStop";
}

/** An agent without a type writes compaction summaries: no rules apply to it. */
function isOwnAgent({ on, agentType }: ReactionTrigger): boolean {
  return on === "SubagentStop" && agentType === null;
}

function block(
  rule: ReactionRule,
  trigger: ReactionTrigger,
  maxBlocks: number,
  reason: () => string,
  chains: StopChains,
): Outcome {
  if (!chains.mayBlock(trigger, rule.id, maxBlocks)) return null;
  chains.countBlock(trigger, rule.id);
  return { answer: { type: "block", text: reason() }, failure: null };
}

const MAX_OUTPUT_CHARS = 4_000;
/** Exit codes of sh: the command was not found or is not executable. */
const NOT_RUN_EXIT_CODES = new Set([126, 127]);

async function answerByCommand(
  action: CommandAction,
  rule: ReactionRule,
  trigger: ReactionTrigger,
  { env, signal, chains }: Pick<ReactionAnswerOptions, "env"> & { signal: AbortSignal; chains: StopChains },
): Promise<Outcome> {
  const isBlocking = action.answer === "block_on_failure";
  if (isBlocking && isStop(trigger) && !chains.mayBlock(trigger, rule.id, action.most)) return null;
  const timeoutMs = rule.timeoutSeconds * 1_000;
  const result = await runCommand(action, trigger, { env, timeoutMs, signal });
  const failure = failureText(result, "the command");
  if (isBlocking && result.type === "ended" && result.code !== 0 && !NOT_RUN_EXIT_CODES.has(result.code)) {
    const output = [result.stdout.trim(), result.stderr.trim()].filter((text) => text !== "").join("\n");
    const head = `The command of the rule ${rule.id} ended with ${result.code}.`;
    const text = output === "" ? head : `${head}\n${tailOf(output)}`;
    if (!isStop(trigger)) return { answer: { type: "deny", text }, failure: null };
    return block(rule, trigger, action.most, () => text, chains);
  }
  if (failure !== null || result.type !== "ended") return { answer: null, failure };
  const text = result.stdout.trim();
  if (isBlocking || text === "") return { answer: null, failure: null };
  return { answer: { type: action.answer === "message" ? "message" : "context", text }, failure: null };
}

/** Keeps the end, which says how it ended. */
function tailOf(text: string): string {
  return text.length <= MAX_OUTPUT_CHARS ? text : `[…]\n${text.slice(-MAX_OUTPUT_CHARS)}`.toWellFormed();
}
