import type { Steps } from "./driven-change.ts";
import type { CommandInput, DriverInput } from "./driven-input.ts";
import { isOver } from "./driven-state.ts";
import { sdkModeOf } from "./step-agent.ts";
import { denial, settleAll } from "./step-request.ts";

/** What people ask of a session, and what its driver tells of the process. Refusals come before (refuse.ts). */
export const commandSteps: Steps<
  Exclude<CommandInput["type"], "answer"> | Exclude<DriverInput["type"], "decision" | "asked" | "withdrawn">
> = {
  registered: ({ mode }, { by }) => ({ envelopes: [{ type: "mode", mode, by }] }),

  opened: (driven) => (driven.life === "queued" ? { state: { life: "open", why: null } } : {}),

  baseline: (driven, { totals, inherited }) => {
    // Too late: a turn has told its totals.
    if (driven.told !== null) return {};
    // What we counted ourselves also holds what an agent that was killed could not save.
    const totalCostUsd = inherited ? driven.totalCostUsd : Math.max(driven.totalCostUsd, totals.costUsd);
    return { state: { told: totals, totalCostUsd } };
  },

  send: (driven, { message, interrupt }) => {
    const { messageId, text, images } = message;
    const stops = interrupt && driven.busy && driven.life === "open";
    return {
      state: {
        busy: true,
        messages: new Map(driven.messages).set(messageId, "sent"),
      },
      envelopes: [{ type: "user", text, messageId, images: images.length }],
      effects: [
        ...(stops ? ([{ type: "interrupt", dropQueued: false }] as const) : []),
        { type: "push", message },
      ],
    };
  },

  stop: (driven) => {
    if (driven.life !== "open" || driven.stopping) return {};
    const { state, envelopes } = settleAll(driven, "stopped");
    if (driven.busy) {
      // The requests of the turn end with it.
      const interrupt = { type: "interrupt", dropQueued: true } as const;
      return { state: { ...state, stopping: true }, envelopes, effects: [interrupt] };
    }
    const denied = [...driven.pending.keys()].map((requestId) => denial(requestId, "The user stopped it."));
    const stopped = [...driven.tasks].map((taskId) => ({ type: "stopTask", taskId }) as const);
    return { state, envelopes, effects: [...denied, ...stopped] };
  },

  stuck: (driven) => (driven.stopping ? { effects: [{ type: "kill" }] } : {}),

  close: (driven, { why }) => {
    if (isOver(driven)) return {};
    const settled = settleAll(driven, "ended");
    const queued = driven.life === "queued";
    return {
      state: {
        ...settled.state,
        life: queued ? "closed" : "ending",
        why,
        busy: false,
        messages: new Map(),
      },
      envelopes: settled.envelopes,
      effects: queued ? [] : [{ type: "end" }],
    };
  },

  exit: (driven, { error }) => {
    const settled = settleAll(driven, "ended");
    const unwanted = driven.life === "ending" ? null : error;
    return {
      state: {
        ...settled.state,
        life: "closed",
        why: driven.why ?? unwanted?.message ?? "the agent ended",
        busy: false,
        stopping: false,
        tools: new Map(),
        messages: new Map(),
        partialText: "",
      },
      envelopes: [
        ...(settled.envelopes ?? []),
        ...(unwanted === null ? [] : [{ type: "error" as const, ...unwanted }]),
      ],
    };
  },

  mode: (driven, { mode, by }) => {
    if (mode === driven.mode) return {};
    const [before, after] = [sdkModeOf(driven.mode), sdkModeOf(mode)];
    return {
      state: { mode, modeBeforePlan: mode === "plan" ? driven.mode : mode },
      envelopes: [{ type: "mode", mode, by }],
      effects: before === after ? [] : [{ type: "agentMode", mode: after }],
    };
  },

  model: (_driven, { model }) => ({
    state: { model },
    envelopes: [{ type: "model", model }],
    effects: [{ type: "agentModel", model }],
  }),

  rewind: (_driven, rewind) => ({ envelopes: [rewind] }),

  error: (_driven, error) => ({ envelopes: [error] }),
};
