import { randomUUID } from "node:crypto";
import { AppError } from "../app-error.ts";
import type { DrivenSession, SendRequest } from "./control-contract.ts";
import { stateOf } from "./driven-state.ts";
import type { LiveSession } from "./live-session.ts";

/** `asksAgain` is the lost request that the text asks the agent to repeat. */
export function sendMessage(
  { driver }: LiveSession,
  { text, images, interrupt }: SendRequest,
  asksAgain?: string,
) {
  const { budgetSpent, maxBudgetUsd } = driver.state();
  if (budgetSpent) throw new AppError("budget_spent", `The session's budget of $${maxBudgetUsd} is used up.`);
  const messageId = randomUUID();
  driver.dispatch({ type: "send", message: { messageId, text, images, asksAgain }, interrupt });
  return { messageId, state: stateOf(driver.state()) };
}

/** Resolves when its process is gone and everything is stored, or cannot be for now. */
export async function closeSession(session: LiveSession, why: string): Promise<DrivenSession> {
  session.driver.dispatch({ type: "close", why });
  await session.closed;
  await session.journal.flush();
  return session.toSession();
}
