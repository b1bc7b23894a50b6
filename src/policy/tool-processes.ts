import { deny, type Finding, mostSevere } from "./finding.ts";
import type { InspectedRequest } from "./inspect-request.ts";
import { judgeKill } from "./killed-processes.ts";
import type { Locations } from "./locations.ts";
import { mentionsOwnPort } from "./own-files.ts";
import { isDistinctive } from "./own-numbers.ts";
import { targetsOwnPid } from "./own-process.ts";
import { readScript } from "./shell/read-script.ts";
import { type Field, fieldsOf, type ToolWords, toolWords } from "./tool-fields.ts";

/** Words of tools that kill, suspend, control or inspect a process. */
const AFFECTS_PROCESS =
  /\b(?:[a-z]{0,8}kill|terminat|stop|signal|sig[a-z]{3,5}\b|suspend|resume|continue|pause|freez|thaw|halt|abort|interrupt|end\b|quit|attach|debug|gdb|lldb|frida|trac|strace|dtrace|mem(?:ory)?\b|dump|inject|profil|sampl|re?nice|priority|affinity|limit|hook|ptrace|core\b|heap|inspect)/;
/** Words of tools that only report on one. */
const READ_ONLY_WORD =
  /\b(?:get|list|info|status|show|describe|stat|find|search|tree|top|ps|usage|monitor|exists|is|wait|logs?|cat|read)\b/;
/** Words of tools that kill by name, or take out of service. */
const KILLS =
  /\b(?:p?kill|stop|terminat|restart|disabl|unload|quit|shut ?down|uninstall|signal|suspend|freez|halt|abort|interrupt|boot ?out|paus|end (?:process|task)|exit\b|sig(?:kill|term|stop|int|hup|quit)\b)/;
const SERVICE_WORD =
  /\b(?:systemd|systemctl|launchd|launchctl|services?|supervisor(?:d|ctl)?|pm2|unit|daemons?|initctl|runit)\b/;
const STARTS = /\b(?:start|enable|enabled|started|active)\b/;
const PROCESS_KEY = /pids?$|process|proc$|^target$|^id$/i;
const PID_KEY = /pids?$|process_?ids?$/i;

/** A tool that kills, controls or inspects our daemon, or all processes: judged like `kill` and `pkill`. */
export function judgeToolProcesses({
  kind,
  request,
  input,
  locations,
  guessed,
}: InspectedRequest): Finding | null {
  if (kind !== "other") return null;
  const fields = fieldsOf(input);
  const words = toolWords(request.toolName, fields);
  const targetsHookline =
    hasOwnPidField(fields, words, locations) ||
    killsByName(fields, words) ||
    guessed.texts.some((text) => /\s/.test(text) && targetsOwnPid(text, locations.own));
  if (targetsHookline)
    return deny(
      "own-daemon",
      `${request.toolName} would stop or inspect Hookline, which guards this session.`,
    );
  if (connectsToPort(fields, locations))
    return deny(
      "own-port",
      `${request.toolName} would connect to Hookline's own port, which is reserved for you.`,
    );
  return judgeKillLikeShell(fields, words, request.toolName, locations);
}

function hasOwnPidField(
  fields: readonly Field[],
  { all, action }: ToolWords,
  { own: { pid } }: Locations,
): boolean {
  if (pid == null || pid <= 1) return false;
  const isOwnPid = ({ value }: Field): boolean =>
    typeof value === "boolean"
      ? false
      : /^-?\w{1,20}$/.test(String(value)) && Math.abs(Number(value)) === pid;
  const named = fields.filter(isOwnPid);
  if (named.length === 0) return false;
  const affects = AFFECTS_PROCESS.test(all);
  const onlyReports = READ_ONLY_WORD.test(action) && !affects;
  if (named.some(({ key }) => PID_KEY.test(key))) return !onlyReports;
  return isDistinctive(pid) && (named.some(({ key }) => PROCESS_KEY.test(key)) ? !onlyReports : affects);
}

/** By its name, or its service's. For a service manager everything but inspecting and starting counts. */
function killsByName(fields: readonly Field[], { all, action }: ToolWords): boolean {
  const isNamed = (pattern: RegExp): boolean =>
    fields.some(({ value }) => typeof value === "string" && pattern.test(value));
  if (KILLS.test(action) && isNamed(/^[\w.@-]{0,40}hookline[\w.@-]{0,40}$/i)) return true;
  if (!isNamed(/^[\w.@/-]{0,60}hookline[\w.@-]{0,40}$/i)) return false;
  return SERVICE_WORD.test(all) && !READ_ONLY_WORD.test(action) && !STARTS.test(action);
}

const LOCAL_ADDRESS = /^(?:\w+:\/\/)?(?:localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0)\/?$/i;

/** `{ base: "http://localhost", p: 37777 }` */
function connectsToPort(fields: readonly Field[], locations: Locations): boolean {
  return (
    fields.some(({ value }) => typeof value === "string" && LOCAL_ADDRESS.test(value)) &&
    fields.some(({ value }) => /^\d{1,8}$/.test(String(value)) && mentionsOwnPort(String(value), locations))
  );
}

const KILLS_PROCESSES =
  /\b(?:p?kill|kill ?all|terminate|signal|end (?:process|task)|sig(?:kill|term|stop))\b/;
/** Their targets share the name, but are something else. */
const OTHER_TARGET =
  /\b(?:docker|podman|containers?|k8s|kube\w*|pods?|compose|swarm|ec2|aws|gcp|azure|vms?|instances?|jobs?|workflows?|runs?|sessions?|shells?|terminals?|tmux|agents?|browsers?|pages?|backend|query|queries|connections?|apps?|github|gitlab|employ\w*|contracts?)\b/;
const NAME_KEY =
  /^(?:names?|process(?:es)?|process_?names?|proc|program|target|image(?:_?name)?|exe|executable)$/i;
const PATTERN_KEY = /^(?:pattern|match|filter|regex|regexp|command_?line|cmd_?line)$/i;

function judgeKillLikeShell(
  fields: readonly Field[],
  { action, all }: ToolWords,
  toolName: string,
  locations: Locations,
): Finding | null {
  if (!KILLS_PROCESSES.test(action) || OTHER_TARGET.test(all)) return null;
  const scripts = fields.flatMap(({ key, value }) => {
    if (PROCESS_KEY.test(key) && /^-?\d{1,10}$/.test(String(value))) return [`kill -9 ${value}`];
    if (typeof value !== "string" || !/^[^\s'\0]{1,100}$/.test(value)) return [];
    if (PATTERN_KEY.test(key)) return [`pkill -f '${value}'`];
    return NAME_KEY.test(key) ? [`pkill '${value}'`] : [];
  });
  const found = mostSevere(
    scripts.flatMap((script) =>
      readScript(script, locations).commands.map((command) => judgeKill(command, locations)),
    ),
  );
  return found === null ? null : { ...found, reason: `${toolName} is checked as a command: ${found.reason}` };
}
