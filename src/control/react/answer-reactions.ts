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
type Outcome = { readonly say: RuleAnswer | null; readonly failure: string | null } | null;

/** Rules that a session waits for: run one by one in order, their answers merged into one. */
export function createReactionAnswers(options: ReactionAnswerOptions): ReactionAnswers {
  const ledger = createCallLedger(options);
  const world = realWorld(options.env);
  const chains = createStopChains();
  const record = createReactionRecorder(options);
  const inTurn = createKeyedQueue();
  const ending = new AbortController();

  const ask = async (
    rule: ReactionRule,
    occasion: ReactionTrigger,
    envFile: string | null,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    if (!matchesTrigger(rule, occasion, world) || !(await conditionsHold(rule, occasion, ledger, world)))
      return null;
    const { do: action } = rule;
    switch (action.type) {
      case "context":
        return { say: { type: "context", text: fillTemplate(action.text, occasion) }, failure: null };
      case "deny":
        return { say: { type: "deny", text: fillTemplate(action.reason, occasion) }, failure: null };
      case "block":
        return blocked(rule, occasion, action.most, () => fillTemplate(action.reason, occasion), chains);
      case "env": {
        const set = Object.fromEntries(
          Object.entries(action.set).map(([name, value]) => [name, fillTemplate(value, occasion)]),
        );
        const why = envFile === null ? "the hook named no environment file" : appendSessionEnv(envFile, set);
        return { say: null, failure: why };
      }
      case "command": {
        const lane = laneOf(occasion);
        const run = () => answerByCommand(action, rule, occasion, { ...options, signal, chains });
        return lane === null ? run() : inTurn(lane, run);
      }
      default:
        return null;
    }
  };

  return {
    async answer(asked, { envFile = null, isReactionSession = false, signal }) {
      const occasion = fromAsk(asked, options, options.nowMs());
      if (occasion === null || isOwnAgent(occasion)) return null;
      const { projectPath, cwd } = occasion;
      const occurredAtIso = new Date(options.nowMs()).toISOString();
      if (!options.mayRecord({ projectPath, cwd, occurredAtIso })) return null;
      if (isStop(occasion)) chains.onStop(occasion);
      const until = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
      const says: RuleAnswer[] = [];
      for (const rule of options.rules(projectPath)) {
        if (!needsAnswer(rule) || (isReactionSession && rule.do.type === "command")) continue;
        const outcome = await ask(rule, occasion, envFile, until).catch(
          (error: unknown): Outcome => ({ say: null, failure: (error as Error).message }),
        );
        // The hook no longer waits for the answer.
        if (until.aborted) return null;
        if (outcome === null) continue;
        if (outcome.say !== null) says.push(outcome.say);
        void record(rule, occasion, outcome.failure);
      }
      return mergeAnswers(says);
    },
    close: () => ending.abort(),
  };
}

/** Commands after edits in one project may write the same files; those at the end of a turn may be slow. */
function laneOf(occasion: ReactionTrigger): string | null {
  return isStop(occasion) ? null : (occasion.projectPath ?? occasion.cwd);
}

function isStop({ on }: ReactionTrigger): boolean {
  return on === "Stop" || on === "SubagentStop";
}

/** An agent without a type writes compaction summaries: no rules apply to it. */
function isOwnAgent({ on, agentType }: ReactionTrigger): boolean {
  return on === "SubagentStop" && agentType === null;
}

function blocked(
  rule: ReactionRule,
  occasion: ReactionTrigger,
  most: number,
  reason: () => string,
  chains: StopChains,
): Outcome {
  if (!chains.mayBlock(occasion, rule.id, most)) return null;
  chains.countBlock(occasion, rule.id);
  return { say: { type: "block", text: reason() }, failure: null };
}

const MAX_OUTPUT_CHARS = 4_000;
/** Exit codes of sh: the command was not found or is not executable. */
const NOT_RUN = new Set([126, 127]);

async function answerByCommand(
  action: CommandAction,
  rule: ReactionRule,
  occasion: ReactionTrigger,
  { env, signal, chains }: Pick<ReactionAnswerOptions, "env"> & { signal: AbortSignal; chains: StopChains },
): Promise<Outcome> {
  const isBlocking = action.answer === "block_on_failure";
  if (isBlocking && isStop(occasion) && !chains.mayBlock(occasion, rule.id, action.most)) return null;
  const timeoutMs = rule.timeoutSeconds * 1_000;
  const ended = await runCommand(action, occasion, { env, timeoutMs, signal });
  const failure = failureText(ended, "the command");
  if (isBlocking && ended.type === "ended" && ended.code !== 0 && !NOT_RUN.has(ended.code)) {
    const printed = [ended.stdout.trim(), ended.stderr.trim()].filter((text) => text !== "").join("\n");
    const head = `The command of the rule ${rule.id} ended with ${ended.code}.`;
    const text = printed === "" ? head : `${head}\n${tailOf(printed)}`;
    if (!isStop(occasion)) return { say: { type: "deny", text }, failure: null };
    return blocked(rule, occasion, action.most, () => text, chains);
  }
  if (failure !== null || ended.type !== "ended") return { say: null, failure };
  const text = ended.stdout.trim();
  if (isBlocking || text === "") return { say: null, failure: null };
  return { say: { type: action.answer === "message" ? "message" : "context", text }, failure: null };
}

/** Keeps the end, which says how it ended. */
function tailOf(text: string): string {
  return text.length <= MAX_OUTPUT_CHARS ? text : `[…]\n${text.slice(-MAX_OUTPUT_CHARS)}`.toWellFormed();
}
