import type { HookAsk, HookReply } from "../../agents/answer-format.ts";
import { needsAnswer, type ReactionRule } from "../../policy/reaction-rules.ts";
import { realWorld } from "../real-world.ts";
import { createCallLedger, type LedgerOptions } from "./call-ledger.ts";
import { fillText } from "./fill-text.ts";
import { mergeAnswers, type Say } from "./merge-answers.ts";
import { fromAsk, type Occasion } from "./occasion.ts";
import { createReactionRecord, type RecordOptions } from "./record-reaction.ts";
import { holds, isAbout } from "./rule-fits.ts";
import { type CommandAction, runCommand } from "./run-command.ts";
import { failureOf } from "./run-program.ts";
import { addSessionEnv } from "./session-env.ts";
import { createStopChains, type StopChains } from "./stop-chains.ts";
import { createTurns } from "./work-queue.ts";

export interface AnswerOptions extends LedgerOptions, RecordOptions {
  readonly rules: (projectPath: string | null) => readonly ReactionRule[];
  readonly projectOf: (cwd: string | null) => string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a machine wrote a prompt: no rule is about it. */
  readonly isMachine: (prompt: string) => boolean;
}

export interface AskedHow {
  /** The file whose lines become the session's environment, at SessionStart. */
  readonly envFile?: string | null;
  /** A reaction's command started the session. */
  readonly isOwn?: boolean;
  /** The hook is gone. */
  readonly signal?: AbortSignal;
}

export interface ReactionAnswers {
  /** What is said to a hook that waits; null: nothing. */
  answerReaction(ask: HookAsk | null, how: AskedHow): Promise<HookReply | null>;
  /** Ends the commands that run. */
  close(): void;
}

/** What a rule did: what it says, and what went wrong. Null: it had no part in it. */
type Outcome = { readonly say: Say | null; readonly failure: string | null } | null;

/** Rules that a session waits for: one after the other, in their order, their answers made one. */
export function answerReactions(options: AnswerOptions): ReactionAnswers {
  const ledger = createCallLedger(options);
  const world = realWorld(options.env);
  const chains = createStopChains();
  const record = createReactionRecord(options);
  const inTurn = createTurns();
  const ending = new AbortController();

  const ask = async (
    rule: ReactionRule,
    occasion: Occasion,
    envFile: string | null,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    if (!isAbout(rule, occasion, world) || !(await holds(rule, occasion, ledger, world))) return null;
    const { do: action } = rule;
    switch (action.type) {
      case "context":
        return { say: { type: "context", text: fillText(action.text, occasion) }, failure: null };
      case "deny":
        return { say: { type: "deny", text: fillText(action.reason, occasion) }, failure: null };
      case "block":
        return blocked(rule, occasion, action.most, () => fillText(action.reason, occasion), chains);
      case "env": {
        const set = Object.fromEntries(
          Object.entries(action.set).map(([name, value]) => [name, fillText(value, occasion)]),
        );
        const why = envFile === null ? "the hook named no environment file" : addSessionEnv(envFile, set);
        return { say: null, failure: why };
      }
      case "command":
        return inTurn(laneOf(occasion), () =>
          byCommand(action, rule, occasion, { ...options, signal, chains }),
        );
      default:
        return null;
    }
  };

  return {
    async answerReaction(asked, { envFile = null, isOwn = false, signal }) {
      const occasion = fromAsk(asked, options, options.nowMs());
      if (occasion === null || isOwnAgent(occasion)) return null;
      const { projectPath, cwd } = occasion;
      const occurredAtIso = new Date(options.nowMs()).toISOString();
      if (!options.mayRecord({ projectPath, cwd, occurredAtIso })) return null;
      if (isStop(occasion)) chains.begin(occasion);
      const until = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
      const says: Say[] = [];
      for (const rule of options.rules(projectPath)) {
        if (!needsAnswer(rule) || (isOwn && rule.do.type === "command")) continue;
        const outcome = await ask(rule, occasion, envFile, until).catch(
          (error: unknown): Outcome => ({ say: null, failure: (error as Error).message }),
        );
        // Nobody hears it any more.
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

/** Two commands after edits in one project may write the same files; what ends a turn may take long. */
function laneOf(occasion: Occasion): string | null {
  return isStop(occasion) ? null : (occasion.projectPath ?? occasion.cwd);
}

function isStop({ on }: Occasion): boolean {
  return on === "Stop" || on === "SubagentStop";
}

/** The agent without a type writes the summary of a compaction: nobody's rules are about it. */
function isOwnAgent({ on, agentType }: Occasion): boolean {
  return on === "SubagentStop" && agentType === null;
}

function blocked(
  rule: ReactionRule,
  occasion: Occasion,
  most: number,
  reason: () => string,
  chains: StopChains,
): Outcome {
  if (!chains.mayBlock(occasion, rule.id, most)) return null;
  chains.count(occasion, rule.id);
  return { say: { type: "block", text: reason() }, failure: null };
}

const MOST_OUTPUT = 4_000;
/** sh's own: the command is not there, or is none. */
const NOT_RUN = new Set([126, 127]);

async function byCommand(
  action: CommandAction,
  rule: ReactionRule,
  occasion: Occasion,
  { env, signal, chains }: Pick<AnswerOptions, "env"> & { signal: AbortSignal; chains: StopChains },
): Promise<Outcome> {
  const isBlocking = action.answer === "block_on_failure";
  if (isBlocking && isStop(occasion) && !chains.mayBlock(occasion, rule.id, action.most)) return null;
  const timeoutMs = rule.timeoutSeconds * 1_000;
  const ended = await runCommand(action, occasion, { env, timeoutMs, signal });
  const failure = failureOf(ended, "the command");
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

/** How it ended is said last. */
function tailOf(text: string): string {
  return text.length <= MOST_OUTPUT ? text : `[…]\n${text.slice(-MOST_OUTPUT)}`.toWellFormed();
}
