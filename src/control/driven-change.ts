import type { DrivenInput, Effect } from "./driven-input.ts";
import type { Driven } from "./driven-state.ts";
import type { EnvelopeBody } from "./envelope.ts";

export interface StepResult {
  readonly state: Driven;
  readonly envelopes: readonly EnvelopeBody[];
  readonly effects: readonly Effect[];
}

/** Changes made by a step; missing fields stay unchanged or empty. */
export interface DrivenChange {
  readonly state?: Partial<Driven>;
  readonly envelopes?: readonly EnvelopeBody[];
  readonly effects?: readonly Effect[];
}

export type Steps<Types extends DrivenInput["type"]> = {
  readonly [Type in Types]: (
    driven: Driven,
    input: Extract<DrivenInput, { readonly type: Type }>,
  ) => DrivenChange;
};
