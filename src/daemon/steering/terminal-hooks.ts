import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { mergeReplies } from "../../agents/answer-format.ts";
import { claude } from "../../agents/claude/claude.ts";
import type { Config } from "../../config.ts";
import { REACTION_TERMINAL } from "../../control/react/reaction-sessions.ts";
import { denyReply } from "../../control/terminal/guard-replies.ts";
import type { TerminalHookPorts } from "../../serve/terminal-hook-routes.ts";
import type { Base } from "../base.ts";
import { answerAs } from "../per-agent.ts";
import type { Recording } from "../recording.ts";
import type { SteeringReactions } from "./open-reactions.ts";
import type { SteeringRules } from "./open-rules.ts";
import type { Terminal } from "./open-terminal.ts";

export interface TerminalHookParts {
  readonly config: () => Config;
  readonly rules: SteeringRules;
  readonly terminal: Terminal;
  readonly reactions: SteeringReactions;
}

/** Part of the total time that a guarded call waits for us. */
const PREPARE_TIMEOUT_MS = 800;
const TOO_LARGE_REASON =
  "Hookline: This call has more than 16 MB and is too long to judge. [builtin/too-long]";

/** Answers that hooks of terminal sessions wait for. */
export function createTerminalHooks(
  base: Base,
  { spool }: Recording,
  parts: TerminalHookParts,
): TerminalHookPorts {
  const { agents, home, nowMs } = base;
  const { config, rules, terminal, reactions } = parts;
  const { guard, holds, promptGuard } = terminal;
  const forgetGuardNotice = (sessionId: unknown): void => {
    if (typeof sessionId === "string" && /^[\w-]{1,200}$/.test(sessionId))
      rmSync(join(home.guardNotices, sessionId), { force: true });
  };
  return {
    guard: (payload, { signal }) =>
      answerAs(agents, payload, async (ask) => {
        // The guard works again, so a session warned about a missing guard is warned again next time.
        forgetGuardNotice(ask?.sessionId);
        await Promise.race([
          rules.prepareFor(ask),
          setTimeout(PREPARE_TIMEOUT_MS, undefined, { ref: false }),
        ]);
        return guard.answerCall(ask, signal);
      }),
    tooLarge: () => claude.answers.write(claude.answers.events.call, denyReply(TOO_LARGE_REASON)),
    permission: (payload, { spoolName, attended, waitMs, signal }) =>
      answerAs(agents, payload, async (ask) => {
        const arrivedMs = nowMs();
        await rules.prepareFor(ask);
        const requestId = (spoolName !== null && spool.requestId(spoolName, payload)) || null;
        const byRule = await guard.answerPermission(ask, requestId);
        if (byRule !== null || !config().approve.on) return byRule;
        const { rule = null, reason = null } = (await guard.explain(ask)) ?? {};
        return holds.hold(ask, { requestId, arrivedMs, attended, waitMs, signal, rule, reason });
      }),
    react: (payload, { terminal: terminalName, ...details }) =>
      answerAs(agents, payload, async (ask) => {
        await rules.prepareFor(ask);
        const promptReply = promptGuard(ask);
        const isReactionSession = terminalName === REACTION_TERMINAL.value;
        return mergeReplies(
          promptReply,
          await reactions.answers.answer(ask, { ...details, isReactionSession: isReactionSession }),
        );
      }),
  };
}
