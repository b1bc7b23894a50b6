import { contentHash, factId } from "../../src/event/ids.ts";
import { createSeededRandom } from "../bench/coding-history.ts";

export interface SessionSetup {
  /** Unique among the sessions; its ids derive from it. */
  readonly key: string;
  readonly project: string;
  readonly branch: string;
  readonly model: string;
  /** The agent's process; null when unknown. */
  readonly pid: number | null;
  readonly title?: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** What Claude Code writes beside a subagent's transcript. */
export interface AgentMeta {
  readonly agentType: string;
  readonly description: string;
  readonly toolUseId: string;
}

export type ScriptRecord = { readonly atMs: number; readonly agentId?: string } & (
  | { readonly hook: Fields }
  | { readonly line: Fields }
);

/** The records of one session and its subagents, with their shared clock, randomness and counters. */
export interface SessionScript {
  readonly setup: SessionSetup;
  readonly sessionId: string;
  readonly cwd: string;
  readonly records: readonly ScriptRecord[];
  readonly metas: Map<string, AgentMeta>;
  readonly random: () => number;
  nowMs(): number;
  wait(seconds: number): void;
  addHook(hook: Fields): void;
  addLine(line: Fields, agentId: string | undefined): void;
  /** Null before the first prompt. */
  promptId(): string | null;
  /** Advances to the next prompt and returns its number. */
  nextPrompt(): string;
  nextMessageId(): string;
  nextCallId(): string;
  nextAgentId(): string;
  /** Tokens of the session's own conversation so far. */
  context(): number;
  grow(tokens: number): void;
  model(): string;
  switchModel(to: string): void;
}

export function createSessionScript(setup: SessionSetup): SessionScript {
  const records: ScriptRecord[] = [];
  const metas = new Map<string, AgentMeta>();
  const state = {
    nowMs: 0,
    prompts: 0,
    calls: 0,
    messages: 0,
    agents: 0,
    context: 17_000,
    model: setup.model,
  };
  return {
    setup,
    sessionId: factId("demo", setup.key),
    cwd: `/home/dev/${setup.project}`,
    records,
    metas,
    random: createSeededRandom(Number.parseInt(contentHash(setup.key).slice(0, 8), 16)),
    nowMs: () => state.nowMs,
    wait(seconds) {
      state.nowMs += Math.round(seconds * 1_000);
    },
    addHook: (hook) => void records.push({ atMs: state.nowMs, hook }),
    addLine: (line, agentId) =>
      void records.push({ atMs: state.nowMs, ...(agentId !== undefined && { agentId }), line }),
    promptId: () => (state.prompts === 0 ? null : factId("demo", setup.key, "prompt", String(state.prompts))),
    nextPrompt: () => String(++state.prompts),
    nextMessageId: () => `msg_${contentHash(`${setup.key} ${state.messages++}`).slice(0, 22)}`,
    nextCallId: () => `toolu_${contentHash(`${setup.key} call ${state.calls++}`).slice(0, 22)}`,
    nextAgentId: () => contentHash(`${setup.key} agent ${state.agents++}`).slice(0, 17),
    context: () => state.context,
    grow(tokens) {
      state.context += tokens;
    },
    model: () => state.model,
    switchModel(to) {
      state.model = to;
    },
  };
}
