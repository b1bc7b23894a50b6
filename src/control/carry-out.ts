import type { AgentLink } from "./agent-link.ts";
import type { DrivenInput, Effect, Reply } from "./driven-input.ts";
import type { Driven } from "./driven-state.ts";
import type { OpenReplies } from "./open-replies.ts";
import { toUserMessage } from "./session-options.ts";
import { createStopPatience, ENDS_MS, later } from "./stop-patience.ts";

export interface EffectParts {
  readonly agent: AgentLink;
  readonly replies: OpenReplies;
  readonly state: () => Driven;
  readonly take: (input: DrivenInput) => void;
  readonly log: (direction: "input" | "output", data: unknown) => void;
}

/** Does what a transition decided. */
export function createEffects({ agent, replies, state, take, log }: EffectParts): (effect: Effect) => void {
  const watchStop = createStopPatience({
    state,
    onIgnored: () => replies.replyToAll(STOPPED),
    onStuck: () => take({ type: "stuck" }),
  });
  const kill = (): void => {
    if (state().life !== "closed") void agent.killTree();
  };
  const effects: {
    readonly [Type in Effect["type"]]: (effect: Extract<Effect, { readonly type: Type }>) => void;
  } = {
    push({ message }) {
      const said = toUserMessage(message);
      log("input", said);
      agent.input.push(said);
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
      later(ENDS_MS, kill);
    },
    kill,
  };
  return (effect) => {
    const act = effects[effect.type] as (effect: Effect) => void;
    act(effect);
  };
}

const STOPPED: Reply = { behavior: "deny", message: "The turn was stopped.", interrupt: true };
