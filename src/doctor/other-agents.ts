import { UNKNOWN_AGENT } from "../agents/hook-delivery.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { SessionsPage } from "../serve/contract.ts";
import { localTime } from "../shown/duration.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { countText } from "./wording.ts";

const WINDOW_DAYS = 7;
const MAX_SESSIONS = 100;

/** Agents that read another agent's settings also run its hooks. */
export const otherAgentChecks: readonly Check[] = [{ code: "other_agents", run: checkOthers }];

async function checkOthers({ agent, home, daemon, config, nowMs }: CheckContext): Promise<Outcome> {
  if ((await daemon()).type !== "answers") return { status: "skipped", found: "The daemon is not running." };
  const since = new Date(nowMs() - WINDOW_DAYS * 86_400_000).toISOString();
  const query = new URLSearchParams({ provider: UNKNOWN_AGENT, since, limit: String(MAX_SESSIONS) });
  const page = await askDaemon(home, SessionsPage, `/api/sessions?${query}`, { timeoutMs: 5_000 });
  const sessions = page?.sessions ?? [];
  const [last] = sessions;
  if (last === undefined)
    return { status: "ok", found: `Only ${agent.label} has used these hooks recently.` };
  const sessionsText =
    sessions.length === MAX_SESSIONS
      ? `${MAX_SESSIONS} or more sessions`
      : countText(sessions.length, "session");
  const guardText = config()?.guard.on === true ? ", and the guard does not check their calls" : "";
  return {
    status: "warn",
    found: `${sessionsText} of an unknown agent used ${agent.label}'s hooks in the last ${WINDOW_DAYS} days, last at ${localTime(last.lastEventAtIso, nowMs())}. They are recorded as unknown${guardText}.`,
    remedy: `Some agents read ${agent.label}'s settings; turn that off in the other agent if you don't want it.`,
  };
}
