import { randomUUID } from "node:crypto";
import { AppError } from "../app-error.ts";
import type { DrivenSession, SendRequest } from "./control-contract.ts";
import { stateOf } from "./driven-state.ts";
import type { LiveSession } from "./live-session.ts";

export function sendTo({ driver }: LiveSession, { text, images, interrupt }: SendRequest) {
  const { budgetSpent, maxBudgetUsd } = driver.state();
  if (budgetSpent) throw new AppError("budget_spent", `The session's budget of $${maxBudgetUsd} is spent.`);
  const messageId = randomUUID();
  driver.take({ type: "send", message: { messageId, text, images }, interrupt });
  return { messageId, state: stateOf(driver.state()) };
}

/** Resolves when its process is gone and all of it is kept, or cannot be now. */
export async function closeSession(session: LiveSession, why: string): Promise<DrivenSession> {
  session.driver.take({ type: "close", why });
  await session.closed;
  await session.journal.flush();
  return session.toSession();
}
