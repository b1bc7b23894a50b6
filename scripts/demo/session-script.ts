import { contentHash, factId } from "../../src/event/ids.ts";
import { seeded } from "../bench/coding-history.ts";

export interface Desk {
  /** Names the session among the others; its ids follow from it. */
  readonly key: string;
  readonly project: string;
  readonly branch: string;
  readonly model: string;
  /** The agent's process; null for one that nobody knows. */
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

export type Told = { readonly atMs: number; readonly agentId?: string } & (
  | { readonly hook: Fields }
  | { readonly line: Fields }
);

/** What is written down of one session and its subagents, with their common clock, chance and numbers. */
export interface SessionScript {
  readonly desk: Desk;
  readonly sessionId: string;
  readonly cwd: string;
  readonly told: readonly Told[];
  readonly metas: Map<string, AgentMeta>;
  readonly random: () => number;
  nowMs(): number;
  rest(seconds: number): void;
  addHook(hook: Fields): void;
  addLine(line: Fields, agentId: string | undefined): void;
  /** Null before the first. */
  promptId(): string | null;
  /** The next prompt, by its number. */
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

export function createSessionScript(desk: Desk): SessionScript {
  const told: Told[] = [];
  const metas = new Map<string, AgentMeta>();
  const state = {
    nowMs: 0,
    prompts: 0,
    calls: 0,
    messages: 0,
    agents: 0,
    context: 17_000,
    model: desk.model,
  };
  return {
    desk,
    sessionId: factId("demo", desk.key),
    cwd: `/home/dev/${desk.project}`,
    told,
    metas,
    random: seeded(Number.parseInt(contentHash(desk.key).slice(0, 8), 16)),
    nowMs: () => state.nowMs,
    rest(seconds) {
      state.nowMs += Math.round(seconds * 1_000);
    },
    addHook: (hook) => void told.push({ atMs: state.nowMs, hook }),
    addLine: (line, agentId) =>
      void told.push({ atMs: state.nowMs, ...(agentId !== undefined && { agentId }), line }),
    promptId: () => (state.prompts === 0 ? null : factId("demo", desk.key, "prompt", String(state.prompts))),
    nextPrompt: () => String(++state.prompts),
    nextMessageId: () => `msg_${contentHash(`${desk.key} ${state.messages++}`).slice(0, 22)}`,
    nextCallId: () => `toolu_${contentHash(`${desk.key} call ${state.calls++}`).slice(0, 22)}`,
    nextAgentId: () => contentHash(`${desk.key} agent ${state.agents++}`).slice(0, 17),
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
