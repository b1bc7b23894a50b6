import { AppError } from "../app-error.ts";
import { compareVersions } from "../compare-versions.ts";
import type { HandoverRequest } from "../serve/contract.ts";

export interface HandoverState {
  readonly version: string;
  /** Long work that is under way, in words. */
  readonly work: string | null;
  /** Driven sessions whose agents are at work or wait for an answer: they would end with the daemon. */
  readonly agents: number;
  readonly nowMs: number;
}

/**
 * Why a daemon does not hand over to the one that asks; null when it does. An asker that has stopped waiting
 * (this process slept, or was stopped, with the question in its socket) would leave nobody to take over.
 */
export function refuseHandover(asked: HandoverRequest, state: HandoverState): AppError | null {
  if (asked.untilMs < state.nowMs)
    return new AppError("handover_late", "nobody waits for the answer any more");
  const order = compareVersions(asked.version, state.version);
  if (order < 0 || (order === 0 && !asked.restart)) {
    return new AppError(
      "handover_refused",
      `hookline ${state.version} runs, and ${asked.version} is not newer; \`hookline down\` stops it`,
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

/** Throws why not; says in the daemon's log what was decided. */
export function agreeToHandover(
  asked: HandoverRequest,
  state: HandoverState,
  say: (message: string) => void,
): void {
  const refused = refuseHandover(asked, state);
  if (refused === null) say(`handing over to hookline ${asked.version}`);
  else {
    say(`not handing over to hookline ${asked.version}: ${refused.message}`);
    throw refused;
  }
}
