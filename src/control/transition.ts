import type { Change, Step, Steps } from "./driven-change.ts";
import type { DrivenInput } from "./driven-input.ts";
import { type Driven, stateOf } from "./driven-state.ts";
import { agentSteps } from "./step-agent.ts";
import { commandSteps } from "./step-command.ts";
import { requestSteps } from "./step-request.ts";

const STEPS: Steps<DrivenInput["type"]> = { ...agentSteps, ...commandSteps, ...requestSteps };

/**
 * One thing that happened, folded into a session. Pure: no clock, no I/O, no throw. A session that is closed stays
 * as it is. The state is told whenever it has become another.
 */
export function step(driven: Driven, input: DrivenInput): Step {
  if (driven.life === "closed") return { state: driven, envelopes: [], effects: [] };
  const take = STEPS[input.type] as (driven: Driven, input: DrivenInput) => Change;
  const change = take(driven, input);
  const next: Driven = { ...driven, ...change.state };
  const state = stateOf(next);
  const told = state === next.toldState ? [] : [{ type: "state", state, why: next.why } as const];
  return {
    state: { ...next, toldState: state },
    envelopes: [...(change.envelopes ?? []), ...told],
    effects: change.effects ?? [],
  };
}
