import { createAgentLink } from "./agent-link.ts";
import type { ClaudeProcesses, SdkLog } from "./control-ports.ts";
import type { DrivenInput } from "./driven-input.ts";
import { createDriven, type Driven, type DrivenStart, isOver } from "./driven-state.ts";
import type { EnvelopeBody } from "./envelope.ts";
import { createPendingReplies } from "./pending-replies.ts";
import { createEffectRunner } from "./run-effects.ts";
import type { SessionSetup } from "./session-options.ts";
import { createSessionRules, type SessionRules } from "./session-rules.ts";
import { type AgentParts, type AgentSession, startAgent } from "./start-agent.ts";
import { step } from "./transition.ts";

export interface SessionParts extends AgentParts {
  readonly processes: ClaudeProcesses;
  readonly log: SdkLog | null;
  readonly onEnvelopes: (bodies: readonly EnvelopeBody[]) => void;
}

export interface SessionDriver {
  state(): Driven;
  pid(): number | null;
  readonly rules: SessionRules;
  /** Applies an input and runs the resulting effects. */
  dispatch(input: DrivenInput): void;
  /** Starts the agent; resolves when its process was requested. `exit` is dispatched at its end. */
  start(setup: SessionSetup): Promise<void>;
  /** Restores files to their state at that message. */
  rewind(messageId: string, dryRun: boolean): Promise<RewindResult>;
}

interface RewindResult {
  readonly ok: boolean;
  readonly files: readonly string[];
  readonly message: string | null;
}

/** Connects the SDK to the transition function, which makes all decisions. */
export function createSessionDriver(initial: DrivenStart, parts: SessionParts): SessionDriver {
  const replies = createPendingReplies();
  const rules = createSessionRules();
  let driven = createDriven(initial);
  let sessionId = "";
  const state = (): Driven => driven;
  const log = (direction: "input" | "output", data: unknown): void =>
    parts.log?.write(sessionId, direction, data);

  function dispatch(input: DrivenInput): void {
    const { state: next, envelopes, effects } = step(driven, input);
    driven = next;
    if (envelopes.length > 0) parts.onEnvelopes(envelopes);
    for (const effect of effects) runEffect(effect);
  }

  const agent = createAgentLink({
    processes: parts.processes,
    onFailure(what, error) {
      if (!isOver(driven)) dispatch({ type: "error", code: `${what}_failed`, message: messageOf(error) });
    },
  });
  const runEffect = createEffectRunner({ agent, replies, state, dispatch: dispatch, log });
  const session: AgentSession = {
    parts,
    agent,
    replies,
    rules,
    state,
    dispatch: dispatch,
    log,
    runEffect: runEffect,
  };

  return {
    state,
    pid: agent.pid,
    rules,
    dispatch: dispatch,
    start(setup) {
      sessionId = setup.sessionId;
      return startAgent(session, setup);
    },
    rewind: (messageId, dryRun) => rewindFiles(session, messageId, dryRun),
  };
}

async function rewindFiles(
  { agent, dispatch }: Pick<AgentSession, "agent" | "dispatch">,
  messageId: string,
  dryRun: boolean,
): Promise<RewindResult> {
  try {
    const done = await agent.rewind(messageId, dryRun);
    const [ok, files] = [done?.canRewind ?? false, done?.filesChanged ?? []];
    if (!dryRun) dispatch({ type: "rewind", messageId, files, ok });
    const message = done === undefined ? "The session has not started." : (done.error ?? null);
    return { ok, files, message };
  } catch (error) {
    return { ok: false, files: [], message: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
