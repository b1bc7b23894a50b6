import { AppError } from "../app-error.ts";
import { compareVersions } from "../compare-versions.ts";
import type { HandoverRequest } from "../serve/contract.ts";

export interface HandoverState {
  readonly version: string;
  /** Long work in progress, as text. */
  readonly work: string | null;
  /** Driven sessions whose agents are working or waiting for an answer: they would end with the daemon. */
  readonly agents: number;
  readonly nowMs: number;
}

/**
 * Why a daemon refuses to hand over; null if it agrees. It refuses a caller that has stopped waiting (this
 * process was suspended with the request in its socket): handing over would leave no daemon running.
 */
export function handoverRefusal(request: HandoverRequest, state: HandoverState): AppError | null {
  if (request.untilMs < state.nowMs)
    return new AppError("handover_late", "the caller no longer waits for an answer");
  const order = compareVersions(request.version, state.version);
  if (order < 0 || (order === 0 && !request.restart)) {
    return new AppError(
      "handover_refused",
      `hookline ${state.version} runs, and ${request.version} is not newer; \`hookline down\` stops it`,
    );
  }
  if (state.work !== null) {
    return new AppError(
      "busy_with_work",
      `hookline ${state.version} is busy with ${state.work}; \`hookline up --wait\` waits for its end`,
    );
  }
  if (state.agents > 0) {
    const sessions =
      state.agents === 1 ? "1 driven session that is" : `${state.agents} driven sessions that are`;
    return new AppError(
      "busy_with_work",
      `hookline ${state.version} has ${sessions} not idle; \`hookline up --wait\` waits until then, \`hookline down\` ends them`,
    );
  }
  return null;
}

/** Throws the refusal; logs the decision either way. */
export function acceptHandover(
  request: HandoverRequest,
  state: HandoverState,
  log: (message: string) => void,
): void {
  const refusal = handoverRefusal(request, state);
  if (refusal === null) log(`handing over to hookline ${request.version}`);
  else {
    log(`not handing over to hookline ${request.version}: ${refusal.message}`);
    throw refusal;
  }
}
