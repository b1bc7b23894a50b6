import type { DrivenChange, StepResult, Steps } from "./driven-change.ts";
import type { DrivenInput } from "./driven-input.ts";
import { type Driven, stateOf } from "./driven-state.ts";
import { agentSteps } from "./step-agent.ts";
import { commandSteps } from "./step-command.ts";
import { requestSteps } from "./step-request.ts";

const STEPS: Steps<DrivenInput["type"]> = { ...agentSteps, ...commandSteps, ...requestSteps };

/**
 * Folds one input into a session. Pure: no clock, no I/O, no throw. A closed session never changes. The state
 * is emitted whenever it changes.
 */
export function step(driven: Driven, input: DrivenInput): StepResult {
  if (driven.lifecycle === "closed") return { state: driven, envelopes: [], effects: [] };
  const applyStep = STEPS[input.type] as (driven: Driven, input: DrivenInput) => DrivenChange;
  const change = applyStep(driven, input);
  const next: Driven = { ...driven, ...change.state };
  const state = stateOf(next);
  const stateEnvelopes =
    state === next.emittedState ? [] : [{ type: "state", state, why: next.why } as const];
  return {
    state: { ...next, emittedState: state },
    envelopes: [...(change.envelopes ?? []), ...stateEnvelopes],
    effects: change.effects ?? [],
  };
}
