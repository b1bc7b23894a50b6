import { isDeepStrictEqual } from "node:util";
import type { Change, Steps } from "./driven-change.ts";
import type { AgentInput, AgentResult } from "./driven-input.ts";
import type { Driven } from "./driven-state.ts";
import type { EnvelopeBody } from "./envelope.ts";
import { outcomeOf } from "./outcome.ts";
import { sumUsage, turnCost } from "./turn-cost.ts";

/** What the agent's messages change. */
export const agentSteps: Steps<AgentInput["type"]> = {
  // It comes with every turn; told once, and again when something in it is new.
  init: (driven, init) => {
    // A message that was on its way when the session was stopped.
    const effects = driven.stopping ? ([{ type: "interrupt", dropQueued: true }] as const) : [];
    if (isDeepStrictEqual(init, driven.init)) return { effects };
    return { state: { init, model: init.model ?? driven.model }, envelopes: [init], effects };
  },

  activity: (driven, { busy }) => (busy ? { state: { busy: true } } : settleDown(driven)),

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
    const tasks = new Set(driven.tasks);
    if (task.what === "started") tasks.add(task.taskId);
    if (task.what === "ended") tasks.delete(task.taskId);
    return { state: { tasks }, envelopes: [task] };
  },

  delivery: (driven, { messageId, state }) => {
    if (!driven.messages.has(messageId)) return { state: { tellsDelivery: true } };
    const messages = new Map(driven.messages);
    if (state === "queued" || state === "started") messages.set(messageId, state);
    else messages.delete(messageId);
    const wasRead = driven.messages.get(messageId) === "started";
    const dropped = state === "cancelled" && !wasRead ? [toDropped(messageId)] : [];
    return { state: { messages, tellsDelivery: true }, envelopes: dropped };
  },

  "agent.mode": (driven, { mode }) => {
    if (mode === "plan") return driven.mode === "plan" ? {} : intoPlan(driven);
    if (mode !== "default") return { effects: [{ type: "agentMode", mode: sdkModeOf(driven.mode) }] };
    return {};
  },

  "agent.result": (driven, { result }) => {
    const cost = turnCost(driven.told, result);
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
        told: result.totals,
        totalCostUsd,
        usage: sumUsage(driven.usage, cost.usage),
        budgetSpent: overBudget || outcome === "max_budget",
        retrying: false,
        responding: false,
        partialText: "",
        // What was queued behind the stopped turn runs now.
        stopping: driven.stopping && messages.size === 0,
      },
      envelopes: [toResult(result, outcome, cost, totalCostUsd)],
    };
  },
};

/** The agent is never in a mode that decides for itself: all modes but plan are our gate's. */
export function sdkModeOf(mode: string): "default" | "plan" {
  return mode === "plan" ? "plan" : "default";
}

function settleDown(driven: Driven): Change {
  // A message that went out while the turn ended has not reached it: its turn comes.
  const onTheWay = [...driven.messages].filter(([, state]) => state === "sent");
  const busy = driven.tellsDelivery && onTheWay.length > 0;
  const background = [...driven.tools].filter(([, { parent }]) => parent !== null);
  return {
    state: {
      busy,
      stopping: false,
      retrying: false,
      responding: false,
      partialText: "",
      messages: new Map(busy ? onTheWay : []),
      // A call that was cut off tells no end; those of background agents go on.
      tools: new Map(background),
    },
  };
}

function toDropped(messageId: string): EnvelopeBody {
  const message = `The message ${messageId} was not read: the turn before it was stopped.`;
  return { type: "error", code: "message_dropped", message };
}

function intoPlan(driven: Driven): Change {
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
