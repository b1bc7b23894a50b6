import { NAMES_ONLY } from "./command-files.ts";
import { BY_NAME, countsAll, endsByName, endsSearched, fedText } from "./ending-processes.ts";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import { isMessage, onlyReads } from "./own-commands.ts";
import { namesOwnPort } from "./own-files.ts";
import { reachesOwnProcess } from "./own-process.ts";
import type { Places } from "./places.ts";
import { isKnown, type ShellCommand, type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";
import { shown } from "./shown-command.ts";

/** Programs that signal, steer or look into a process that they are given by its number. */
const REACHES =
  /^(?:kill|skill|snice|tskill|taskkill|fkill|pkill|renice|ionice|chrt|taskset|prlimit|choom|numactl|migratepages|gdb|gdbserver|lldb|lldb-server|gcore|strace|ltrace|dtruss|dtrace|truss|rr|perf|bpftrace|trace-cmd|reptyr|injcode|nsenter|criu|dlv|py-spy|rbspy|phpspy|pyrasite|austin|cpulimit|jattach|jcmd|jstack|pmap|pldd|pstack|eu-stack|sample|spindump|heap|vmmap|leaks|frida|frida-trace|cgclassify|start-stop-daemon)$/;
/** Of those, the ones that find a process by its name. */
const BY_OWN_NAME =
  /^(?:lldb|frida|frida-trace|start-stop-daemon|sample|spindump|heap|leaks|vmmap|dtruss|cpulimit)$/;
/** Files that hold processes back, or end them. */
const CGROUP = /\/cgroup.*\/(?:cgroup\.(?:procs|threads|freeze|kill)|tasks|freezer\.state)$/;
/** Programs that list processes, or what they hold open. */
const LISTS =
  /^(?:ps|pgrep|pidof|pidwait|procs|top|htop|btop|pstree|pidstat|lsof|ss|netstat|sockstat|fuser|systemctl|launchctl|loginctl|service|supervisorctl|pm2|wmic|tasklist|get-process|systemd-cgls)$/i;
const PORTS = /^(?:lsof|ss|netstat|sockstat|fuser)$/;
/** What of `/proc/1/` tells nothing that a list of processes would not. */
const HARMLESS_PROC = /^(?:status|stat|statm|comm|cmdline|limits|io|cgroup|wchan|loginuid|sched|schedstat)$/;

/**
 * A process that one command of a script finds and another signals, steers or looks into, by a variable, a file or a
 * pipe: `p=$(pgrep hookline); kill $p`. What is found counts as what is meant wherever the number is not known.
 */
export function reachesFoundProcess(commands: readonly ShellCommand[], places: Places): Finding | null {
  const byNumber = gravest(
    commands.flatMap((command) => [reachesOwnNumber(command, places), reachesByName(command)]),
  );
  const reaching = commands.filter(reachesUnknown);
  if (byNumber !== null || reaching.length === 0) return byNumber;
  const [first] = reaching;
  const isOnlyAsked = first!.args.some((word) => word.text === "-0");
  if (first!.name === "kill" && !isOnlyAsked && commands.some(countsAll))
    return ask("kill-all", `${shown(first!)} may end every process.`);
  const finders = commands.filter((each) => each.name !== "kill");
  return gravest(finders.map((finder) => foundBy(finder, first!, places)));
}

/** What the processes that a command lists are, seen from the command that is given their numbers. */
function foundBy(finder: ShellCommand, command: ShellCommand, places: Places): Finding | null {
  const listed = [finder, ...finder.pipedFrom, ...finder.substituted];
  const isListed = listed.some(({ name }) => LISTS.test(name));
  if (PORTS.test(finder.name) || finder.pipedFrom.some(({ name }) => PORTS.test(name)))
    if (finder.args.some((word) => namesOwnPort(word.text, places))) return reached(command);
  if (BY_NAME.test(finder.name)) return endsByName(finder, command);
  const readsProc = finder.args.some((word) => /\/proc\//.test(word.text));
  if (!isListed && !readsProc) return null;
  const isNamed = finder.args.some((word) => /hookline/i.test(word.text.replace(/[[\]\\]/g, "")));
  return isNamed ? reached(command) : endsSearched(finder, command);
}

/** Whether a command reaches for a process whose number only the shell will know. */
function reachesUnknown(command: ShellCommand): boolean {
  const { name, args, redirects, starters, wrappers } = command;
  if (args.some(isProcFile) || redirects.some(({ target }) => target !== null && isProcFile(target)))
    return true;
  if (starters.some((each) => REACHES.test(each.name) && (name === UNKNOWN || each.words.some(isOpen))))
    return true;
  if (redirects.some(({ target }) => CGROUP.test(target?.text ?? ""))) return true;
  if (name === "node") return args.some((word) => word.text === "inspect") && args.some(isOpen);
  // `docker run --pid=host x kill $p`
  if (!REACHES.test(name)) return args.some((word) => REACHES.test(word.text)) && args.some(isOpen);
  const isFed = wrappers.some((each) => /^(?:xargs|parallel|find)$/.test(each));
  return isFed || args.some(isOpen) || args.some((word) => /^(?:-F|--pidfile)/.test(word.text));
}

function reachesByName(command: ShellCommand): Finding | null {
  const isNamed = command.args.some((word) => /^(?:-{1,2}[\w-]+=)?[\w./-]{0,100}hookline$/i.test(word.text));
  return BY_OWN_NAME.test(command.name) && isNamed ? reached(command) : null;
}

/** A word that may be any number; `$!` is one of the script's own. */
function isOpen(word: ShellWord): boolean {
  return !isKnown(word) && !/^"?\$\{?!\}?"?$/.test(word.shown);
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

/** The number of our own daemon, where it is known. */
function reachesOwnNumber(command: ShellCommand, { own }: Places): Finding | null {
  const { pid } = own;
  if (pid == null || pid <= 1) return null;
  const isOurs = ({ text }: ShellWord): boolean =>
    new RegExp(`^(?:-{0,2}[a-z]*=?)?0*${pid}$`, "i").test(text);
  const isOurFile = ({ text }: ShellWord): boolean => {
    const [, rest = ""] = new RegExp(`/proc/+0*${pid}/+(.*)$`, "s").exec(text) ?? [];
    return rest !== "" && !HARMLESS_PROC.test(rest);
  };
  const targets = command.redirects.flatMap(({ target }) => target ?? []);
  const given = [...command.args, ...command.starters.flatMap(({ words }) => words)];
  const programs = [command.name, ...command.starters.map(({ name }) => name)];
  const reaches =
    programs.some((name) => REACHES.test(name) || name === "node") &&
    given.some(isOurs) &&
    !command.args.some((word) => word.text === "-0");
  if (reaches || [...given, ...targets].some(isOurFile)) return reached(command);
  return codesOf(command).some((code) => reachesOwnProcess(code, own)) ? reached(command) : null;
}

/** What a program may run as code of its own language: `go run - <<< …`. */
function codesOf(command: ShellCommand): readonly string[] {
  if (NAMES_ONLY.has(command.name) || onlyReads(command) || isMessage(command) || command.name === "tee")
    return [];
  return [...command.args.map((word) => word.text), fedText(command)].filter((text) => /[\s(]/.test(text));
}

function reached(command: ShellCommand): Finding {
  return deny("own-daemon", `${shown(command)} signals or reaches into Hookline, which guards this session.`);
}
