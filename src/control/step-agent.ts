import { isDeepStrictEqual } from "node:util";
import type { DrivenChange, Steps } from "./driven-change.ts";
import type { AgentInput, AgentResult } from "./driven-input.ts";
import type { Driven } from "./driven-state.ts";
import type { EnvelopeBody } from "./envelope.ts";
import { sumUsage, turnCost } from "./turn-cost.ts";
import { outcomeOf } from "./turn-outcome.ts";

/** Changes made by the agent's messages. */
export const agentSteps: Steps<AgentInput["type"]> = {
  // Sent with every turn; emitted once, and again when something in it changed.
  init: (driven, init) => {
    // A message that was in transit when the session was stopped.
    const effects = driven.stopping ? ([{ type: "interrupt", dropQueued: true }] as const) : [];
    if (isDeepStrictEqual(init, driven.init)) return { effects };
    return { state: { init, model: init.model ?? driven.model }, envelopes: [init], effects };
  },

  activity: (driven, { busy }) => (busy ? { state: { busy: true } } : becomeIdle(driven)),

  answering: () => ({ state: { retrying: false, responding: false, partialText: "" } }),

  delta: (driven, { text }) => ({
    state: { responding: true, retrying: false, partialText: driven.partialText + text },
    envelopes: [{ type: "text.delta", text }],
  }),

  text: (_driven, text) => ({
    ...(text.parent === null && { state: { responding: false, partialText: "" } }),
    envelopes: [text],
  }),

  "tool.start": (driven, start) => {
    if (driven.tools.has(start.toolUseId)) return {};
    const tools = new Map(driven.tools).set(start.toolUseId, { tool: start.tool, parent: start.parent });
    return { state: { tools }, envelopes: [start] };
  },

  "tool.end": (driven, end) => {
    const known = driven.tools.get(end.toolUseId);
    if (known === undefined) return {};
    const tools = new Map(driven.tools);
    tools.delete(end.toolUseId);
    return {
      state: { tools },
      envelopes: [{ ...end, tool: known.tool, parent: end.parent ?? known.parent }],
    };
  },

  retry: (_driven, retry) => ({ state: { retrying: true }, envelopes: [retry] }),

  task: (driven, task) => {
    const { taskId } = task;
    const known = driven.tasks.get(taskId);
    // Tasks for which the agent does not report it, such as monitors, have no call that waits for them.
    const background = task.background ?? known?.background ?? true;
    const movedToBackground = known?.background === false && background && task.what !== "ended";
    const description = task.description ?? (movedToBackground ? known.description : null);
    const what = movedToBackground ? "started" : task.what;
    const tasks = new Map(driven.tasks);
    if (what === "ended") tasks.delete(taskId);
    else if (what === "started" || known !== undefined)
      tasks.set(taskId, { description: description ?? known?.description ?? null, background });
    return { state: { tasks }, envelopes: [{ ...task, what, description, background }] };
  },

  delivery: (driven, { messageId, state }) => {
    if (!driven.messages.has(messageId)) return { state: { reportsDelivery: true } };
    const messages = new Map(driven.messages);
    if (state === "queued" || state === "started") messages.set(messageId, state);
    else messages.delete(messageId);
    const wasRead = driven.messages.get(messageId) === "started";
    const dropped = state === "cancelled" && !wasRead ? [toDropped(messageId)] : [];
    return { state: { messages, reportsDelivery: true }, envelopes: dropped };
  },

  "agent.mode": (driven, { mode }) => {
    if (mode === "plan") return driven.mode === "plan" ? {} : enterPlanMode(driven);
    if (mode !== "default") return { effects: [{ type: "agentMode", mode: sdkModeOf(driven.mode) }] };
    return {};
  },

  "agent.result": (driven, { result }) => {
    const cost = turnCost(driven.reportedTotals, result);
    const outcome = outcomeOf(result);
    const messages = new Map(driven.messages);
    for (const id of result.messageIds) messages.delete(id);
    const totalCostUsd =
      cost.costUsd === null
        ? Math.max(driven.totalCostUsd, result.totals.costUsd)
        : driven.totalCostUsd + cost.costUsd;
    const overBudget = driven.maxBudgetUsd !== null && totalCostUsd >= driven.maxBudgetUsd;
    return {
      state: {
        messages,
        reportedTotals: result.totals,
        totalCostUsd,
        usage: sumUsage(driven.usage, cost.usage),
        budgetSpent: overBudget || outcome === "max_budget",
        retrying: false,
        responding: false,
        partialText: "",
        // Messages queued behind the stopped turn run now.
        stopping: driven.stopping && messages.size === 0,
      },
      envelopes: [toResult(result, outcome, cost, totalCostUsd)],
    };
  },
};

/** The agent is never in a mode that decides on its own: our gate implements all modes but plan. */
export function sdkModeOf(mode: string): "default" | "plan" {
  return mode === "plan" ? "plan" : "default";
}

function becomeIdle(driven: Driven): DrivenChange {
  // A message sent as the turn ended has not arrived yet: its turn follows.
  const inTransit = [...driven.messages].filter(([, state]) => state === "sent");
  const busy = driven.reportsDelivery && inTransit.length > 0;
  const background = [...driven.tools].filter(([, { parent }]) => parent !== null);
  return {
    state: {
      busy,
      stopping: false,
      retrying: false,
      responding: false,
      partialText: "",
      messages: new Map(busy ? inTransit : []),
      // A call that was cut off reports no end; those of background agents continue.
      tools: new Map(background),
    },
  };
}

function toDropped(messageId: string): EnvelopeBody {
  const message = `Message ${messageId} was not read because the turn before it was stopped.`;
  return { type: "error", code: "message_dropped", message };
}

function enterPlanMode(driven: Driven): DrivenChange {
  return {
    state: { mode: "plan", modeBeforePlan: driven.mode },
    envelopes: [{ type: "mode", mode: "plan", by: "agent" }],
  };
}

function toResult(
  result: AgentResult,
  outcome: ReturnType<typeof outcomeOf>,
  cost: ReturnType<typeof turnCost>,
  totalCostUsd: number,
): EnvelopeBody {
  const { apiStatus, message, durationMs, numTurns, denials, messageIds } = result;
  return {
    type: "result",
    ok: outcome === "completed",
    outcome,
    apiStatus,
    message,
    durationMs,
    numTurns,
    turnCostUsd: cost.costUsd,
    totalCostUsd,
    usage: cost.usage,
    modelUsage: { ...cost.models },
    denials: [...denials],
    messageIds: [...messageIds],
  };
}
