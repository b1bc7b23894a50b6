import type { DrivenRequest, Totals } from "./driven-input.ts";
import type { DrivenState, EnvelopeBody, TokenUsage } from "./envelope.ts";
import { NO_USAGE } from "./turn-cost.ts";

/** Everything known about a driven session. Its `DrivenState` is derived from this, never stored itself. */
export interface Driven {
  readonly lifecycle: "queued" | "open" | "ending" | "closed";
  readonly mode: string;
  /** The mode to return to when a plan is approved. */
  readonly modeBeforePlan: string;
  readonly model: string | null;
  readonly init: Extract<EnvelopeBody, { readonly type: "init" }> | null;
  /** From a message or the agent's own report until the agent reports that it is idle. */
  readonly busy: boolean;
  readonly stopping: boolean;
  readonly retrying: boolean;
  /** Text of the answer being streamed. */
  readonly partialText: string;
  readonly responding: boolean;
  readonly tools: ReadonlyMap<string, { readonly tool: string; readonly parent: string | null }>;
  readonly tasks: ReadonlyMap<string, Task>;
  readonly pending: ReadonlyMap<string, DrivenRequest>;
  readonly settled: ReadonlySet<string>;
  /** Messages that no result has named yet, and their delivery status. */
  readonly messages: ReadonlyMap<string, "sent" | "queued" | "started">;
  readonly reportsDelivery: boolean;
  /** The totals that the agent last reported; null: it had some before us and did not report them. */
  readonly reportedTotals: Totals | null;
  readonly totalCostUsd: number;
  readonly usage: TokenUsage;
  readonly maxBudgetUsd: number | null;
  readonly budgetSpent: boolean;
  /** Details of the state: why it is queued or why it ended. */
  readonly why: string | null;
  /** The state emitted last; null before the first. */
  readonly emittedState: DrivenState | null;
}

export interface Task {
  readonly description: string | null;
  /** False: the call that started it waits for it. */
  readonly background: boolean;
}

export interface DrivenStart {
  readonly mode: string;
  readonly model?: string | null;
  /** Why it cannot start yet. */
  readonly queuedReason?: string | null;
  readonly maxBudgetUsd?: number | null;
  /** Carried over from the previous process, for a resumed session. */
  readonly totalCostUsd?: number;
  readonly usage?: TokenUsage;
  readonly reportedTotals?: Totals | null;
  /** Requests of earlier processes: their ids are not settled again. */
  readonly settled?: ReadonlySet<string>;
}

const NOTHING_SPENT: Totals = { costUsd: 0, models: {} };

export function createDriven(initial: DrivenStart): Driven {
  const {
    mode,
    model = null,
    queuedReason = null,
    maxBudgetUsd = null,
    reportedTotals = NOTHING_SPENT,
  } = initial;
  const { totalCostUsd = 0, usage = NO_USAGE, settled = new Set() } = initial;
  return {
    lifecycle: queuedReason === null ? "open" : "queued",
    mode,
    modeBeforePlan: mode === "plan" ? "default" : mode,
    model,
    init: null,
    busy: false,
    stopping: false,
    retrying: false,
    partialText: "",
    responding: false,
    tools: new Map(),
    tasks: new Map(),
    pending: new Map(),
    settled,
    messages: new Map(),
    reportsDelivery: false,
    reportedTotals,
    totalCostUsd,
    usage,
    maxBudgetUsd,
    budgetSpent: maxBudgetUsd !== null && totalCostUsd >= maxBudgetUsd,
    why: queuedReason,
    emittedState: null,
  };
}

/** Pending requests take precedence: a background agent may wait for a person while the main one is idle. */
export function stateOf(driven: Driven): DrivenState {
  if (driven.lifecycle === "closed") return "closed";
  if (driven.lifecycle === "ending") return "stopping";
  if (driven.lifecycle === "queued") return "queued";
  if (driven.stopping) return "stopping";
  const [waiting] = driven.pending.values();
  if (waiting !== undefined) return waiting.kind === "question" ? "awaiting_answer" : "awaiting_permission";
  if (!driven.busy) return "idle";
  if (driven.retrying) return "retrying";
  if (driven.responding) return "responding";
  return driven.tools.size > 0 ? "tool" : "thinking";
}

export function backgroundTaskIds({ tasks }: Driven): string[] {
  return [...tasks].filter(([, { background }]) => background).map(([taskId]) => taskId);
}

export function isOver({ lifecycle }: Driven): boolean {
  return lifecycle === "ending" || lifecycle === "closed";
}
