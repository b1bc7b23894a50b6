import type { Steps } from "./driven-change.ts";
import type { CommandInput, DriverInput } from "./driven-input.ts";
import { backgroundTaskIds, isOver } from "./driven-state.ts";
import { sdkModeOf } from "./step-agent.ts";
import { denyEffect, settleAll } from "./step-request.ts";

/** Commands of people, and the driver's process events. Refusals happen before, in find-session.ts. */
export const commandSteps: Steps<
  Exclude<CommandInput["type"], "answer"> | Exclude<DriverInput["type"], "decision" | "asked" | "withdrawn">
> = {
  registered: ({ mode }, { by }) => ({ envelopes: [{ type: "mode", mode, by }] }),

  opened: (driven) => (driven.lifecycle === "queued" ? { state: { lifecycle: "open", why: null } } : {}),

  baseline: (driven, { totals, inherited }) => {
    // Too late: a turn has reported its totals.
    if (driven.reportedTotals !== null) return {};
    // Our own count also includes what a killed agent could not save.
    const totalCostUsd = inherited ? driven.totalCostUsd : Math.max(driven.totalCostUsd, totals.costUsd);
    return { state: { reportedTotals: totals, totalCostUsd } };
  },

  send: (driven, { message, interrupt }) => {
    const { messageId, text, images, asksAgain } = message;
    const interruptsTurn = interrupt && driven.busy && driven.lifecycle === "open";
    return {
      state: {
        busy: true,
        messages: new Map(driven.messages).set(messageId, "sent"),
      },
      envelopes: [
        {
          ...{ type: "user", text, messageId, images: images.length },
          ...(asksAgain !== undefined && { asksAgain }),
        },
      ],
      effects: [
        ...(interruptsTurn ? ([{ type: "interrupt", dropQueued: false }] as const) : []),
        { type: "push", message },
      ],
    };
  },

  stop: (driven) => {
    if (driven.lifecycle !== "open" || driven.stopping) return {};
    const { state, envelopes } = settleAll(driven, "stopped");
    if (driven.busy) {
      // Pending requests end with their turn.
      const interrupt = { type: "interrupt", dropQueued: true } as const;
      return { state: { ...state, stopping: true }, envelopes, effects: [interrupt] };
    }
    const denied = [...driven.pending.keys()].map((requestId) =>
      denyEffect(requestId, "The user stopped it."),
    );
    const stopped = backgroundTaskIds(driven).map((taskId) => ({ type: "stopTask", taskId }) as const);
    return { state, envelopes, effects: [...denied, ...stopped] };
  },

  stuck: (driven) => (driven.stopping ? { effects: [{ type: "kill" }] } : {}),

  close: (driven, { why }) => {
    if (isOver(driven)) return {};
    const settled = settleAll(driven, "ended");
    const queued = driven.lifecycle === "queued";
    return {
      state: {
        ...settled.state,
        lifecycle: queued ? "closed" : "ending",
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
    const unexpectedError = driven.lifecycle === "ending" ? null : error;
    return {
      state: {
        ...settled.state,
        lifecycle: "closed",
        why: driven.why ?? unexpectedError?.message ?? "the agent ended",
        busy: false,
        stopping: false,
        tools: new Map(),
        messages: new Map(),
        partialText: "",
      },
      envelopes: [
        ...(settled.envelopes ?? []),
        ...(unexpectedError === null ? [] : [{ type: "error" as const, ...unexpectedError }]),
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
