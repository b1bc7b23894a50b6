import { displayCommand } from "./display-command.ts";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import type { Locations } from "./locations.ts";
import { mentionsOwnPort } from "./own-files.ts";
import { patternProblem, toRegExp } from "./rules-pattern.ts";
import { printedText } from "./shell/printed-text.ts";
import { isKnown, type ShellCommand, type ShellWord } from "./shell/shell-reading.ts";

/** How Hookline's daemon appears in a process list. */
const DAEMON_NAMES = ["node", "hookline"];
const DAEMON_LINES = [
  "/usr/bin/node /usr/lib/node_modules/hookline/bin/hookline daemon",
  "/usr/bin/node /usr/lib/node_modules/hookline/dist/cli/main.js daemon",
];
/** In a pattern for whole command lines: nothing else has this name. */
const IS_DAEMON = /main\W{0,4}js\W{1,4}daemon|cli\W{1,2}main/i;
/** A command line that no pattern targets. */
const UNRELATED_LINE = "zq0";

export const SELECTS_BY_NAME = /^(?:pkill|killall|skill|slay|pgrep|pidof|pidwait|snice|fkill|fkill-cli)$/;
const KILLS = /^(?:kill|pkill|killall|skill|slay|fkill|fkill-cli|fuser|kill-port|tskill|taskkill)$/;
/** Options that take the next word; those of `killall -u` and `pkill -u` select by user. */
const OPTION_WITH_VALUE =
  /^(?:-s|--signal|-g|--pgroup|-G|--group|-P|--parent|--session|-t|--terminal|-F|--pidfile|--ns|-q|--queue|-r|--runstates)$/;
const KILLALL_OPTION_WITH_VALUE = /^(?:-s|--signal|-o|--older-than|-y|--younger-than|-n|--ns|-Z|--context)$/;
const CHOOSES_USER = /^(?:-[a-zA-Z]*[uU]|--(?:user|euid|uid))(?:=|$)/;

/** Commands that end all processes, or Hookline's own. */
export function judgeKill(command: ShellCommand, locations: Locations): Finding | null {
  if (killsInPowerShell(command, locations)) return denyHooklineKill(command);
  if (command.name === "fuser") return judgeKillByFile(command);
  if (!KILLS.test(command.name) || listsOnly(command)) return null;
  if (command.name === "kill") return judgeKillByPid(command);
  if (command.name === "slay") return denyKillAll(command);
  return judgeKillByName(command, command);
}

function judgeKillByPid(command: ShellCommand): Finding | null {
  const texts = command.args.map((word) => word.text);
  const targets = texts.filter((text, at) => at > 0 || !/^-/.test(text));
  if (texts.length > 1 && targets.some((text) => text === "-1" || text === "-0"))
    return deny("kill-all", `${displayCommand(command)} would kill every process.`);
  if (targets.includes("1"))
    return deny("kill-all", `${displayCommand(command)} would kill the machine's init process.`);
  const sources = [...command.substituted, ...command.pipedFrom];
  if (targets.length > MAX_TARGETS || sources.some(listsAllPids) || command.args.some(isAnyNumber))
    return denyKillAll(command);
  for (const source of sources.filter((each) => SELECTS_BY_NAME.test(each.name))) {
    const found = judgeKillByName(source, command);
    if (found !== null) return found;
  }
  if (sources.some((each) => each.args.some((word) => /hookline/i.test(word.text.replace(/[[\]\\]/g, "")))))
    return denyHooklineKill(command);
  const searched = mostSevere(sources.map((each) => judgeKillSearched(each, command)));
  if (searched !== null && sources.some((each) => /^(?:ps|pgrep|procs|top)$/.test(each.name)))
    return searched;
  const isWholeList = sources.some((each) => each.name === "ps") && !sources.some(narrowsList);
  return isWholeList
    ? ask(
        "kill-all",
        `${displayCommand(command)} would kill processes from a list that is only known at run time.`,
      )
    : null;
}

/** A person never lists more processes one by one. */
const MAX_TARGETS = 100;

/** `{1..99999}`, or the names in `/proc`. */
function isAnyNumber({ text, isGlob, guesses = [] }: ShellWord): boolean {
  return isGlob && [text, ...guesses].some((each) => /^(?=.*[*?[])[*?[\]\d!^-]+$/.test(each));
}

/** Lists of all pids: `seq 99999`, `/proc/[0-9]*`. */
export function listsAllPids({ name, args }: ShellCommand): boolean {
  return (
    (/^(?:seq|jot)$/.test(name) && args.some((word) => /^\d{4,}$/.test(word.text))) ||
    args.some((word) => /^\/proc\/(?:\*|\[[^\]]{1,9}\]\*?)\/?$/.test(word.text))
  );
}

/** Judges a search in a process list. */
export function judgeKillSearched(source: ShellCommand, command: ShellCommand): Finding | null {
  return mostSevere(
    patternsSearched(source).map((pattern) => judgeKillMatching(pattern, false, true, command)),
  );
}

/** The patterns that narrow a process list: `grep x`, `awk '/x/'`. */
function patternsSearched({ name, args }: ShellCommand): readonly string[] {
  const texts = args.map((word) => word.text);
  if (/^(?:[efg]*grep|rg|ag|ack)$/.test(name) && !texts.some((text) => /^-[a-zA-Z]*v/.test(text)))
    return texts.filter((text) => !text.startsWith("-")).slice(0, 1);
  if (!/awk$|^g?sed$/.test(name)) return [];
  return texts.flatMap((text) =>
    [...text.matchAll(/\/([^/\s]{2,200})\//g)].map(([, pattern = ""]) => pattern),
  );
}

function narrowsList({ name, args }: ShellCommand): boolean {
  if (/^(?:grep|egrep|rg|head|tail)$/.test(name)) return true;
  if (/awk$|^sed$/.test(name)) return args.some((word) => /\/[^/]+\/|==|~/.test(word.text));
  return (
    name === "ps" && args.some((word) => /^(?:-p|-C|-t|--pid|--ppid|--tty)$|^-[CpGt][^i]/.test(word.text))
  );
}

export function judgeKillByName(source: ShellCommand, command: ShellCommand): Finding | null {
  const texts = source.args.map((word) => word.text);
  const optionWithValue = source.name === "killall" ? KILLALL_OPTION_WITH_VALUE : OPTION_WITH_VALUE;
  const isUser = texts.some((text) => CHOOSES_USER.test(text));
  const patterns = texts.filter(
    (text, at) =>
      !text.startsWith("-") &&
      !optionWithValue.test(texts[at - 1] ?? "") &&
      !CHOOSES_USER.test(texts[at - 1] ?? ""),
  );
  const namePatterns =
    source.name === "pgrep" || source.name === "pidof" ? patterns : writtenPatterns(patterns, source);
  if (texts.some((text) => /^(?:-[a-z]*v[a-z]*|--inverse)$/.test(text)) && source.name !== "killall")
    return deny("kill-all", `${displayCommand(command)} would kill almost every process.`);
  if (namePatterns.length === 0)
    return isUser ? deny("kill-all", `${displayCommand(command)} would kill all processes of a user.`) : null;
  const isName =
    /^(?:killall|pidof)$/.test(source.name) &&
    !texts.some((text) => /^(?:-[a-zA-Z]*[rm]|--regexp)$/.test(text));
  const isExact = !isName && texts.some((text) => /^(?:-[a-z]*x[a-z]*|--exact)$/.test(text));
  const matchesLine = texts.some((text) => /^(?:-[a-z]*f[a-z]*|--full)$/.test(text));
  for (const pattern of namePatterns) {
    // A plain name, or a pattern that matches a whole name, or a part of it.
    const found = judgeKillMatching(isExact ? `^(?:${pattern})$` : pattern, isName, matchesLine, command);
    if (found !== null) return found;
  }
  return null;
}

/** Excludes words that `xargs` adds: they are not patterns that the user wrote. */
function writtenPatterns(patterns: readonly string[], source: ShellCommand): readonly string[] {
  return source.args.every(isKnown) ? patterns : patterns.filter((text) => !text.includes("\u0000"));
}

function judgeKillMatching(
  pattern: string,
  isName: boolean,
  matchesLine: boolean,
  command: ShellCommand,
): Finding | null {
  const problem = patternProblem(pattern === "" ? ".*" : pattern);
  const matches = (text: string): boolean =>
    isName ? text === pattern.toLowerCase() : problem === null && toRegExp(pattern, "iu").test(text);
  if (!isName && matches(UNRELATED_LINE) && matches("")) return denyKillAll(command);
  if (!isName && /^[.^$*+?\s\w]?$/.test(pattern)) return denyKillAll(command);
  const names = matchesLine ? DAEMON_LINES : DAEMON_NAMES;
  const isOwn =
    /hookline/i.test(pattern) ||
    (matchesLine && IS_DAEMON.test(pattern)) ||
    names.some((name) => matches(name) && !matches(name.replaceAll("hookline", UNRELATED_LINE)));
  if (isOwn) return denyHooklineKill(command);
  return problem !== null || names.some(matches)
    ? ask("own-daemon", `${displayCommand(command)} could kill Hookline and anything else that matches.`)
    : null;
}

function denyHooklineKill(command: ShellCommand): Finding {
  return deny("own-daemon", `${displayCommand(command)} would stop Hookline, which guards this session.`);
}

function denyKillAll(command: ShellCommand): Finding {
  return deny("kill-all", `${displayCommand(command)} would kill every process it can.`);
}

/** `fuser -k` ends every process that uses a file or a port. */
function judgeKillByFile(command: ShellCommand): Finding | null {
  const kills = command.args.some((word) => /^(?:-[a-zA-Z]*k[a-zA-Z]*|--kill)$/.test(word.text));
  const isWide = command.args.some(
    (word) => word.text === "/" || /^-[a-zA-Z]*m|^--(?:mount|ismountpoint)/.test(word.text),
  );
  return kills && isWide ? denyKillAll(command) : null;
}

function listsOnly({ args }: ShellCommand): boolean {
  return (
    args.some((word) => /^(?:-0|-l|-L|--list|--table|--help|--version|-V)$/.test(word.text)) &&
    args.length < 3
  );
}

/** A command's stdin, where the text shows it. */
export function stdinText(command: ShellCommand): string {
  const piped = command.pipedFrom.length === 1 ? (printedText(command.pipedFrom[0]!) ?? "") : "";
  // `make -f <(printf …)`
  const usesSubstitution = command.args.some((word) => word.isProcess);
  const substituted = usesSubstitution ? command.substituted.map((each) => printedText(each) ?? "") : [];
  return [...command.redirects.map((each) => each.text ?? ""), piped, ...substituted]
    .filter((text) => text !== "")
    .join("\n");
}

const POWERSHELL =
  /^(?:pwsh|powershell|cmd|wmic)(?:\.exe)?$|^[a-z]+-(?:process|service|scheduledtask)$|^sp(?:ps|sv)$/i;
/** How PowerShell and Windows kill or suspend processes. */
const POWERSHELL_KILLS =
  /\b(?:(?:Stop|Suspend|Restart|Remove|Debug|Wait)-(?:Process|Service)|(?:Stop|Disable|Unregister)-ScheduledTask|spps|spsv|kill|taskkill|tskill|(?:sc|net)(?:\.exe)?\s+(?:stop|delete)|terminate|delete)\b|\.(?:Kill|Close|CloseMainWindow|Stop)\(/i;

/** `Get-Process hookline | Stop-Process`, also by port. */
export function isPowerShellKill(text: string, locations: Locations): boolean {
  return POWERSHELL_KILLS.test(text) && (/hookline/i.test(text) || mentionsOwnPort(text, locations));
}

function killsInPowerShell(command: ShellCommand, locations: Locations): boolean {
  if (!POWERSHELL.test(command.name)) return false;
  const words = [...command.pipedFrom, command].flatMap(({ name, args }) => [
    name,
    ...args.map((word) => word.text),
  ]);
  return isPowerShellKill(words.join(" "), locations);
}
