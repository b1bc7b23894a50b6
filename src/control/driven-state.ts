import type { AskedRequest, Totals } from "./driven-input.ts";
import type { DrivenState, EnvelopeBody, TokenUsage } from "./envelope.ts";
import { NO_USAGE } from "./turn-cost.ts";

/** All that is known of a driven session. Its `DrivenState` is derived from this, never stored by hand. */
export interface Driven {
  readonly life: "queued" | "open" | "ending" | "closed";
  readonly mode: string;
  /** The mode to go back to when a plan is approved. */
  readonly modeBeforePlan: string;
  readonly model: string | null;
  readonly init: Extract<EnvelopeBody, { readonly type: "init" }> | null;
  /** From a message or the agent's own word until its word that it is idle. */
  readonly busy: boolean;
  readonly stopping: boolean;
  readonly retrying: boolean;
  /** Text of the answer that is being written. */
  readonly partialText: string;
  readonly responding: boolean;
  readonly tools: ReadonlyMap<string, { readonly tool: string; readonly parent: string | null }>;
  /** In the background. */
  readonly tasks: ReadonlySet<string>;
  readonly pending: ReadonlyMap<string, AskedRequest>;
  readonly settled: ReadonlySet<string>;
  /** Messages that no result has named yet, and how far they are known to have come. */
  readonly messages: ReadonlyMap<string, "sent" | "queued" | "started">;
  readonly tellsDelivery: boolean;
  /** What the agent last told as its totals; null: it had some before us and did not tell. */
  readonly told: Totals | null;
  readonly totalCostUsd: number;
  readonly usage: TokenUsage;
  readonly maxBudgetUsd: number | null;
  readonly budgetSpent: boolean;
  /** Of the state: why it waits for a place, or why it is over. */
  readonly why: string | null;
  /** The state that was told last; null before the first. */
  readonly toldState: DrivenState | null;
}

export interface DrivenBeginning {
  readonly mode: string;
  readonly model?: string | null;
  /** Why it cannot begin yet. */
  readonly queued?: string | null;
  readonly maxBudgetUsd?: number | null;
  /** Of the life before, for a resumed session. */
  readonly totalCostUsd?: number;
  readonly usage?: TokenUsage;
  readonly told?: Totals | null;
  /** Requests of earlier lives: their ids do not settle again. */
  readonly settled?: ReadonlySet<string>;
}

const NOTHING_SPENT: Totals = { costUsd: 0, models: {} };

export function createDriven(beginning: DrivenBeginning): Driven {
  const { mode, model = null, queued = null, maxBudgetUsd = null, told = NOTHING_SPENT } = beginning;
  const { totalCostUsd = 0, usage = NO_USAGE, settled = new Set() } = beginning;
  return {
    life: queued === null ? "open" : "queued",
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
    tasks: new Set(),
    pending: new Map(),
    settled,
    messages: new Map(),
    tellsDelivery: false,
    told,
    totalCostUsd,
    usage,
    maxBudgetUsd,
    budgetSpent: maxBudgetUsd !== null && totalCostUsd >= maxBudgetUsd,
    why: queued,
    toldState: null,
  };
}

/** A background agent may wait for a person while the main one is idle: what waits comes first. */
export function stateOf(driven: Driven): DrivenState {
  if (driven.life === "closed") return "closed";
  if (driven.life === "ending") return "stopping";
  if (driven.life === "queued") return "queued";
  if (driven.stopping) return "stopping";
  const [waiting] = driven.pending.values();
  if (waiting !== undefined) return waiting.kind === "question" ? "awaiting_answer" : "awaiting_permission";
  if (!driven.busy) return "idle";
  if (driven.retrying) return "retrying";
  if (driven.responding) return "responding";
  return driven.tools.size > 0 ? "tool" : "thinking";
}

export function isOver({ life }: Driven): boolean {
  return life === "ending" || life === "closed";
}
