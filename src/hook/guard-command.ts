import type { HookReply } from "../agents/answer-format.ts";
import type { GuardPhase, HookedAgent } from "../agents/installer.ts";
import { askDaemon, home, intoSpool, isDaemonAlive, marker, path, plain } from "./command-parts.ts";

/** As long as a tool call waits for a daemon that is alive and silent. */
const SECONDS = 1.5;

/** None may hold a single quote: they stand between such in a command. */
const isOff =
  "Hookline: the guard is off, because its daemon does not answer. Tool calls are not checked. Start it with: hookline up";
const isShut =
  "Hookline: the guard denies every tool call, because its daemon does not answer (guard.failClosed). Start it with: hookline up. Where Hookline is no longer installed, delete ~/.hookline/launch";
const denial: HookReply = {
  call: {
    verdict: "deny",
    reason:
      "Hookline guards this session, but its daemon does not answer, so no tool call is let through (guard.failClosed). Ask the user to run: hookline up",
  },
};

/**
 * Before every tool call. Nothing is judged here: what the daemon says is printed. Where it does not answer, the
 * open form lets the call through, the closed form denies it; that is recorded, and the person is told once a session.
 * Without `launch` in our folder, which `uninstall` takes away, it is as if we were not there: sessions that run keep
 * their hooks.
 */
export function guardCommand(agent: HookedAgent, { failClosed }: { readonly failClosed: boolean }): string {
  const { write, events } = agent.answers;
  const say = (reply: HookReply): string => `printf '%s\\n' '${JSON.stringify(write(events.call, reply))}'`;
  const unanswered =
    record(agent, failClosed ? "denied" : "unchecked") +
    (failClosed
      ? ` ${isFirst} && ${say({ ...denial, notice: isShut })} || ${say(denial)}`
      : ` ${isFirst} && ${say({ notice: isOff })}`);
  return (
    `${marker("ask-guard")} { ${plain} ${path} H=${home}; [ -f "$H/launch" ] || exit 0; a=; ${askDaemon("guard", SECONDS)} || a=-; ` +
    `case $a in ''|'{}') ;; '{'*'}') printf '%s\\n' "$a";; *) ${unanswered};; esac; } 2>/dev/null; exit 0`
  );
}

/** The event of a call that nobody answered. A session id that is no plain name is left out: it stands in JSON. */
function record(agent: HookedAgent, phase: GuardPhase): string {
  const { installer } = agent;
  const payload = installer.unanswered(phase);
  return (
    `s=$${installer.variables.sessionId}; case $s in *[!0-9A-Za-z_-]*) s=;; esac; umask 077; set -C; ` +
    `w=down; { ${isDaemonAlive}; } && w=silent; ${intoSpool(agent, "$H", `printf '${payload}' "$s" $w`)}`
  );
}

/** The create is exclusive: of calls at the same time one speaks. A session without an id is not told. */
const isFirst = `[ "$s" ] && { d=$H/guard-told; [ -d "$d" ] || mkdir "$d"; { :; } >"$d/$s"; }`;
