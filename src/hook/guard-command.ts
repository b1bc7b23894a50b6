import type { HookReply } from "../agents/answer-format.ts";
import type { GuardPhase, HookedAgent } from "../agents/installer.ts";
import {
  askDaemon,
  marker,
  resetShellOptions,
  shellHome,
  shellPath,
  testDaemonAlive,
  writeToSpool,
} from "./command-parts.ts";

/** How long a tool call waits for a daemon that is alive but silent. */
const TIMEOUT_SECONDS = 1.5;

/** Must not contain a single quote: they are single-quoted in a command. */
const OFF_NOTICE =
  "Hookline: the guard is off, because its daemon does not answer. Tool calls are not checked. Start it with: hookline up";
const DENYING_NOTICE =
  "Hookline: the guard denies every tool call, because its daemon does not answer (guard.failClosed). Start it with: hookline up. Where Hookline is no longer installed, delete ~/.hookline/launch";
const denial: HookReply = {
  call: {
    verdict: "deny",
    reason:
      "Hookline guards this session, but its daemon does not answer, so no tool call is let through (guard.failClosed). Ask the user to run: hookline up",
  },
};

/**
 * Runs before every tool call. Nothing is judged here: the daemon's answer is printed. Without an answer, the
 * open form allows the call and the closed form denies it; that is recorded, and the user is notified once
 * per session. Without `launch` in our folder, which `uninstall` removes, it does nothing: running sessions
 * keep their hooks.
 */
export function guardCommand(agent: HookedAgent, { failClosed }: { readonly failClosed: boolean }): string {
  const { write, events } = agent.answers;
  const printReply = (reply: HookReply): string =>
    `printf '%s\\n' '${JSON.stringify(write(events.call, reply))}'`;
  const unanswered =
    recordUnanswered(agent, failClosed ? "denied" : "unchecked") +
    (failClosed
      ? ` ${testFirstNotice} && ${printReply({ ...denial, notice: DENYING_NOTICE })} || ${printReply(denial)}`
      : ` ${testFirstNotice} && ${printReply({ notice: OFF_NOTICE })}`);
  return (
    `${marker("ask-guard")} { ${resetShellOptions} ${shellPath} H=${shellHome}; [ -f "$H/launch" ] || exit 0; a=; ${askDaemon("guard", TIMEOUT_SECONDS)} || a=-; ` +
    `case $a in ''|'{}') ;; '{'*'}') printf '%s\\n' "$a";; *) ${unanswered};; esac; } 2>/dev/null; exit 0`
  );
}

/** The event of an unanswered call. Omits a session id that is not a plain name: it goes into JSON. */
function recordUnanswered(agent: HookedAgent, phase: GuardPhase): string {
  const { installer } = agent;
  const payload = installer.unansweredPayload(phase);
  return (
    `s=$${installer.variables.sessionId}; case $s in *[!0-9A-Za-z_-]*) s=;; esac; umask 077; set -C; ` +
    `w=down; { ${testDaemonAlive}; } && w=silent; ${writeToSpool(agent, "$H", `printf '${payload}' "$s" $w`)}`
  );
}

/** The create is exclusive: of concurrent calls, one prints the notice. A session without an id gets none. */
const testFirstNotice = `[ "$s" ] && { d=$H/guard-told; [ -d "$d" ] || mkdir "$d"; { :; } >"$d/$s"; }`;
