import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { joinReplies } from "../../agents/answer-format.ts";
import { claude } from "../../agents/claude/claude.ts";
import type { Config } from "../../config.ts";
import { OWN_TERMINAL } from "../../control/react/own-sessions.ts";
import { denial } from "../../control/terminal/guard-output.ts";
import type { SteerAskPorts } from "../../serve/steer-ask-routes.ts";
import { answerAs } from "../agents.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";
import type { SteeringReactions } from "./open-reactions.ts";
import type { SteeringRules } from "./open-rules.ts";
import type { Terminal } from "./open-terminal.ts";

export interface AnswerParts {
  readonly config: () => Config;
  readonly rules: SteeringRules;
  readonly terminal: Terminal;
  readonly reactions: SteeringReactions;
}

/** Within what a guarded call waits for us in all. */
const PREPARE_MS = 800;
const TOO_LARGE = "Hookline: This call has more than 16 MB and is too long to judge. [builtin/too-long]";

/** What hooks of terminal sessions wait for. */
export function answerHooks(base: Base, { spool }: Recording, parts: AnswerParts): SteerAskPorts {
  const { agents, home, nowMs } = base;
  const { config, rules, terminal, reactions } = parts;
  const { guard, holds, promptGuard } = terminal;
  const forgetTold = (sessionId: unknown): void => {
    if (typeof sessionId === "string" && /^[\w-]{1,200}$/.test(sessionId))
      rmSync(join(home.guardTold, sessionId), { force: true });
  };
  return {
    guard: (payload, { signal }) =>
      answerAs(agents, payload, async (ask) => {
        // Whoever was told that nobody guards is told again the next time.
        forgetTold(ask?.sessionId);
        await Promise.race([rules.prepareFor(ask), setTimeout(PREPARE_MS, undefined, { ref: false })]);
        return guard.tool(ask, signal);
      }),
    tooLarge: () => claude.answers.write(claude.answers.events.call, denial(TOO_LARGE)),
    permission: (payload, { spoolName, attended, waitMs, signal }) =>
      answerAs(agents, payload, async (ask) => {
        const arrivedMs = nowMs();
        await rules.prepareFor(ask);
        const requestId = (spoolName !== null && spool.requestId(spoolName, payload)) || null;
        const byRule = await guard.permission(ask, requestId);
        if (byRule !== null || !config().approve.on) return byRule;
        const { rule = null, reason = null } = (await guard.explain(ask)) ?? {};
        return holds.hold(ask, { requestId, arrivedMs, attended, waitMs, signal, rule, reason });
      }),
    react: (payload, { terminal: terminalName, ...how }) =>
      answerAs(agents, payload, async (ask) => {
        await rules.prepareFor(ask);
        const said = promptGuard(ask);
        const isOwn = terminalName === OWN_TERMINAL.value;
        return joinReplies(said, await reactions.answers.answerReaction(ask, { ...how, isOwn }));
      }),
  };
}
