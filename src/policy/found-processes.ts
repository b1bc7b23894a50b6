import { NAME_ONLY_PROGRAMS } from "./command-files.ts";
import { displayCommand } from "./display-command.ts";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import {
  judgeKillByName,
  judgeKillSearched,
  listsAllPids,
  SELECTS_BY_NAME,
  stdinText,
} from "./killed-processes.ts";
import type { Locations } from "./locations.ts";
import { isFileReader, isTextForPeople } from "./own-commands.ts";
import { mentionsOwnPort } from "./own-files.ts";
import { targetsOwnPid } from "./own-process.ts";
import { isKnown, type ShellCommand, type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";

/** Programs that signal, control or inspect a process given by its pid. */
const TARGETS_PROCESS =
  /^(?:kill|skill|snice|tskill|taskkill|fkill|pkill|renice|ionice|chrt|taskset|prlimit|choom|numactl|migratepages|gdb|gdbserver|lldb|lldb-server|gcore|strace|ltrace|dtruss|dtrace|truss|rr|perf|bpftrace|trace-cmd|reptyr|injcode|nsenter|criu|dlv|py-spy|rbspy|phpspy|pyrasite|austin|cpulimit|jattach|jcmd|jstack|pmap|pldd|pstack|eu-stack|sample|spindump|heap|vmmap|leaks|frida|frida-trace|cgclassify|start-stop-daemon)$/;
/** Those of them that find a process by its name. */
const FINDS_BY_NAME =
  /^(?:lldb|frida|frida-trace|start-stop-daemon|sample|spindump|heap|leaks|vmmap|dtruss|cpulimit)$/;
/** Files that freeze or kill processes. */
const CGROUP = /\/cgroup.*\/(?:cgroup\.(?:procs|threads|freeze|kill)|tasks|freezer\.state)$/;
/** Programs that list processes, or the files they hold open. */
const LISTS_PROCESSES =
  /^(?:ps|pgrep|pidof|pidwait|procs|top|htop|btop|pstree|pidstat|lsof|ss|netstat|sockstat|fuser|systemctl|launchctl|loginctl|service|supervisorctl|pm2|wmic|tasklist|get-process|systemd-cgls)$/i;
const LISTS_PORTS = /^(?:lsof|ss|netstat|sockstat|fuser)$/;
/** Files of `/proc/1/` that reveal no more than a process list. */
const HARMLESS_PROC = /^(?:status|stat|statm|comm|cmdline|limits|io|cgroup|wchan|loginuid|sched|schedstat)$/;

/**
 * A process that one command of a script finds and another signals, controls or inspects, through a variable, a file or
 * a pipe: `p=$(pgrep hookline); kill $p`. Where a pid is unknown, every process found counts as the target.
 */
export function judgeFoundProcess(commands: readonly ShellCommand[], locations: Locations): Finding | null {
  const byNumber = mostSevere(
    commands.flatMap((command) => [judgeOwnPid(command, locations), judgeTargetByName(command)]),
  );
  const targeting = commands.filter(targetsUnknownPid);
  if (byNumber !== null || targeting.length === 0) return byNumber;
  const [first] = targeting;
  const onlyTests = first!.args.some((word) => word.text === "-0");
  if (first!.name === "kill" && !onlyTests && commands.some(listsAllPids))
    return ask("kill-all", `${displayCommand(first!)} could kill every process.`);
  const finders = commands.filter((each) => each.name !== "kill");
  return mostSevere(finders.map((finder) => judgeFinder(finder, first!, locations)));
}

/** Judges the processes that one command lists as targets of the command that gets their pids. */
function judgeFinder(finder: ShellCommand, command: ShellCommand, locations: Locations): Finding | null {
  const listed = [finder, ...finder.pipedFrom, ...finder.substituted];
  const isListed = listed.some(({ name }) => LISTS_PROCESSES.test(name));
  if (LISTS_PORTS.test(finder.name) || finder.pipedFrom.some(({ name }) => LISTS_PORTS.test(name)))
    if (finder.args.some((word) => mentionsOwnPort(word.text, locations))) return denyOwnProcess(command);
  if (SELECTS_BY_NAME.test(finder.name)) return judgeKillByName(finder, command);
  const readsProc = finder.args.some((word) => /\/proc\//.test(word.text));
  if (!isListed && !readsProc) return null;
  const isNamed = finder.args.some((word) => /hookline/i.test(word.text.replace(/[[\]\\]/g, "")));
  return isNamed ? denyOwnProcess(command) : judgeKillSearched(finder, command);
}

/** Whether a command targets a process whose pid only the shell will know. */
function targetsUnknownPid(command: ShellCommand): boolean {
  const { name, args, redirects, starters, wrappers } = command;
  if (args.some(isProcFile) || redirects.some(({ target }) => target !== null && isProcFile(target)))
    return true;
  if (
    starters.some(
      (each) => TARGETS_PROCESS.test(each.name) && (name === UNKNOWN || each.words.some(mayBeAnyPid)),
    )
  )
    return true;
  if (redirects.some(({ target }) => CGROUP.test(target?.text ?? ""))) return true;
  if (name === "node") return args.some((word) => word.text === "inspect") && args.some(mayBeAnyPid);
  // `docker run --pid=host x kill $p`
  if (!TARGETS_PROCESS.test(name))
    return args.some((word) => TARGETS_PROCESS.test(word.text)) && args.some(mayBeAnyPid);
  const isFed = wrappers.some((each) => /^(?:xargs|parallel|find)$/.test(each));
  return isFed || args.some(mayBeAnyPid) || args.some((word) => /^(?:-F|--pidfile)/.test(word.text));
}

function judgeTargetByName(command: ShellCommand): Finding | null {
  const isNamed = command.args.some((word) => /^(?:-{1,2}[\w-]+=)?[\w./-]{0,100}hookline$/i.test(word.text));
  return FINDS_BY_NAME.test(command.name) && isNamed ? denyOwnProcess(command) : null;
}

/** A word that may be any pid; `$!` is one of the script's own. */
function mayBeAnyPid(word: ShellWord): boolean {
  return !isKnown(word) && !/^"?\$\{?!\}?"?$/.test(word.display);
}

/** `/proc/$p/environ` */
function isProcFile({ text }: ShellWord): boolean {
  const at = text.indexOf("/proc/");
  const [process = "", ...rest] =
    at < 0
      ? []
      : text
          .slice(at + 6)
          .split("/")
          .filter((part) => part !== "");
  return process.includes(UNKNOWN) && rest.length > 0 && !HARMLESS_PROC.test(rest.join("/"));
}

/** Our own daemon's pid, where it is known. */
function judgeOwnPid(command: ShellCommand, { own }: Locations): Finding | null {
  const { pid } = own;
  if (pid == null || pid <= 1) return null;
  const isOwnPid = ({ text }: ShellWord): boolean =>
    new RegExp(`^(?:-{0,2}[a-z]*=?)?0*${pid}$`, "i").test(text);
  const isOwnProcFile = ({ text }: ShellWord): boolean => {
    const [, rest = ""] = new RegExp(`/proc/+0*${pid}/+(.*)$`, "s").exec(text) ?? [];
    return rest !== "" && !HARMLESS_PROC.test(rest);
  };
  const targets = command.redirects.flatMap(({ target }) => target ?? []);
  const words = [...command.args, ...command.starters.flatMap(({ words }) => words)];
  const programs = [command.name, ...command.starters.map(({ name }) => name)];
  const targetsOwn =
    programs.some((name) => TARGETS_PROCESS.test(name) || name === "node") &&
    words.some(isOwnPid) &&
    !command.args.some((word) => word.text === "-0");
  if (targetsOwn || [...words, ...targets].some(isOwnProcFile)) return denyOwnProcess(command);
  return codeOf(command).some((code) => targetsOwnPid(code, own)) ? denyOwnProcess(command) : null;
}

/** What a program may run as code in its own language: `go run - <<< …`. */
function codeOf(command: ShellCommand): readonly string[] {
  if (
    NAME_ONLY_PROGRAMS.has(command.name) ||
    isFileReader(command) ||
    isTextForPeople(command) ||
    command.name === "tee"
  )
    return [];
  return [...command.args.map((word) => word.text), stdinText(command)].filter((text) => /[\s(]/.test(text));
}

function denyOwnProcess(command: ShellCommand): Finding {
  return deny(
    "own-daemon",
    `${displayCommand(command)} would signal or inspect Hookline, which guards this session.`,
  );
}
