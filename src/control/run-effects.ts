import type { AgentLink } from "./agent-link.ts";
import type { DrivenInput, Effect, Reply } from "./driven-input.ts";
import type { Driven } from "./driven-state.ts";
import type { PendingReplies } from "./pending-replies.ts";
import { toUserMessage } from "./session-options.ts";
import { createStopTimeout, END_TIMEOUT_MS, runAfter } from "./stop-timeout.ts";

export interface EffectParts {
  readonly agent: AgentLink;
  readonly replies: PendingReplies;
  readonly state: () => Driven;
  readonly dispatch: (input: DrivenInput) => void;
  readonly log: (direction: "input" | "output", data: unknown) => void;
}

/** Runs the effects that a transition decided on. */
export function createEffectRunner({
  agent,
  replies,
  state,
  dispatch,
  log,
}: EffectParts): (effect: Effect) => void {
  const watchStop = createStopTimeout({
    state,
    onIgnored: () => replies.replyToAll(STOPPED),
    onStuck: () => dispatch({ type: "stuck" }),
  });
  const kill = (): void => {
    if (state().lifecycle !== "closed") void agent.killTree();
  };
  const effects: {
    readonly [Type in Effect["type"]]: (effect: Extract<Effect, { readonly type: Type }>) => void;
  } = {
    push({ message }) {
      const userMessage = toUserMessage(message);
      log("input", userMessage);
      agent.input.push(userMessage);
    },
    interrupt({ dropQueued }) {
      agent.interrupt(dropQueued);
      if (dropQueued) watchStop();
    },
    agentMode: ({ mode }) => agent.setMode(mode),
    agentModel: ({ model }) => agent.setModel(model),
    stopTask: ({ taskId }) => agent.stopTask(taskId),
    reply: ({ requestId, reply }) => replies.reply(requestId, reply),
    end() {
      agent.end();
      runAfter(END_TIMEOUT_MS, kill);
    },
    kill,
  };
  return (effect) => {
    const run = effects[effect.type] as (effect: Effect) => void;
    run(effect);
  };
}

const STOPPED: Reply = { behavior: "deny", message: "The turn was stopped.", interrupt: true };
