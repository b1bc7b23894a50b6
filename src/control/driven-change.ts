import type { DrivenInput, Effect } from "./driven-input.ts";
import type { Driven } from "./driven-state.ts";
import type { EnvelopeBody } from "./envelope.ts";

export interface Step {
  readonly state: Driven;
  readonly envelopes: readonly EnvelopeBody[];
  readonly effects: readonly Effect[];
}

/** What a step changes; what is missing stays or is empty. */
export interface Change {
  readonly state?: Partial<Driven>;
  readonly envelopes?: readonly EnvelopeBody[];
  readonly effects?: readonly Effect[];
}

export type Steps<Types extends DrivenInput["type"]> = {
  readonly [Type in Types]: (driven: Driven, input: Extract<DrivenInput, { readonly type: Type }>) => Change;
};
