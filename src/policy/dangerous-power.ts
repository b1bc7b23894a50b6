import { displayCommand } from "./display-command.ts";
import { deny, type Finding } from "./finding.ts";
import { BUS_CLIENT } from "./own-service.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";

export function judgePower(command: ShellCommand): Finding | null {
  const isQuery =
    command.args.length > 0 &&
    command.args.every((word) => /^(?:--help|--version|-c|--show)$/.test(word.text));
  return isQuery ? null : deny("power", `${displayCommand(command)} would shut down or restart the machine.`);
}

const POWER_VERB =
  /^(?:poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|suspend|hibernate|hybrid-sleep|suspend-then-hibernate)(?:\.target)?$/;
const POWER_MESSAGE =
  /(?:^|\.)(?:PowerOff|Reboot|Halt|KExec|SoftReboot|Suspend|Hibernate|HybridSleep|SuspendThenHibernate)(?:WithFlags)?$/;
const STOP_VERB =
  /^(?:stop|kill|restart|try-restart|force-reload|reload-or-restart|condrestart|freeze|isolate|terminate)$/;
const STOP_MESSAGE = /(?:^|\.)(?:Stop|Kill|Restart|TryRestart|Freeze)(?:Unit)?$/;
const USER_MESSAGE = /(?:^|\.)(?:Terminate|Kill)(?:User|Session|Seat)$|(?:^|\.)Exit$/;
/** Units that contain every process of a user, or of the machine. */
const CONTAINS_EVERY_PROCESS =
  /^(?:\w+:)?(?:user@[\w-]+(?:\.service)?|(?:user(?:-\w+)?|system|app|session|background|machine|-)\.slice|session-\w+\.scope|init\.scope|(?:default|basic|sysinit|multi-user|graphical|graphical-session|local-fs|exit)\.target|systemd-logind(?:\.service)?)$/;

/** Service and session managers: power, and units that contain every process of a user. */
export function judgeServiceManager(command: ShellCommand): Finding | null {
  const texts = command.args.map((word) => word.text);
  const has = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  const isBus = BUS_CLIENT.test(command.name);
  if (isBus ? has(POWER_MESSAGE) : has(POWER_VERB)) return judgePower(command);
  const isUser = has(/^--user$/) && has(/^(?:exit|isolate)$/);
  const isSession = has(isBus ? USER_MESSAGE : /^(?:terminate|kill)-(?:user|session|seat)$/);
  const isAll = has(isBus ? STOP_MESSAGE : STOP_VERB) && has(CONTAINS_EVERY_PROCESS);
  if (isUser && command.name === "systemctl") return judgePower(command);
  return isSession || isAll
    ? deny("kill-all", `${displayCommand(command)} would kill all processes of a user.`)
    : null;
}
