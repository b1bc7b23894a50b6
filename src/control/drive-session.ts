import { createAgentLink } from "./agent-link.ts";
import { createEffects } from "./carry-out.ts";
import type { ClaudeProcesses, SdkLog } from "./control-ports.ts";
import type { DrivenInput } from "./driven-input.ts";
import { createDriven, type Driven, type DrivenBeginning, isOver } from "./driven-state.ts";
import type { EnvelopeBody } from "./envelope.ts";
import { type AgentParts, type AgentSession, openAgent } from "./open-agent.ts";
import { createOpenReplies } from "./open-replies.ts";
import type { SessionSetup } from "./session-options.ts";
import { createSessionRules, type SessionRules } from "./session-rules.ts";
import { step } from "./transition.ts";

export interface SessionParts extends AgentParts {
  readonly processes: ClaudeProcesses;
  readonly log: SdkLog | null;
  readonly onEnvelopes: (bodies: readonly EnvelopeBody[]) => void;
}

export interface DrivenSessionDriver {
  state(): Driven;
  pid(): number | null;
  readonly rules: SessionRules;
  /** Folds in what happened and does what follows from it. */
  take(input: DrivenInput): void;
  /** Starts the agent; answers when its process was asked for. `exit` is taken when it is gone. */
  open(setup: SessionSetup): Promise<void>;
  /** Takes files back to where that message found them. */
  rewind(messageId: string, dryRun: boolean): Promise<Rewound>;
}

interface Rewound {
  readonly ok: boolean;
  readonly files: readonly string[];
  readonly message: string | null;
}

/** Carries a session between the SDK and the transition: all that is decided is decided there. */
export function createSessionDriver(beginning: DrivenBeginning, parts: SessionParts): DrivenSessionDriver {
  const replies = createOpenReplies();
  const rules = createSessionRules();
  let driven = createDriven(beginning);
  let sessionId = "";
  const state = (): Driven => driven;
  const log = (direction: "input" | "output", data: unknown): void =>
    parts.log?.write(sessionId, direction, data);

  function take(happened: DrivenInput): void {
    const { state: next, envelopes, effects } = step(driven, happened);
    driven = next;
    if (envelopes.length > 0) parts.onEnvelopes(envelopes);
    for (const effect of effects) carryOut(effect);
  }

  const agent = createAgentLink({
    processes: parts.processes,
    onFailure(what, error) {
      if (!isOver(driven)) take({ type: "error", code: `${what}_failed`, message: messageOf(error) });
    },
  });
  const carryOut = createEffects({ agent, replies, state, take, log });
  const session: AgentSession = { parts, agent, replies, rules, state, take, log, carryOut };

  return {
    state,
    pid: agent.pid,
    rules,
    take,
    open(setup) {
      sessionId = setup.sessionId;
      return openAgent(session, setup);
    },
    rewind: (messageId, dryRun) => rewindFiles(session, messageId, dryRun),
  };
}

async function rewindFiles(
  { agent, take }: Pick<AgentSession, "agent" | "take">,
  messageId: string,
  dryRun: boolean,
): Promise<Rewound> {
  try {
    const done = await agent.rewind(messageId, dryRun);
    const [ok, files] = [done?.canRewind ?? false, done?.filesChanged ?? []];
    if (!dryRun) take({ type: "rewind", messageId, files, ok });
    const message = done === undefined ? "The session has not begun." : (done.error ?? null);
    return { ok, files, message };
  } catch (error) {
    return { ok: false, files: [], message: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
